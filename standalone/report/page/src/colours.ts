// Viridis, as in standalone/render/palette.cpp: pictures and pages look alike.

import { Color } from "three";

const STOPS = [
  "#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725",
];

/** Linear light, three numbers for each of 256 values. */
export const MAP: Float32Array = (() => {
  const colours = STOPS.map((stop) => new Color(stop));
  const map = new Float32Array(3 * 256);
  for (let i = 0; i < 256; ++i) {
    const place = (i / 255) * (STOPS.length - 1);
    const below = Math.min(Math.floor(place), STOPS.length - 2);
    new Color().lerpColors(colours[below]!, colours[below + 1]!, place - below).toArray(map, 3 * i);
  }
  return map;
})();

/** The map as a CSS gradient: mixed in linear light, as the surfaces are. */
export function mapGradient(): string {
  const colours: string[] = [];
  for (let i = 0; i <= 255; i += 15)
    colours.push("#" + new Color(MAP[3 * i], MAP[3 * i + 1], MAP[3 * i + 2]).getHexString());
  return `linear-gradient(to right, ${colours.join(", ")})`;
}

export function cssVariable(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Colours of runs and of curves; defined in style.css for light and dark. */
export function seriesColour(index: number): string {
  return cssVariable(`--series-${(index % 8) + 1}`);
}
