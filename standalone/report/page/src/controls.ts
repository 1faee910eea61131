// The bar under the view: play, scrub, shading; and the keys for all of it.

import { ColourScale } from "./colour_scale";
import { h, shortNumber } from "./format";
import type { Player } from "./player";
import type { Report } from "./report";
import type { Viewer } from "./viewer";

export class TransportBar {
  readonly element: HTMLElement;
  private readonly playButton = h("button", { type: "button", class: "play" });
  private readonly slider: HTMLInputElement;
  private readonly loopButton = h("button", { type: "button", class: "quiet-button", title: "Loop (L)" }, "Loop");
  private readonly readout = h("output", { class: "readout", "aria-live": "off" });

  constructor(report: Report, private readonly player: Player) {
    const { timeline } = player;
    this.slider = h("input", {
      type: "range", min: 0, max: timeline.steps - 1, step: 1, value: 0, "aria-label": "Frame",
      disabled: timeline.steps < 2,
    });
    this.slider.addEventListener("input", () => player.seek(Number(this.slider.value)));
    this.playButton.disabled = timeline.steps < 2;
    this.loopButton.addEventListener("click", () => player.toggleLoop());
    this.playButton.addEventListener("click", () => player.toggle());
    const speed = h("select", { "aria-label": "Speed" });
    for (const factor of [0.1, 0.25, 0.5, 1, 2])
      speed.append(h("option", { value: factor, selected: factor === 1 }, `${factor}×`));
    speed.addEventListener("change", () => player.setSpeed(Number(speed.value)));
    const marks = h("div", { class: "marks", "aria-hidden": "true" });
    const places = new Set<number>();
    report.runs.forEach((run, place) => run.warnings.forEach(({ frames }) =>
      frames.forEach((frame) => places.add(timeline.stepOf(frame, place)))));
    for (const place of places)
      marks.append(h("i", { style: `left:${(100 * place) / Math.max(timeline.steps - 1, 1)}%` }));
    this.element = h("div", { class: "transport" }, this.playButton,
      h("div", { class: "track" }, this.slider, marks), this.readout, this.loopButton, speed);
    player.onChange(() => this.follow());
    this.follow();
  }

  private follow(): void {
    const { step, playing, timeline } = this.player;
    this.playButton.textContent = playing ? "❚❚" : "▶";
    this.playButton.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.playButton.title = `${playing ? "Pause" : "Play"} (Space)`;
    this.loopButton.setAttribute("aria-pressed", String(this.player.loop));
    this.slider.value = String(step);
    const frame = timeline.frameOf(step);
    this.slider.setAttribute("aria-valuetext", `frame ${frame}`);
    const last = timeline.frameOf(timeline.steps - 1);
    this.readout.textContent =
      `frame ${String(frame).padStart(String(last).length, "\u2007")} / ${last} · ${(step / timeline.fps).toFixed(2)} s`;
  }
}

/** Which quantity colours the bodies, with its scale. */
export class ShadingBar {
  readonly element: HTMLElement;
  readonly scale: ColourScale;
  private readonly buttons: HTMLButtonElement[] = [];
  private readonly note = h("p", { class: "shading-note", role: "status" });

  constructor(private readonly report: Report, private readonly viewer: Viewer) {
    const group = h("div", { class: "segments", role: "group", "aria-label": "Colour by" });
    this.add(group, "", "Bodies");
    for (const { token, label } of report.shadings)
      // Stress is an extra: it is offered where it was asked for.
      if (token !== "stress" || this.available(token)) this.add(group, token, label);
    this.scale = new ColourScale((shading, range) => viewer.setRange(shading, range), (shading) => viewer.topOfFrame(shading));
    this.element = h("div", { class: "shading" }, group, this.scale.element, this.note);
    this.choose("");
  }

  get count(): number {
    return this.buttons.length;
  }

  choosePlace(place: number): void {
    const button = this.buttons[place];
    if (button) this.choose(button.dataset.token!);
  }

  choose(token: string): void {
    const shading = this.report.shadings.find((each) => each.token === token);
    const troubles = this.troubles(token);
    if (shading && !this.available(token)) {
      this.note.textContent = troubles[0] ?? "There are no frames to colour.";
      return;
    }
    this.viewer.setShading(token);
    for (const button of this.buttons)
      button.setAttribute("aria-pressed", String(button.dataset.token === token));
    this.scale.show(shading ?? null);
    this.note.textContent = "";
    if (!shading) return;
    const remark = this.report.runs.map((run) => run.surface?.values[token]?.remark).find(Boolean);
    const help = shading.help[0]!.toUpperCase() + shading.help.slice(1);
    const zero = shading.top === 0 ? "It is zero everywhere." : "";
    this.note.textContent =
      [`${help}${remark ? `; ${remark}` : ""}.`, zero, ...troubles].filter(Boolean).join(" ");
  }

