// What the runs are, in a few facts.

import { h, shortNumber } from "./format";
import type { JsonObject, Report } from "./report";
import { namedRun } from "./run_names";
import type { Timeline } from "./timeline";

const MOST_BLOCKS = 3;  // runs; more of them get a table

function mean(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
}

function factsOf(report: Report, timeline: Timeline, place: number): Map<string, string> {
  const run = report.runs[place]!;
  const bodies = (run.record?.bodies ?? []) as JsonObject[];
  const tets = bodies.reduce((sum, body) => sum + (body.tets as number), 0);
  // The first frame is given, not simulated.
  const ms = mean(timeline.series(place, (line) => (line.ms as JsonObject)?.total).slice(1));
  return new Map([
    ["frames", `${run.first_frame}–${run.last_frame}`],
    ["bodies", bodies.length ? String(bodies.length) : "–"],
    ["tets", tets ? tets.toLocaleString("en") : "–"],
    ["triangles", run.surface ? run.surface.triangles.toLocaleString("en") : "–"],
    ["per frame", ms === null ? "–" : `${shortNumber(ms)} ms`],
    ["integrator", String((run.record?.simulation as JsonObject)?.integrator ?? "–")],
  ]);
}

function factList(facts: Iterable<[string, string]>): HTMLElement {
  const list = h("dl", { class: "facts" });
  for (const [name, value] of facts) list.append(h("div", {}, h("dt", {}, name), h("dd", {}, value)));
  return list;
}

// What all runs have in common is said once.
function factTable(report: Report, all: Map<string, string>[]): HTMLElement[] {
  const differs = (name: string) => new Set(all.map((facts) => facts.get(name))).size > 1;
  const names = [...all[0]!.keys()];
  const shared = names.filter((name) => !differs(name)), own = names.filter(differs);
  const body = h("tbody");
  all.forEach((facts, place) => {
    const row = h("tr", {}, h("th", { scope: "row" }, namedRun(report, place)));
    for (const name of own) row.append(h("td", {}, facts.get(name)!));
    body.append(row);
  });
  const head = h("tr", {}, h("th", { scope: "col" }, `${all.length} runs`), ...own.map((name) => h("th", { scope: "col" }, name)));
  return [
    factList(shared.map((name) => [name, all[0]!.get(name)!])),
    h("div", { class: "scroll run-table", tabindex: 0, role: "region", "aria-label": "Runs" },
      h("table", {}, h("thead", {}, head), body)),
  ];
}

export function summaryCard(report: Report, timeline: Timeline): HTMLElement {
  const card = h("section", { class: "card summary", "aria-label": "Summary" });
  const all = report.runs.map((_, place) => factsOf(report, timeline, place));
  if (all.length === 1) card.append(factList(all[0]!));
  else if (all.length > MOST_BLOCKS) card.append(...factTable(report, all));
  else
    all.forEach((facts, place) => card.append(
      h("div", { class: "run-facts" }, h("h4", {}, namedRun(report, place)), factList(facts))));
  return card;
}
