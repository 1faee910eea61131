// One clock for all runs. A step is the shortest frame time of any run; runs start together.

import type { JsonObject, Run } from "./report";

export interface Moment {
  frame: number;              // of this run
  stats: JsonObject | null;   // null if there is no line
  ended: boolean;             // the run has no more frames
  shown: number;              // place in surface.frames, -1 if nothing can be shown
  missing: boolean;           // `shown` is another frame than `frame`
}

export class Timeline {
  readonly fps: number;
  readonly steps: number;
  private readonly stats: Map<number, JsonObject>[];

  constructor(readonly runs: Run[]) {
    this.fps = Math.max(...runs.map((run) => run.fps));
    this.steps = Math.max(
      ...runs.map((run) => Math.round((run.last_frame - run.first_frame) / run.fps * this.fps) + 1));
    this.stats = runs.map((run) => new Map(run.stats.map((line) => [line.frame as number, line])));
  }

  /** The first run's frame, by which people know a step. */
  frameOf(step: number, run = 0): number {
    const { first_frame, fps } = this.runs[run]!;
    return first_frame + Math.round((step / this.fps) * fps);
  }

  stepOf(frame: number, run = 0): number {
    const { first_frame, fps } = this.runs[run]!;
    return this.clamp(Math.round(((frame - first_frame) / fps) * this.fps));
  }

  clamp(step: number): number {
    return Math.min(Math.max(Math.round(step), 0), this.steps - 1);
  }

  moment(step: number, run: number): Moment {
    const { surface, last_frame } = this.runs[run]!;
    const frame = Math.min(this.frameOf(step, run), last_frame);
    let shown = -1;
    if (surface) {
      while (shown + 1 < surface.frames.length && surface.frames[shown + 1]! <= frame) ++shown;
      shown = Math.max(shown, 0);
    }
    return {
      frame,
      stats: this.stats[run]!.get(frame) ?? null,
      ended: this.frameOf(step, run) > last_frame,
      shown,
      missing: shown < 0 || surface!.frames[shown] !== frame,
    };
  }

  /** A number of the statistics at every step, null where there is none. */
  series(run: number, pick: (line: JsonObject) => unknown): (number | null)[] {
    const values: (number | null)[] = [];
    for (let step = 0; step < this.steps; ++step) {
      const frame = this.frameOf(step, run);
      const line = this.stats[run]!.get(frame);
      const value = line ? pick(line) : null;
      values.push(typeof value === "number" && Number.isFinite(value) ? value : null);
    }
    return values;
  }
}
