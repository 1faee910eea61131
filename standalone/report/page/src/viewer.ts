// All runs side by side on one canvas, seen by one camera.

import {
  Box3, DirectionalLight, HemisphereLight, PCFShadowMap, PerspectiveCamera, Plane, Quaternion, Scene, Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { ColliderView } from "./collider_view";
import { storedValue, type Range } from "./colour_scale";
import { ContactView } from "./contact_view";
import { h } from "./format";
import { GroundPlane } from "./ground_plane";
import type { Player } from "./player";
import type { Report, Run, Shading } from "./report";
import { namedRun } from "./run_names";
import { SurfaceMesh } from "./surface_mesh";

const VIEW = new Vector3(0.5, 0.36, 0.8).normalize();  // from the scene to the eye, y up
const FIELD_OF_VIEW = 30;
const LEAST_CELL = { width: 130, height: 125 };  // pixels; more runs make the view higher

interface Cell {
  run: Run;
  scene: Scene;
  sky: HemisphereLight;
  sun: DirectionalLight;
  ground: GroundPlane | null;
  colliders: ColliderView;
  surface: SurfaceMesh | null;
  contacts: ContactView | null;
  label: HTMLElement;
  name: HTMLElement;
  note: HTMLElement;
}

export class Viewer {
  readonly element = h("div", { class: "viewer" });
  readonly canvas: HTMLCanvasElement;
  shading = "";
  contacts = false;
  /** How many frames were drawn, for tests and the curious. */
  drawn = 0;
  private readonly renderer: WebGLRenderer;
  private readonly camera = new PerspectiveCamera(FIELD_OF_VIEW);
  private readonly controls: OrbitControls;
  private readonly cells: Cell[];
  private readonly bounds = new Box3();  // of all that is to be seen
  private readonly bodies = new Box3();
  private readonly colours = new Uint8Array(256);
  private readonly up = new Vector3(0, 1, 0);
  private readonly sceneAspect: number;  // width / height of all there is, as first seen
  private floor: number | null = null;  // height along `up`
  private readonly floorGiven: boolean;
  private waiting = false;
  private shownStep = -1;
  private shownShading = "";
  private stale = true;
  private turned = false;  // by hand

  constructor(private readonly player: Player, private readonly report: Report) {
    const { runs, ground } = report;
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.setScissorTest(true);
    this.renderer.localClippingEnabled = true;
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute(
      "aria-label", "3D view. Arrow keys orbit, plus and minus zoom, V shows everything.");
    this.element.append(this.canvas);

    this.measure(runs);
    this.sceneAspect = this.measureAspect();
    this.floorGiven = typeof ground === "number";
    const falls = runs.some((run) => run.gravity.some((each) => each !== 0));
    if (typeof ground === "number") this.floor = ground;
    else if (ground === "auto" && falls)
      this.floor = this.lowestPoint() - 1e-3 * this.bounds.getSize(new Vector3()).length();
    this.cells = runs.map((run, place) => this.makeCell(run, place));
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => this.invalidate());
    this.controls.addEventListener("start", () => { this.turned = true; });
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
    await Promise.all([...loads, ...this.cells.flatMap(({ colliders, contacts }) => [colliders.load(), contacts?.load()])]);
    this.stale = true;
    this.draw();
  }

  setShading(token: string): void {
    this.shading = token;
    this.element.classList.toggle("shaded", token !== "");
    this.invalidate();
  }

  /** Bodies are then seen through, so that contacts are not hidden. */
  setContacts(on: boolean): void {
    this.contacts = on;
    this.element.classList.toggle("contacts", on);
    for (const { contacts, surface } of this.cells) {
      if (contacts) contacts.group.visible = on;
      surface?.setTransparent(on);
    }
    this.invalidate();
  }

  setRange(shading: Shading, { low, high }: Range): void {
    for (let byte = 0; byte < 256; ++byte) {
      const share = (storedValue(byte, shading) - low) / (high - low);
      this.colours[byte] = Math.round(255 * Math.min(Math.max(share, 0), 1));
    }
    this.stale = true;
    this.invalidate();
  }

  /** Nearly the largest value that any run shows now: a few points do not count. */
  topOfFrame(shading: Shading): number {
    const all = this.cells.flatMap((cell, place) => {
      const { shown } = this.player.timeline.moment(this.player.step, place);
      return shown < 0 ? [] : Array.from(cell.surface?.stored(shown, shading.token) ?? []);
    }).sort((a, b) => a - b);
    return storedValue(all[Math.round(0.995 * (all.length - 1))] ?? 0, shading);
  }

  /** Colours of the page have changed. */
  restyle(): void {
    for (const { ground, colliders } of this.cells) {
      ground?.restyle();
      colliders.restyle();
    }
    this.invalidate();
  }

  /** Unit vectors of the first view: to the eye, to the right, upwards in the picture. */
  private viewFrame() {
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), this.up);
    const back = VIEW.clone().applyQuaternion(turn);
    const right = new Vector3().crossVectors(this.up, back).normalize();
    return { back, right, above: new Vector3().crossVectors(back, right) };
  }

  private measureAspect(): number {
    const { right, above } = this.viewFrame();
    const extent = (axis: Vector3) => {
      const places = cornersOf(this.bounds).map((corner) => corner.dot(axis));
      return Math.max(...places) - Math.min(...places);
    };
    return Math.min(Math.max(extent(right) / extent(above), 0.2), 5) || 1;
  }

  /** Moves the camera to where it sees all frames of all runs. */
  fit(): void {
    const { back, right, above } = this.viewFrame();
    const slope = Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * 0.86;
    const { columns, rows } = this.layout();
    const aspect =
      (this.element.clientWidth / columns) / (this.element.clientHeight / rows) || 1;
    const corners = cornersOf(this.bounds);
    const wide = sides(corners, right, back, slope * aspect, slope * aspect);
    const tall = sides(corners, above, back, slope * (1 - 2 * this.labelShare(rows)), slope);
    const depth = Math.max(wide.depth, tall.depth);
    const eye = new Vector3().addScaledVector(right, wide.across(depth)).addScaledVector(above, tall.across(depth))
      .addScaledVector(back, depth);
    const distance = depth - this.bounds.getCenter(new Vector3()).dot(back);
    this.camera.position.copy(eye);
    this.controls.target.copy(eye).addScaledVector(back, -distance);
    this.camera.near = distance / 100;
    this.camera.far = distance * 20;
    this.controls.update();
    this.turned = false;
    this.invalidate();
  }

  orbit(across: number, upward: number): void {
    this.turned = true;
    const offset = this.camera.position.clone().sub(this.controls.target);
    offset.applyAxisAngle(this.up, across);
    const right = new Vector3().crossVectors(this.up, offset).normalize();
    const raised = offset.clone().applyAxisAngle(right, -upward);
    if (raised.clone().normalize().cross(this.up).length() > 0.05) offset.copy(raised);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }

  zoom(factor: number): void {
    this.turned = true;
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
    for (const { surface, seen, gravity } of runs) {
      if (surface) {
        this.bodies.expandByPoint(new Vector3(...surface.origin));
        this.bodies.expandByPoint(new Vector3(...surface.high));
      }
      for (const corner of seen ?? []) this.bounds.expandByPoint(new Vector3(...corner));
      const down = new Vector3(...gravity);
      if (down.length() > 0) this.up.copy(down).negate().normalize();
    }
    if (this.bounds.isEmpty())
      this.bounds.set(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));
    if (this.bounds.getSize(new Vector3()).length() === 0) this.bounds.expandByScalar(0.5);
  }

  private makeCell(run: Run, place: number): Cell {
    const scene = new Scene();
    const size = this.bounds.getSize(new Vector3()).length();
    const centre = this.bounds.getCenter(new Vector3());
    const sky = new HemisphereLight(0xffffff, 0xb9b2a8);
    scene.add(sky);
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), this.up);
    const sun = new DirectionalLight(0xfff4e2);
    sun.position.copy(new Vector3(-0.45, 1, 0.55).applyQuaternion(turn)).multiplyScalar(size)
      .add(centre);
    sun.target.position.copy(centre);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.radius = 4;
    sun.shadow.bias = -0.001;
    sun.shadow.normalBias = size / 400;
    const reach = 0.75 * size;
    Object.assign(sun.shadow.camera, {
      left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * size, far: 2.5 * size,
    });
    scene.add(sun, sun.target);

    let ground: GroundPlane | null = null;
    // A run that has planes needs no floor but them.
    if (this.floor !== null && (this.floorGiven || !run.colliders.some((each) => each.plane))) {
      ground = new GroundPlane(size, this.up.clone().multiplyScalar(this.floor), this.up, this.up);
      ground.place(new Vector3(), new Quaternion(), centre);
      scene.add(ground.group);
    }
    const colliders = new ColliderView(run, centre, size, this.up);
    scene.add(colliders.group);
    const surface = run.surface ? new SurfaceMesh(run.surface) : null;
    if (surface) {
      scene.add(surface.mesh);
      // What is below a floor that was asked for is hidden by it.
      if (this.floorGiven)
        surface.mesh.material.clippingPlanes = [new Plane(this.up.clone(), -(this.floor! - 2e-3 * size))];
    }
    const contacts = run.surface?.contacts.chunks ? new ContactView(run.surface, this.report.contacts) : null;
    if (contacts) scene.add(contacts.group);
    const note = h("span", { class: "cell-note" });
    const name = namedRun(this.report, place, { class: "run-name cell-name" });
    const label = h("div", { class: "cell-label" }, name, note);
    label.classList.toggle("plain", this.report.runs.length === 1);
    this.element.append(label);
    return { run, scene, sky, sun, ground, colliders, surface, contacts, label, name, note };
  }

  private lowestPoint(): number {
    const box = this.bodies.isEmpty() ? this.bounds : this.bodies;
    return Math.min(...cornersOf(box).map((corner) => corner.dot(this.up)));
  }

  /** How much of a cell's height its name takes, which bodies should not be behind. Notes come and go. */
  private labelShare(rows: number): number {
    const cellHeight = this.element.clientHeight / rows || 1;
    return Math.min(Math.max(...this.cells.map(({ name }) => name.offsetTop + name.offsetHeight)) / cellHeight, 0.4);
  }

  private mostColumns(): number {
    return Math.max(Math.floor(this.element.clientWidth / LEAST_CELL.width), 1);
  }

  // The grid of cells in which the scene gets largest. That of a wedge goes on in its own rows.
  private layout(): { columns: number; rows: number } {
    const count = this.cells.length;
    const wanted = this.report.columns || count;
    const width = this.element.clientWidth || 1, height = this.element.clientHeight || 1;
    let best = { columns: 1, rows: count }, largest = 0;
    for (let columns = Math.min(wanted, this.mostColumns()); columns >= 1; --columns) {
      if (this.report.columns && wanted % columns !== 0) continue;
      const rows = Math.ceil(count / columns);
      const size = Math.min(width / columns / this.sceneAspect, height / rows);
      if (size > largest) [largest, best] = [size, { columns, rows }];
    }
    return best;
  }

  private resize(): void {
    const leastRows = Math.ceil(this.cells.length / this.mostColumns());
    this.element.style.setProperty("--least-height", `${leastRows * LEAST_CELL.height}px`);
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    this.renderer.setSize(width, height);
    const { columns, rows } = this.layout();
    this.cells.forEach(({ label }, place) => {
      label.style.left = `${((place % columns) / columns) * 100}%`;
      label.style.top = `${(Math.floor(place / columns) / rows) * 100}%`;
      label.style.width = `${100 / columns}%`;
      label.classList.toggle("narrow", width / columns < 170);
    });
    if (!this.turned) this.fit();
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
    if (this.contacts) this.updateContacts();
    this.cells.forEach(({ scene }, place) => {
      const left = (place % columns) * cellWidth;
      const bottom = height - (Math.floor(place / columns) + 1) * cellHeight;
      this.renderer.setViewport(left, bottom, cellWidth, cellHeight);
      this.renderer.setScissor(left, bottom, cellWidth, cellHeight);
      this.renderer.render(scene, this.camera);
    });
    ++this.drawn;
  }

  // Arrows keep their size on the screen, however near the camera is.
  private updateContacts(): void {
    const distance = this.camera.position.distanceTo(this.controls.target);
    const height = 2 * distance * Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
    this.cells.forEach(({ contacts }, place) =>
      contacts?.show(this.player.timeline.moment(this.player.step, place).shown, height));
  }

  private updateFrames(): void {
    const { step } = this.player;
    if (!this.stale && step === this.shownStep && this.shading === this.shownShading) return;
    this.stale = false;
    this.shownStep = step;
    this.shownShading = this.shading;
    this.cells.forEach((cell, place) => {
      const moment = this.player.timeline.moment(step, place);
      const shown = cell.run.surface?.frames[moment.shown];
      if (moment.shown >= 0) cell.surface?.show(moment.shown, this.shading, this.colours);
      cell.colliders.show(shown ?? moment.frame);
      // Colours that mean something must be readable on the shaded side, too.
      cell.sky.intensity = this.shading ? 2.7 : 1.75;
      cell.sun.intensity = this.shading ? 0.9 : 1.9;
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

function cornersOf({ min, max }: Box3): Vector3[] {
  return [min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) =>
    [min.z, max.z].map((z) => new Vector3(x, y, z))));
}

// How far back the eye must be, and for a distance where across, to see all corners between two sides of the frame
// with these slopes: the twin of AxisFit in standalone/render/camera_fit.cpp.
function sides(corners: Vector3[], axis: Vector3, back: Vector3, highSlope: number, lowSlope: number) {
  const high = Math.max(...corners.map((p) => p.dot(axis) + highSlope * p.dot(back)));
  const low = Math.max(...corners.map((p) => -p.dot(axis) + lowSlope * p.dot(back)));
  return {
    depth: (high + low) / (highSlope + lowSlope),
    across: (depth: number) => (high - low - (highSlope - lowSlope) * depth) / 2,
  };
}
