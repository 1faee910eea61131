// Curves over frames, with a line at the frame that is shown.

import uPlot from "uplot";
import { cssVariable, seriesColour } from "./colours";
import { h, shortNumber } from "./format";
import type { Player } from "./player";
import type { JsonObject } from "./report";
import { runColour } from "./run_names";

export interface Quantity {
  key: string;
  label: string;
  unit: string;
  pick: (line: JsonObject) => unknown;
  hidden?: boolean;  // until asked for
}

export interface PlotSpec {
  title: string;
  about: string;
  quantities: Quantity[];
  log?: boolean;
}

const HEIGHT = 168;

// Ticks of our own: uPlot's never end where values exceed 1e17, and runs do explode.
function ticks(low: number, high: number): number[] {
  const wanted = (high - low) / 4;
  if (!(wanted > 0) || !Number.isFinite(wanted)) return [low];
  const decade = 10 ** Math.floor(Math.log10(wanted));
  const step = decade * ([1, 2, 5].find((factor) => factor * decade >= wanted) ?? 10);
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  return Array.from({ length: Math.min(count, 20) }, (_, i) => (first + i) * step);
}

// For uPlot to find room for ticks at all.
const POWERS = Array.from({ length: 601 }, (_, i) => 10 ** (i - 300));

function decades(low: number, high: number): number[] {
  const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
  const step = Math.max(1, Math.ceil((last - first) / 4));
  const all: number[] = [];
  for (let power = first; power <= last; power += step) all.push(10 ** power);
  if (all.length > 1) return all;
  // Within a decade or two there is room for more.
  for (let power = first - 1; power <= last; ++power)
    for (const factor of [2, 5]) all.push(factor * 10 ** power);
  return all.filter((tick) => tick >= low && tick <= high).sort((a, b) => a - b);
}

export class PlotCard {
  readonly element: HTMLElement;
  private readonly legend = h("div", { class: "legend" });
  private readonly holder = h("div", { class: "plot" });
  private readonly buttons: { button: HTMLButtonElement; value: HTMLElement }[] = [];
  private readonly playhead = h("div", { class: "playhead" });
  private readonly picker: HTMLSelectElement | null = null;
  private plot: uPlot | null = null;
  private hovered: number | null = null;
  private chosen: Quantity;
  private hidden: boolean[] = [];

  constructor(private readonly player: Player, private readonly spec: PlotSpec) {
    this.chosen = spec.quantities.find((quantity) => !quantity.hidden) ?? spec.quantities[0]!;
    const several = player.timeline.runs.length > 1;
    const unit = this.chosen.unit;
    const title = h("h3", {}, spec.title, unit ? h("span", { class: "unit" }, ` [${unit}]`) : null);
    if (several && spec.quantities.length > 1) {
      // One curve per run: which quantity is asked for.
      this.picker = h("select", { "aria-label": `Quantity of the plot ${spec.title}` });
      for (const quantity of spec.quantities)
        this.picker.append(h("option", { value: quantity.key, selected: quantity === this.chosen },
          quantity.label));
      this.picker.addEventListener("change", () => {
        this.chosen = spec.quantities.find((quantity) => quantity.key === this.picker!.value)!;
        this.rebuild();
      });
    }
    const head = h("header", {}, title, this.picker, h("p", { class: "about" }, spec.about));
    this.holder.setAttribute("role", "img");
    this.holder.setAttribute("aria-label",
      `${spec.title} over frames. The values of the frame that is shown are in the legend.`);
    this.element = h("section", { class: "card plot-card" }, head, this.holder, this.legend);
    this.rebuild();
    new ResizeObserver(() => this.resize()).observe(this.holder);
    player.onChange(() => this.follow());
  }

