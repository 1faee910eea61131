// Text beside the curves: what is missing, warnings, parameters, numbers.

import { frameRanges, h, shortNumber } from "./format";
import type { Player } from "./player";
import type { Json, JsonObject, Report, Run } from "./report";
import { namedRun } from "./run_names";

const MOST_LISTS = 3;  // runs whose warnings are listed one by one

/** The first row of a table: one column per run. */
function headRow(report: Report, title: string): HTMLElement {
  const row = h("tr", {}, h("th", { scope: "col" }, title));
  report.runs.forEach((_, place) =>
    row.append(h("th", { scope: "col" }, report.runs.length > 1 ? namedRun(report, place) : "value")));
  return h("thead", {}, row);
}

function runTitle(report: Report, place: number): HTMLElement | null {
  if (report.runs.length < 2) return null;
  return h("h4", {}, namedRun(report, place));
}

/** Files and numbers that are not there; nothing if all is. */
export function problemsCard(report: Report): HTMLElement | null {
  if (report.problems.length === 0 && report.runs.every((run) => run.problems.length === 0)) return null;
  const card = h("section", { class: "card problems", "aria-labelledby": "problems-title" },
    h("h3", { id: "problems-title" }, "Not complete"));
  if (report.problems.length) card.append(h("ul", {}, ...report.problems.map((sentence) => h("li", {}, sentence))));
  report.runs.forEach((run, place) => {
    if (run.problems.length === 0) return;
    const list = h("ul");
    for (const sentence of run.problems) list.append(h("li", {}, sentence));
    card.append(...[runTitle(report, place), list].filter((each) => each !== null));
  });
  return card;
}

export function warningsCard(report: Report, player: Player): HTMLElement {
  const card = h("section", { class: "card warnings", "aria-labelledby": "warnings-title" },
    h("h3", { id: "warnings-title" }, "Warnings"));
  const total = report.runs.reduce((sum, run) => sum + run.warnings.length, 0);
  const known = report.runs.some((run) => run.stats.length > 0);
  if (total === 0)
    card.append(h("p", { class: "quiet" },
      known ? "None: every frame went well." : "Unknown: there are no statistics."));
  if (report.runs.length > MOST_LISTS) {
    card.append(warningsOfMany(report, player));
    return card;
  }
  report.runs.forEach((run, place) => {
    if (run.warnings.length === 0) return;
    const list = h("ul");
    for (const { sentence, frames } of run.warnings)
      list.append(h("li", {}, h("span", {}, sentence), frameChips(frames, place, player)));
    card.append(...[runTitle(report, place), list].filter((each) => each !== null));
  });
  return card;
}

function frameChips(frames: number[], place: number, player: Player): HTMLElement {
  const chips = h("div", { class: "chips" });
  for (const [first, last] of frameRanges(frames)) {
    const text = first === last ? `frame ${first}` : `frames ${first}–${last}`;
    const chip = h("button", { type: "button", title: `Go to frame ${first}` }, text);
    chip.addEventListener("click", () => player.seek(player.timeline.stepOf(first, place)));
    chips.append(chip);
  }
  return chips;
}

/** Each warning once, with the runs that gave it. */
function warningsOfMany(report: Report, player: Player): HTMLElement {
  const list = h("ul");
  const sentences = new Set(report.runs.flatMap((run) => run.warnings.map(({ sentence }) => sentence)));
  for (const sentence of sentences) {
    const of = (run: Run) => run.warnings.find((warning) => warning.sentence === sentence);
    const count = report.runs.filter(of).length;
    const details = h("details", {}, h("summary", {}, `${count} of ${report.runs.length} runs`));
    report.runs.forEach((run, place) => {
      const warning = of(run);
      if (warning) details.append(h("h4", {}, namedRun(report, place)), frameChips(warning.frames, place, player));
    });
    list.append(h("li", {}, h("span", {}, sentence), details));
  }
  return list;
}

function parameterText(value: Json | undefined): string {
  if (value === undefined) return "–";
  if (Array.isArray(value)) return `[${value.map(parameterText).join(", ")}]`;
  if (value && typeof value === "object") {
    const { from, to } = value as JsonObject;
    return from !== undefined ? `${parameterText(from)} … ${parameterText(to)}` : JSON.stringify(value);
  }
  return String(value);
}

/** One row per parameter, one column per run; rows that differ are marked and come first. */
function parameterTable(report: Report, title: string, columns: (JsonObject | undefined)[]) {
  const keys = [...new Set(columns.flatMap((column) => Object.keys(column ?? {})))];
  const rows = keys.map((key) => {
    const texts = columns.map((column) => parameterText(column?.[key]));
    return { key, texts, differs: new Set(texts).size > 1 };
  });
  rows.sort((a, b) => Number(b.differs) - Number(a.differs));
  const body = h("tbody");
  for (const { key, texts, differs } of rows) {
    const row = h("tr", { class: differs ? "differs" : null }, h("th", { scope: "row" }, key));
    for (const text of texts) row.append(h("td", {}, text));
    body.append(row);
  }
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title },
    h("table", {}, headRow(report, title), body));
}

function runFacts(record: JsonObject | null): JsonObject | undefined {
  if (!record) return undefined;
  const { scene, frames, first_frame, last_frame, fps, threads, dashpot, command_line } = record;
  const facts: JsonObject = {};
  for (const [key, value] of Object.entries({
    scene, command_line, frames, first_frame, last_frame, fps, threads, dashpot,
  }))
    if (value !== undefined) facts[key.replace("_", " ")] = value;
  return facts;
}

function bodyNamed(record: JsonObject | null, name: string): JsonObject | undefined {
  const bodies = (record?.bodies ?? []) as JsonObject[];
  const body = bodies.find((each) => each.name === name);
  if (!body) return undefined;
  const { geometry, points, tets, parameters } = body;
  return { geometry: geometry!, points: points!, tets: tets!, ...(parameters as JsonObject) };
}

