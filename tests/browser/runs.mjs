// Small runs, whole and damaged, and their reports.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const SCENE = `
[simulation]
frames = [1, 12]
fps = 24.0
iterations = 2
tolerance = 1e-9
[[body]]
name = "bar"
geometry = { type = "box", size = [0.2, 0.6, 0.2], cells = [2, 6, 2] }
translate = [0.3, 0.3, 0]
youngsmodulus = 5e4
dampingmodel = "rayleigh"
dampingtime = 0.02
pin = { box = [[-1, -0.01, -1], [1, 0.01, 1]], motion = { amplitude = [0.1, 0, 0], frequency = 2 } }
[[body]]
name = "<ball> & \\"co\\""
geometry = { type = "sphere", radius = 0.2, cells = 4 }
translate = [-0.3, 0.6, 0]
`;

export class Runs {
  constructor(dashpot) {
    this.dashpot = resolve(dashpot);
    this.folder = mkdtempSync(join(tmpdir(), "dashpot_browser_"));
    writeFileSync(join(this.folder, "scene.toml"), SCENE);
  }

  path(name) {
    return join(this.folder, name);
  }

  /** With the attributes that shadings need, unless told otherwise. */
  simulate(name, extra = [], attribs = ["--attribs", "strain,dissipation"]) {
    this.run("simulate", "scene.toml", "--out", `${name}/f.$F4.bgeo.sc`, "--progress", "none",
      ...attribs, ...extra);
    return name;
  }

  /** Of another scene than the usual one. */
  simulateScene(name, scene, extra = []) {
    writeFileSync(join(this.folder, `${name}.toml`), scene);
    this.run("simulate", `${name}.toml`, "--out", `${name}/f.$F4.bgeo.sc`, "--progress", "none", ...extra);
    return name;
  }

  /** A copy of a run to damage. */
  copy(from, to) {
    cpSync(this.path(from), this.path(to), { recursive: true });
    return to;
  }

  remove(...names) {
    for (const name of names) rmSync(this.path(name));
  }

  edit(name, change) {
    writeFileSync(this.path(name), change(readFileSync(this.path(name), "utf8")));
  }

  stats(name) {
    const text = readFileSync(this.path(`${name}/stats.jsonl`), "utf8");
    return text.trim().split("\n").map((line) => JSON.parse(line));
  }

  report(...names) {
    const file = `${names.join("_")}.html`;
    this.run("report", ...names, "-o", file);
    return this.path(file);
  }

  run(...words) {
    execFileSync(this.dashpot, words, { cwd: this.folder, stdio: ["ignore", "ignore", "ignore"] });
  }

  clear() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
