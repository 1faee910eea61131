/** A number for people: four digits, powers of ten where they are shorter. */
export function shortNumber(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e6) return String(value);
  if (size >= 1e6 || size < 1e-3) return value.toExponential(2).replace(/\.?0+e/, "e").replace("e+", "e");
  return String(Number(value.toPrecision(4)));
}

/** "3, 5–9" as [first, last] pairs. */
export function frameRanges(frames: number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const frame of frames) {
    const last = ranges[ranges.length - 1];
    if (last && last[1] + 1 === frame) last[1] = frame;
    else ranges.push([frame, frame]);
  }
  return ranges;
}

type Child = Node | string | null | undefined;

/** An element with attributes and children; attributes that are false are left out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Record<string, string | number | boolean | null | undefined> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, value === true ? "" : String(value));
  for (const child of children) if (child) element.append(child);
  return element;
}