/** What the record says of a collider, but for the details of its shape and motion, which can be long. */
function colliderNamed(record: JsonObject | null, name: string): JsonObject | undefined {
  const collider = ((record?.colliders ?? []) as JsonObject[]).find((each) => each.name === name);
  if (!collider) return undefined;
  const { name: _, grid: __, plane, shape, vdb, motion, ...coefficients } = collider;
  const facts: JsonObject = { ...coefficients };
  if (plane) facts.plane = `${parameterText((plane as JsonObject).point)}, normal ${parameterText((plane as JsonObject).normal)}`;
  if (shape) facts.shape = (shape as JsonObject).type ?? null;
  if (Array.isArray(vdb) && vdb.length) {
    facts.vdb = (vdb[0] as JsonObject).file ?? null;
    if (vdb.length > 1) facts.files = vdb.length;
  }
  facts.moves = motion ? "yes" : "no";
  return facts;
}

/** Shows only rows in which the runs differ, or all of them. */
function differencesSwitch(card: HTMLElement): HTMLElement {
  const box = h("input", { type: "checkbox", checked: true });
  const follow = () => card.classList.toggle("only-differences", box.checked);
  box.addEventListener("change", follow);
  follow();
  return h("label", { class: "quiet switch" }, box, "only what differs between the runs");
}

export function parametersCard(report: Report): HTMLElement {
  const card = h("section", { class: "card parameters", "aria-labelledby": "parameters-title" },
    h("h3", { id: "parameters-title" }, "Scene"));
  const records = report.runs.map((run) => run.record);
  if (records.every((record) => record === null)) {
    card.append(h("p", { class: "quiet" }, "Unknown: there is no run.json."));
    return card;
  }
  // Command lines always differ; that alone is no difference of scenes.
  let differing = 0;
  const add = (title: string, columns: (JsonObject | undefined)[], open: boolean, counts = true) => {
    const differs = counts && new Set(columns.map((column) => JSON.stringify(column))).size > 1;
    differing += Number(differs);
    const details = h("details", { open: open || differs, class: differs ? "has-differences" : null },
      h("summary", {}, title), parameterTable(report, title, columns));
    card.append(details);
  };
  add("Run", records.map(runFacts), false, false);
  add("Simulation", records.map((record) => record?.simulation as JsonObject | undefined), true);
  const names = new Set(records.flatMap((record) =>
    ((record?.bodies ?? []) as JsonObject[]).map((body) => body.name as string)));
  for (const name of names)
    add(`Body ${name}`, records.map((record) => bodyNamed(record, name)), names.size === 1);
  const colliders = new Set(records.flatMap((record) =>
    ((record?.colliders ?? []) as JsonObject[]).map((each) => String(each.name))));
  for (const name of colliders)
    add(`Collider ${name}`, records.map((record) => colliderNamed(record, name)), false);
  if (differing > 0) card.querySelector("h3")!.after(differencesSwitch(card));
  return card;
}

/** "ms.total": 3, "linear_momentum.x": 1 … of a line of the statistics. */
function flatten(value: Json, path: string, into: Map<string, Json>): void {
  if (Array.isArray(value)) {
    if (value.length === 3 && value.every((each) => typeof each === "number" || each === null))
      value.forEach((each, axis) => into.set(`${path}.${"xyz"[axis]}`, each));
    else if (value.every((each) => typeof each === "string")) into.set(path, value.join(" "));
    else value.forEach((each, place) => flatten(each, `${path}.${place}`, into));
  } else if (value && typeof value === "object") {
    for (const [key, each] of Object.entries(value)) flatten(each, path ? `${path}.${key}` : key, into);
  } else {
    into.set(path, value);
  }
}

/** Every number of the statistics at the frame that is shown. */
export class NumbersCard {
  readonly element: HTMLElement;
  private readonly cells = new Map<string, HTMLTableCellElement[]>();
  private readonly title = h("summary");
  private readonly details: HTMLDetailsElement;

  constructor(private readonly report: Report, private readonly player: Player) {
    const keys = new Set<string>();
    for (const run of report.runs)
      for (const line of run.stats) {
        const flat = new Map<string, Json>();
        flatten(line, "", flat);
        for (const key of flat.keys()) keys.add(key);
      }
    const body = h("tbody");
    for (const key of keys) {
      const cells = report.runs.map(() => h("td"));
      this.cells.set(key, cells);
      body.append(h("tr", {}, h("th", { scope: "row" }, key), ...cells));
    }
    const table = h("table", {}, headRow(report, "quantity"), body);
    this.details = h("details", {}, this.title,
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Numbers" }, table));
    this.element = h("section", { class: "card numbers" }, h("h3", {}, "Numbers"), this.details);
    this.details.addEventListener("toggle", () => this.follow());
    player.onChange(() => this.follow());
    this.follow();
  }

  private follow(): void {
    const { step, timeline } = this.player;
    this.title.textContent = `All statistics of frame ${timeline.frameOf(step)}`;
    if (!this.details.open) return;
    this.report.runs.forEach((_, place) => {
      const flat = new Map<string, Json>();
      const { stats, ended } = timeline.moment(step, place);
      if (stats && !ended) flatten(stats, "", flat);
      for (const [key, cells] of this.cells) {
        const value = flat.get(key);
        const cell = cells[place]!;
        cell.textContent = typeof value === "number" ? shortNumber(value) : String(value ?? "–");
        // What the file says, to the last digit.
        cell.dataset.value = value === undefined ? "" : JSON.stringify(value);
        cell.title = value === undefined ? "" : String(value);
      }
    });
  }
}