  private available(token: string): boolean {
    return this.report.runs.some((run) => run.surface?.values[token]?.chunks);
  }

  private troubles(token: string): string[] {
    return [...new Set(this.report.runs.map((run) => run.surface?.values[token]?.trouble ?? "")
      .filter(Boolean))];
  }

  private add(group: HTMLElement, token: string, label: string): void {
    const usable = token === "" || this.available(token);
    const button = h("button", {
      type: "button", "data-token": token, "aria-pressed": "false",
      "aria-disabled": usable ? null : "true",
      title: usable ? `Colour by ${label.toLowerCase()} (${this.buttons.length + 1})`
        : this.troubles(token)[0] ?? "There are no frames to colour.",
    }, label);
    button.addEventListener("click", () => this.choose(token));
    this.buttons.push(button);
    group.append(button);
  }
}

/** Shows contacts or hides them; offered where some run has them. */
export class ContactSwitch {
  readonly button = h("button", { type: "button", class: "quiet-button contact-switch", "aria-pressed": "false",
    title: "Show where bodies touch something, and with which force (C)" }, "Contacts");
  readonly key: HTMLElement;
  readonly available: boolean;

  constructor(report: Report, private readonly viewer: Viewer) {
    this.available = report.runs.some((run) => run.surface?.contacts.chunks);
    this.button.hidden = !this.available;
    const { sticks, slips, top } = report.contacts;
    const dot = (colour: string) => h("i", { class: "swatch round", style: `background:${colour}` });
    this.key = h("div", { class: "contact-key" }, h("span", {}, dot(sticks), "sticks"), h("span", {}, dot(slips), "slips"),
      h("span", { title: "The force of the longest arrow; larger ones are as long" }, `longest arrow ≥ ${shortNumber(Number(top.toPrecision(3)))} N`));
    this.button.addEventListener("click", () => this.toggle());
  }

  toggle(): void {
    if (!this.available) return;
    this.viewer.setContacts(!this.viewer.contacts);
    this.button.setAttribute("aria-pressed", String(this.viewer.contacts));
  }
}

export interface KeyTargets {
  player: Player;
  viewer: Viewer;
  shading: ShadingBar;
  contacts: ContactSwitch;
  toggleTheme: () => void;
  toggleHelp: () => void;
}

/** Rows of the help: what [keys, they do]. */
export const KEYS: [string, string][] = [
  ["Space", "play or pause"],
  ["← →", "one frame back or on; with Shift ten"],
  ["Home End", "first or last frame"],
  ["1 2 3 …", "colour by bodies, stretch, speed …"],
  ["C", "show contacts, if the frames have them"],
  ["V", "show everything: reset the view"],
  ["L", "loop or stop at the end"],
  ["T", "light or dark"],
  ["?", "this help"],
  ["Tab", "to the 3D view; there ← → ↑ ↓ orbit, + − zoom"],
  ["Mouse", "drag to orbit, right drag to pan, wheel to zoom, double click to reset; click a curve to go to its frame"],
];

export function listenForKeys({ player, viewer, shading, contacts, toggleTheme, toggleHelp }: KeyTargets): void {
  const seekBy = (steps: number) => player.seek(player.step + steps);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    const isSlider = target instanceof HTMLInputElement && target.type === "range";
    if (target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type === "text")) return;
    if (event.key === " " && target.closest("button, summary, label, [type=checkbox]")) return;  // it presses that
    if (document.querySelector("dialog[open]")) return;
    const scrolls = target.classList.contains("scroll");
    const far = event.shiftKey ? 10 : 1;
    const actions: Record<string, () => void> = {
      " ": () => player.toggle(),
      v: () => viewer.fit(),
      c: () => contacts.toggle(),
      l: () => player.toggleLoop(),
      t: toggleTheme,
      "?": toggleHelp,
    };
    if (!scrolls && !(isSlider && !event.shiftKey))
      Object.assign(actions, { ArrowLeft: () => seekBy(-far), ArrowRight: () => seekBy(far) });
    if (!scrolls && !isSlider)
      Object.assign(actions, {
        Home: () => player.seek(0), End: () => player.seek(player.timeline.steps - 1),
      });
    for (let place = 0; place < shading.count; ++place)
      actions[String(place + 1)] = () => shading.choosePlace(place);
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    action();
    event.preventDefault();
  });
}