  /** Also when colours have changed. */
  rebuild(): void {
    this.plot?.destroy();
    const { timeline } = this.player;
    const curves = this.curves();
    if (this.hidden.length !== curves.length) this.hidden = curves.map(({ hidden }) => hidden);
    const x = Array.from({ length: timeline.steps }, (_, step) => timeline.frameOf(step));
    const scale = this.spec.log ? { distr: 3 as const } : {};
    const axis = {
      stroke: cssVariable("--muted"),
      grid: { stroke: cssVariable("--line"), width: 1 },
      ticks: { stroke: cssVariable("--line"), width: 1, size: 4 },
      font: "11px system-ui, sans-serif",
    };
    this.plot = new uPlot({
      width: Math.max(this.holder.clientWidth, 200),
      height: HEIGHT,
      legend: { show: false },
      padding: [8, 10, 0, 0],
      cursor: { drag: { x: false, y: false }, y: false, points: { size: 6 } },
      scales: {
        x: { time: false, range: (_, low, high) => low === high ? [low - 1, high + 1] : [low, high] },
        y: scale,
      },
      axes: [
        { ...axis, size: 26, gap: 3, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] },
        {
          ...axis, size: 60, gap: 3,
          incrs: POWERS,
          splits: (_plot, _axis, low, high) => (this.spec.log ? decades(low, high) : ticks(low, high)),
          filter: (_, places) => places,  // uPlot would drop some of a logarithmic axis
          values: (_, places) => places.map((place) => shortNumber(Number(place.toPrecision(6)))),
        },
      ],
      series: [
        {},
        ...curves.map((curve, place) => ({
          label: curve.label, stroke: curve.colour, width: 1.75, show: !this.hidden[place],
          points: { show: timeline.steps < 3 },
        })),
      ],
      hooks: {
        setCursor: [(plot) => {
          this.hovered = plot.cursor.left! >= 0 ? plot.cursor.idx ?? null : null;
          this.showValues();
        }],
        ready: [(plot) => plot.over.append(this.playhead)],
        draw: [() => this.movePlayhead()],
      },
    }, [x, ...curves.map((curve) => curve.values)] as uPlot.AlignedData, this.holder);
    this.listenForClicks(this.plot.over);
    this.makeLegend(curves);
    this.follow();
  }

  private curves() {
    const { timeline } = this.player;
    const positive = (values: (number | null)[]) =>
      this.spec.log ? values.map((value) => (value !== null && value > 0 ? value : null)) : values;
    if (timeline.runs.length > 1)
      return timeline.runs.map((run, place) => ({
        label: run.name, unit: this.chosen.unit, colour: runColour(place, timeline.runs.length), hidden: false,
        values: positive(timeline.series(place, this.chosen.pick)),
      }));
    return this.spec.quantities.map((quantity, place) => ({
      label: quantity.label, unit: quantity.unit, colour: seriesColour(place),
      hidden: quantity.hidden ?? false, values: positive(timeline.series(0, quantity.pick)),
    }));
  }

  private makeLegend(curves: { label: string; colour: string; unit: string }[]): void {
    this.legend.replaceChildren();
    this.buttons.length = 0;
    curves.forEach(({ label, colour, unit }, place) => {
      const value = h("output", {});
      const button = h("button", {
        type: "button", "aria-pressed": String(!this.hidden[place]),
        title: `Show or hide ${label}${unit ? ` [${unit}]` : ""}`,
      }, h("i", { style: `background:${colour}` }), h("span", {}, label), value);
      button.addEventListener("click", () => {
        this.hidden[place] = !this.hidden[place];
        button.setAttribute("aria-pressed", String(!this.hidden[place]));
        this.plot!.setSeries(place + 1, { show: !this.hidden[place] });
      });
      this.buttons.push({ button, value });
      this.legend.append(button);
    });
  }

  private listenForClicks(over: HTMLElement): void {
    const seek = (event: PointerEvent) => {
      const left = event.clientX - over.getBoundingClientRect().left;
      this.player.seek(this.plot!.posToIdx(left));
    };
    over.addEventListener("pointerdown", (event) => {
      over.setPointerCapture(event.pointerId);
      seek(event);
    });
    over.addEventListener("pointermove", (event) => {
      if (over.hasPointerCapture(event.pointerId)) seek(event);
    });
  }

  private resize(): void {
    const width = this.holder.clientWidth;
    if (this.plot && width > 0 && width !== this.plot.width)
      this.plot.setSize({ width, height: HEIGHT });
  }

  private follow(): void {
    this.movePlayhead();
    this.showValues();
  }

  private movePlayhead(): void {
    if (!this.plot) return;
    const left = this.plot.valToPos(this.player.timeline.frameOf(this.player.step), "x");
    this.playhead.style.transform = `translateX(${left}px)`;
  }

  private showValues(): void {
    const step = this.hovered ?? this.player.step;
    this.buttons.forEach(({ value }, place) => {
      const shown = (this.plot!.data[place + 1] as (number | null)[])[step];
      const text = shortNumber(shown);
      if (value.textContent !== text) value.textContent = text;
    });
  }
}
