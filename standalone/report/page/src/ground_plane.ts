// A plane that goes on for ever: lines, and shadows on it.

import {
  Color, DoubleSide, FrontSide, GridHelper, Group, Mesh, MeshStandardMaterial, PlaneGeometry, Quaternion,
  ShadowMaterial, Vector3, type Material, type Plane,
} from "three";
import { cssVariable } from "./colours";

export class GroundPlane {
  readonly group = new Group();
  private readonly grid: GridHelper;
  private readonly spacing: number;
  private readonly turn: Quaternion;
  private readonly materials: Material[];

  /** `size` is that of the scene; `point` and `normal` are in the space that moves with the plane. What is not level
   * gets a face, so that it can be told from the background; steep planes end nearer to the scene. */
  constructor(size: number, private readonly point: Vector3, normal: Vector3, up: Vector3) {
    const level = normal.dot(up) > 0.99, steep = normal.dot(up) < 0.5;
    this.spacing = gridSpacing(size);
    this.turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), normal);
    const cells = 2 * Math.ceil((steep ? 0.6 : 1) * size / this.spacing);
    this.grid = new GridHelper(cells * this.spacing, cells, 0xffffff, 0xffffff);
    const lines = this.grid.material;
    lines.vertexColors = false;
    lines.transparent = true;
    lines.opacity = 0.55;
    const side = level ? 6 * size : cells * this.spacing;
    const shadow = new Mesh(new PlaneGeometry(side, side), new ShadowMaterial({ opacity: 0.3 }));
    shadow.rotation.x = -Math.PI / 2;
    shadow.receiveShadow = true;
    this.grid.position.y = -1e-3 * size;  // bodies lie on the plane, not on its lines
    this.group.add(this.grid, shadow);
    this.materials = [lines, shadow.material];
    if (!level) {
      const face = new Mesh(new PlaneGeometry(side, side), new MeshStandardMaterial({
        color: 0x8b8d90, transparent: true, opacity: 0.3, depthWrite: false, side: FrontSide,
      }));
      face.rotation.x = -Math.PI / 2;
      face.position.y = -2e-3 * size;
      this.group.add(face);
      this.materials.push(face.material);
    } else {
      shadow.material.side = DoubleSide;
    }
    this.restyle();
  }

  /** Puts the plane where it is now, and its lines under `centre`: they move with the plane and never end. */
  place(position: Vector3, rotation: Quaternion, centre: Vector3): void {
    const own = centre.clone().sub(position).applyQuaternion(rotation.clone().invert())
      .sub(this.point).applyQuaternion(this.turn.clone().invert());
    const snap = (x: number) => this.spacing * Math.round(x / this.spacing);
    this.group.position.set(snap(own.x), 0, snap(own.z)).applyQuaternion(this.turn).add(this.point)
      .applyQuaternion(rotation).add(position);
    this.group.quaternion.copy(rotation).multiply(this.turn);
  }

  /** Shows only what is in front of these planes. */
  clip(planes: Plane[]): void {
    for (const material of this.materials) material.clippingPlanes = planes;
  }

  restyle(): void {
    (this.grid.material as unknown as { color: Color }).color.copy(new Color(cssVariable("--grid")));
  }
}

// 1, 2 or 5 times a power of ten, so that a few cells lie under the scene.
function gridSpacing(size: number): number {
  const wanted = size / 6;
  const decade = 10 ** Math.floor(Math.log10(wanted));
  const mantissa = wanted / decade;
  return decade * (mantissa < 2 ? 1 : mantissa < 5 ? 2 : 5);
}
