// Light or dark: as the system says, until somebody chooses.

export class Theme {
  dark: boolean;
  private readonly listeners: (() => void)[] = [];

  constructor() {
    const system = matchMedia("(prefers-color-scheme: dark)");
    this.dark = system.matches;
    this.apply();
    system.addEventListener("change", () => this.set(system.matches));
  }

  toggle(): void {
    this.set(!this.dark);
  }

  /** Also calls the listener at once. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
    listener();
  }

  private set(dark: boolean): void {
    this.dark = dark;
    this.apply();
    for (const listener of this.listeners) listener();
  }

  private apply(): void {
    document.documentElement.dataset.theme = this.dark ? "dark" : "light";
  }
}
