// What the colours mean, and the fields that change it.

import { mapGradient } from "./colours";
import { h, shortNumber } from "./format";
import type { Shading } from "./report";

export interface Range {
  low: number;
  high: number;
}

/** The value that a byte of the page's data stands for; the twin of quantise() in compact_data.cpp. */
export function storedValue(byte: number, { limit }: Shading): number {
  return limit * (byte / 255) ** 3;
}

const rounded = (value: number) => shortNumber(Number(value.toPrecision(3)));

export class ColourScale {
  readonly element = h("div", { class: "scale", hidden: true });
  private readonly title = h("span", { class: "scale-title" });
  private readonly low = numberField("Value of the darkest colour");
  private readonly high = numberField("Value of the brightest colour");
  private shading: Shading | null = null;
  private readonly ranges = new Map<string, Range>();

  /** `topOfFrame` is nearly the largest value that is shown now. */
  constructor(private readonly apply: (shading: Shading, range: Range) => void,
    private readonly topOfFrame: (shading: Shading) => number) {
    const bar = h("span", { class: "scale-bar", style: `background:${mapGradient()}`, "aria-hidden": "true" });
    const frame = h("button", { type: "button", title: "Fit the colours to the frame that is shown" }, "this frame");
    const all = h("button", { type: "button", title: "Fit the colours to all frames; a few outliers do not count" }, "all frames");
    frame.addEventListener("click", () => this.set({ low: 0, high: this.topOfFrame(this.shading!) }));
    all.addEventListener("click", () => this.set({ low: 0, high: this.shading!.top }));
    for (const field of [this.low, this.high])
      field.addEventListener("change", () => this.set({ low: Number(this.low.value), high: Number(this.high.value) }));
    this.element.append(this.title, this.low, bar, this.high,
      h("span", { class: "chips" }, frame, all));
  }

  /** Null shows none. */
  show(shading: Shading | null): void {
    this.shading = shading;
    this.element.hidden = !shading || shading.top === 0;
    if (!shading) return;
    this.title.textContent = shading.label + (shading.unit ? ` [${shading.unit}]` : "");
    this.set(this.range(shading));
  }

  range(shading: Shading): Range {
    return this.ranges.get(shading.token) ?? { low: 0, high: shading.top };
  }

  // What is no range leaves the old one.
  private set(wanted: Range): void {
    const shading = this.shading!;
    const good = Number.isFinite(wanted.low) && Number.isFinite(wanted.high) && wanted.high > wanted.low;
    if (good) this.ranges.set(shading.token, wanted);
    const { low, high } = this.range(shading);
    this.low.value = rounded(low);
    this.high.value = rounded(high);
    this.apply(shading, { low, high });
  }
}

function numberField(label: string): HTMLInputElement {
  return h("input", {
    type: "text", inputmode: "decimal", size: 7, "aria-label": label, title: `${label}; type another one`,
    autocomplete: "off", spellcheck: "false",
  });
}
