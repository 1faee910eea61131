// How runs are called and coloured, everywhere on the page.

import { cssVariable, seriesColour } from "./colours";
import { h } from "./format";
import type { Report } from "./report";

const PLAIN_COLOURS = 8;

// More runs than colours that can be told apart get a ramp: neighbours in a wedge look alike.
function hue(place: number, count: number): number {
  return Math.round(265 - (250 * place) / Math.max(count - 1, 1));
}

export function runColour(place: number, count: number): string {
  if (count <= PLAIN_COLOURS) return seriesColour(place);
  return `hsl(${hue(place, count)} 62% ${cssVariable("--ramp-light")})`;
}

export function swatch(place: number, count: number): HTMLElement {
  if (count <= PLAIN_COLOURS) return h("i", { class: `swatch run-${place}` });
  return h("i", { class: "swatch run-ramp", style: `--hue:${hue(place, count)}` });
}

/** Swatch and name; the whole path is its tooltip. */
export function namedRun(report: Report, place: number, attributes: Record<string, string> = {}): HTMLElement {
  const { name, path } = report.runs[place]!;
  // Numbers such as 1e-2 are not broken at their sign; long words have to be.
  const words = name.split(" ").flatMap((word) => [" ", h("span", { class: word.length < 12 ? "whole" : null }, word)]);
  return h("span", { class: "run-name", title: `${name}\n${path}`, ...attributes },
    swatch(place, report.runs.length), ...words.slice(1));
}
