// All runs side by side on one canvas, seen by one camera.

import {
  Box3, Color, DirectionalLight, GridHelper, HemisphereLight, Mesh, PCFShadowMap, PerspectiveCamera,
  PlaneGeometry, Quaternion, Scene, ShadowMaterial, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { cssVariable } from "./colours";
import { h } from "./format";
import type { Player } from "./player";
import type { Run } from "./report";
import { SurfaceMesh } from "./surface_mesh";

const VIEW = new Vector3(0.5, 0.36, 0.8).normalize();  // from the scene to the eye, y up
const FIELD_OF_VIEW = 30;

interface Cell {
  run: Run;
  scene: Scene;
  grid: GridHelper | null;
  surface: SurfaceMesh | null;
  label: HTMLElement;
  note: HTMLElement;
}

export class Viewer {
  readonly element = h("div", { class: "viewer" });
  readonly canvas: HTMLCanvasElement;
  shading = "";
  /** How many frames were drawn, for tests and the curious. */
  drawn = 0;
  private readonly renderer: WebGLRenderer;
  private readonly camera = new PerspectiveCamera(FIELD_OF_VIEW);
  private readonly controls: OrbitControls;
  private readonly cells: Cell[];
  private readonly bounds = new Box3();
  private readonly up = new Vector3(0, 1, 0);
  private waiting = false;
  private shownStep = -1;
  private shownShading = "";
  private stale = true;

  constructor(private readonly player: Player) {
    const { runs } = player.timeline;
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.setScissorTest(true);
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute(
      "aria-label", "3D view. Arrow keys orbit, plus and minus zoom, V shows everything.");
    this.element.append(this.canvas);

    this.measure(runs);
    this.cells = runs.map((run) => this.makeCell(run));
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => this.invalidate());
    this.canvas.addEventListener("keydown", (event) => this.onKey(event));
    this.canvas.addEventListener("dblclick", () => this.fit());
    new ResizeObserver(() => this.resize()).observe(this.element);
    player.onChange(() => this.invalidate());
  }

  async load(progress: (share: number) => void): Promise<void> {
    const shares = this.cells.map(() => 0);
    const loads = this.cells.map((cell, place) =>
      cell.surface?.load((share) => {
        shares[place] = share;
        this.stale = true;
        this.invalidate();
        progress(shares.reduce((sum, each) => sum + each, 0) / shares.length);
      }));
    await Promise.all(loads);
  }

  setShading(token: string): void {
    this.shading = token;
    this.invalidate();
  }

  /** Colours of the page have changed. */
  restyle(): void {
    const colour = new Color(cssVariable("--grid"));
    for (const { grid } of this.cells)
      if (grid) (grid.material as unknown as { color: Color }).color.copy(colour);
    this.invalidate();
  }

  /** Moves the camera to where it sees all frames of all runs. */
  fit(): void {
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), this.up);
    const back = VIEW.clone().applyQuaternion(turn);
    const right = new Vector3().crossVectors(this.up, back).normalize();
    const above = new Vector3().crossVectors(back, right);
    const centre = this.bounds.getCenter(new Vector3());
    const slope = Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * 0.88;
    const { columns, rows } = this.layout();
    const width = this.element.clientWidth / columns, height = this.element.clientHeight / rows;
    let distance = 0;
    for (let i = 0; i < 8; ++i) {
      const corner = new Vector3(
        i & 1 ? this.bounds.max.x : this.bounds.min.x, i & 2 ? this.bounds.max.y : this.bounds.min.y,
        i & 4 ? this.bounds.max.z : this.bounds.min.z).sub(centre);
      const across = Math.max(
        Math.abs(corner.dot(above)), (Math.abs(corner.dot(right)) * height) / width);
      distance = Math.max(distance, across / slope + corner.dot(back));
    }
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(back, distance);
    this.camera.near = distance / 100;
    this.camera.far = distance * 20;
    this.controls.update();
    this.invalidate();
  }

  orbit(across: number, upward: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    offset.applyAxisAngle(this.up, across);
    const right = new Vector3().crossVectors(this.up, offset).normalize();
    const raised = offset.clone().applyAxisAngle(right, -upward);
    if (raised.clone().normalize().cross(this.up).length() > 0.05) offset.copy(raised);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }

  zoom(factor: number): void {
    this.camera.position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
    this.controls.update();
  }

  get eye(): number[] {
    return this.camera.position.toArray();
  }

  private onKey(event: KeyboardEvent): void {
    const turn = Math.PI / 24;
    const action = {
      ArrowLeft: () => this.orbit(-turn, 0),
      ArrowRight: () => this.orbit(turn, 0),
      ArrowUp: () => this.orbit(0, turn),
      ArrowDown: () => this.orbit(0, -turn),
      "+": () => this.zoom(0.9),
      "=": () => this.zoom(0.9),
      "-": () => this.zoom(1 / 0.9),
    }[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    action();
    event.preventDefault();
    event.stopPropagation();
  }

  private measure(runs: Run[]): void {
    for (const { surface, gravity } of runs) {
      if (surface) {
        this.bounds.expandByPoint(new Vector3(...surface.origin));
        this.bounds.expandByPoint(new Vector3(...surface.high));
      }
      const down = new Vector3(...gravity);
      if (down.length() > 0) this.up.copy(down).negate().normalize();
    }
    if (this.bounds.isEmpty())
      this.bounds.set(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));
    if (this.bounds.getSize(new Vector3()).length() === 0) this.bounds.expandByScalar(0.5);
  }

  private makeCell(run: Run): Cell {
    const scene = new Scene();
    const size = this.bounds.getSize(new Vector3()).length();
    const centre = this.bounds.getCenter(new Vector3());
    scene.add(new HemisphereLight(0xffffff, 0xb9b2a8, 1.75));
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), this.up);
    const sun = new DirectionalLight(0xfff4e2, 1.9);
    sun.position.copy(new Vector3(-0.45, 1, 0.55).applyQuaternion(turn)).multiplyScalar(size)
      .add(centre);
    sun.target.position.copy(centre);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.radius = 4;
    sun.shadow.bias = -0.0005;
    sun.shadow.normalBias = size / 1500;
    const reach = 0.75 * size;
    Object.assign(sun.shadow.camera, {
      left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * size, far: 2.5 * size,
    });
    scene.add(sun, sun.target);

    let grid: GridHelper | null = null;
    if (new Vector3(...run.gravity).length() > 0) {
      const floor = this.floorHeight(size);
      const place = centre.clone().addScaledVector(this.up, floor - centre.dot(this.up));
      const spacing = gridSpacing(size);
      const cells = 2 * Math.ceil(size / spacing);
      grid = new GridHelper(cells * spacing, cells, 0xffffff, 0xffffff);
      grid.material.vertexColors = false;
      grid.material.transparent = true;
      grid.material.opacity = 0.55;
      const ground = new Mesh(
        new PlaneGeometry(6 * size, 6 * size), new ShadowMaterial({ opacity: 0.3 }));
      ground.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), this.up);
      grid.quaternion.copy(turn);
      ground.receiveShadow = true;
      for (const each of [grid, ground]) each.position.copy(place);
      grid.position.addScaledVector(this.up, -1e-3 * size);
      scene.add(grid, ground);
    }
    const surface = run.surface ? new SurfaceMesh(run.surface) : null;
    if (surface) scene.add(surface.mesh);
    const note = h("span", { class: "cell-note" });
    const label = h("div", { class: "cell-label" }, h("span", { class: "cell-name" }, run.name), note);
    this.element.append(label);
    return { run, scene, grid, surface, label, note };
  }

  private floorHeight(size: number): number {
    let lowest = Infinity;
    for (const x of [this.bounds.min.x, this.bounds.max.x])
      for (const y of [this.bounds.min.y, this.bounds.max.y])
        for (const z of [this.bounds.min.z, this.bounds.max.z])
          lowest = Math.min(lowest, new Vector3(x, y, z).dot(this.up));
    return lowest - 1e-3 * size;
  }

  // The grid of cells in which a roughly square scene gets largest.
  private layout(): { columns: number; rows: number } {
    const count = this.cells.length;
    const width = this.element.clientWidth || 1, height = this.element.clientHeight || 1;
    let best = { columns: 1, rows: count }, largest = 0;
    for (let columns = 1; columns <= count; ++columns) {
      const rows = Math.ceil(count / columns);
      const side = Math.min(width / columns, (1.3 * height) / rows);
      if (side > largest) [largest, best] = [side, { columns, rows }];
    }
    return best;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    const first = this.canvas.width <= 1 || !this.canvas.dataset.sized;
    this.canvas.dataset.sized = "yes";
    this.renderer.setSize(width, height);
    const { columns, rows } = this.layout();
    this.cells.forEach(({ label }, place) => {
      label.style.left = `${((place % columns) / columns) * 100}%`;
      label.style.top = `${(Math.floor(place / columns) / rows) * 100}%`;
      label.style.width = `${100 / columns}%`;
    });
    if (first) this.fit();
    this.draw();  // at once: a resized canvas is blank
  }

  /** Draws soon, once. Nothing is drawn while nothing changes. */
  invalidate(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  private draw(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    const { columns, rows } = this.layout();
    const cellWidth = width / columns, cellHeight = height / rows;
    this.camera.aspect = cellWidth / cellHeight;
    this.camera.updateProjectionMatrix();
    this.updateFrames();
    this.cells.forEach(({ scene }, place) => {
      const left = (place % columns) * cellWidth;
      const bottom = height - (Math.floor(place / columns) + 1) * cellHeight;
      this.renderer.setViewport(left, bottom, cellWidth, cellHeight);
      this.renderer.setScissor(left, bottom, cellWidth, cellHeight);
      this.renderer.render(scene, this.camera);
    });
    ++this.drawn;
  }

  private updateFrames(): void {
    const { step } = this.player;
    if (!this.stale && step === this.shownStep && this.shading === this.shownShading) return;
    this.stale = false;
    this.shownStep = step;
    this.shownShading = this.shading;
    this.cells.forEach((cell, place) => {
      const moment = this.player.timeline.moment(step, place);
      if (moment.shown >= 0) cell.surface?.show(moment.shown, this.shading);
      const shown = cell.run.surface?.frames[moment.shown];
      let note = "";
      if (shown === undefined) note = "nothing to show: no frame files";
      else if (moment.ended) note = `ended at frame ${cell.run.last_frame}`;
      else if (moment.missing) note = `frame ${moment.frame} is missing; this is ${shown}`;
      else if (this.shading && cell.run.surface!.values[this.shading]?.trouble)
        note = "not in these frames";
      cell.note.textContent = note;
      cell.label.classList.toggle("plain", this.cells.length === 1 && !note);
    });
  }
}

// 1, 2 or 5 times a power of ten, so that a few cells lie under the scene.
function gridSpacing(size: number): number {
  const wanted = size / 6;
  const decade = 10 ** Math.floor(Math.log10(wanted));
  const mantissa = wanted / decade;
  return decade * (mantissa < 2 ? 1 : mantissa < 5 ? 2 : 5);
}
