// What is shown, and whether it plays. Everything else listens.

import type { Timeline } from "./timeline";

export class Player {
  step = 0;
  playing = false;
  speed = 1;
  loop = true;
  private readonly listeners: (() => void)[] = [];
  private startTime = 0;
  private startStep = 0;

  constructor(readonly timeline: Timeline) {}

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  seek(step: number): void {
    this.step = this.timeline.clamp(step);
    this.restartClock();
    this.notify();
  }

  toggle(): void {
    if (this.timeline.steps < 2) return;
    this.playing = !this.playing;
    if (this.playing && this.step === this.timeline.steps - 1) this.step = 0;
    this.restartClock();
    this.notify();
    if (this.playing) requestAnimationFrame((now) => this.tick(now));
  }

  toggleLoop(): void {
    this.loop = !this.loop;
    this.notify();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.restartClock();
  }

  private restartClock(): void {
    this.startTime = performance.now();
    this.startStep = this.step;
  }

  // By the clock, not by the picture: where drawing is slow, frames are skipped.
  private tick(now: number): void {
    if (!this.playing) return;
    const seconds = Math.max(0, now - this.startTime) / 1000;
    let step = this.startStep + Math.floor(seconds * this.timeline.fps * this.speed);
    if (step >= this.timeline.steps) {
      if (this.loop) {
        step %= this.timeline.steps;
      } else {
        step = this.timeline.steps - 1;
        this.playing = false;
      }
    }
    if (step !== this.step || !this.playing) {
      this.step = step;
      this.notify();
    }
    requestAnimationFrame((next) => this.tick(next));
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}
