// Puts the page together.

import { ContactSwitch, KEYS, listenForKeys, ShadingBar, TransportBar } from "./controls";
import { h } from "./format";
import { NumbersCard, parametersCard, problemsCard, warningsCard } from "./panels";
import { Player } from "./player";
import { PlotCard } from "./plots";
import { plotSpecs } from "./quantities";
import { readReport, type Report } from "./report";
import { summaryCard } from "./summary";
import { Theme } from "./theme";
import { Timeline } from "./timeline";
import { Viewer } from "./viewer";

function helpDialog(): HTMLDialogElement {
  const rows = h("dl", { class: "keys" });
  for (const [key, text] of KEYS) rows.append(h("dt", {}, key), h("dd", {}, text));
  const close = h("button", { type: "submit", autofocus: true }, "Close");
  const notices = (document.getElementById("notices") as HTMLTemplateElement).content.textContent ?? "";
  return h("dialog", { "aria-labelledby": "help-title" },
    h("form", { method: "dialog" }, h("h2", { id: "help-title" }, "Keys"), rows,
      h("details", {}, h("summary", {}, "Licences of what this page contains"),
        h("pre", { tabindex: 0 }, notices.trim())), close));
}

function bodyKey(report: Report): HTMLElement | null {
  const parts = report.runs[0]!.surface?.parts ?? [];
  if (parts.length < 2 || report.runs.length > 1) return null;
  const list = h("div", { class: "body-key" });
  for (const { name, colour } of parts)
    list.append(h("span", {}, h("i", { class: "swatch", style: `background:${colour}` }), name));
  return list;
}

function makeViewer(player: Player, report: Report): Viewer | Error {
  try {
    return new Viewer(player, report);
  } catch (error) {
    return error as Error;  // no WebGL here
  }
}

function start(): void {
  const report = readReport();
  document.title = `${report.title} – Dashpot report`;
  const timeline = new Timeline(report.runs);
  const player = new Player(timeline);
  const theme = new Theme();
  const help = helpDialog();
  const viewer = makeViewer(player, report);

  const themeButton = h("button", { type: "button", class: "quiet-button" });
  const helpButton = h("button", { type: "button", class: "quiet-button", title: "Keys (?)" }, "Keys");
  helpButton.addEventListener("click", () => help.showModal());
  themeButton.addEventListener("click", () => theme.toggle());
  const header = h("header", { class: "page-head" },
    h("h1", { title: report.title }, report.title), h("span", { class: "program" }, report.program),
    h("nav", { "aria-label": "Page" }, helpButton, themeButton));

  const transport = new TransportBar(report, player);
  const stage = h("section", { class: "stage", "aria-label": "Playback" });
  const plots = plotSpecs(report).map((spec) => new PlotCard(player, spec));
  let shading: ShadingBar | null = null;
  let contacts: ContactSwitch | null = null;
  const loading = h("p", { class: "load-state", role: "status" });
  if (viewer instanceof Error) {
    stage.append(h("p", { class: "card no-view" },
      `The 3D view needs WebGL, which this browser does not offer (${viewer.message}).`), transport.element);
  } else {
    shading = new ShadingBar(report, viewer);
    contacts = new ContactSwitch(report, viewer);
    shading.element.firstElementChild!.after(contacts.button);
    viewer.element.append(loading, contacts.key);
    const key = bodyKey(report);
    if (key) viewer.element.append(key);
    stage.append(viewer.element, transport.element, shading.element);
  }

  const side = h("div", { class: "side" });
  const problems = problemsCard(report);
  side.append(summaryCard(report, timeline));
  if (problems) side.append(problems);
  side.append(warningsCard(report, player));
  for (const plot of plots) side.append(plot.element);
  side.append(new NumbersCard(report, player).element, parametersCard(report));
  const app = document.getElementById("app")!;
  app.replaceChildren(header, h("main", {}, stage, side), help);

  theme.onChange(() => {
    themeButton.textContent = theme.dark ? "Light" : "Dark";
    themeButton.title = `Switch to ${theme.dark ? "light" : "dark"} (T)`;
    for (const plot of plots) plot.rebuild();
    if (viewer instanceof Viewer) viewer.restyle();
  });
  if (viewer instanceof Viewer && shading && contacts)
    listenForKeys({
      player, viewer, shading, contacts, toggleTheme: () => theme.toggle(), toggleHelp: () => help.showModal(),
    });

  const loaded = viewer instanceof Viewer
    ? viewer.load((share) => {
      loading.textContent = share < 1 ? `Unpacking ${Math.round(100 * share)} %` : "";
    })
    : Promise.resolve();
  // For tests, and for whoever opens the console.
  Object.assign(window, { dashpot: { report, timeline, player, viewer, shading, loaded } });
  void loaded.then(() => { document.documentElement.dataset.ready = "yes"; });
}

start();
