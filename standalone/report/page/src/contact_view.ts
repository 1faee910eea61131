// Where bodies touch something in the frame that is shown: a dot at each point, and an arrow for the force on it.

import {
  Color, ConeGeometry, CylinderGeometry, Group, IcosahedronGeometry, InstancedMesh, Matrix4, MeshBasicMaterial,
  Quaternion, Vector3, type BufferGeometry,
} from "three";
import { unpackNumbers } from "./decode";
import type { ContactKey, Surface } from "./report";

// Parts of the view's height.
const LONGEST = 0.16, DOT = 0.006, SHAFT = 0.0022, HEAD = { length: 0.022, radius: 0.0075 };

interface Contact {
  place: Vector3;
  arrow: Vector3;  // in parts of the longest one
  slips: boolean;
}

/** Undoes pack_contacts() in standalone/report/contact_data.cpp. */
function readFrames(numbers: Uint32Array, count: number, surface: Surface, parts: number): Contact[][] {
  const frames: Contact[][] = [];
  let at = 0;
  for (let f = 0; f < count; ++f) {
    const size = numbers[at++]!;
    const row = (which: number, i: number) => numbers[at + which * size + i]! | 0;
    frames.push(Array.from({ length: size }, (_, i) => ({
      slips: row(0, i) === 1,
      place: new Vector3(row(1, i), row(2, i), row(3, i)).multiplyScalar(surface.step).add(new Vector3(...surface.origin)),
      arrow: new Vector3(row(4, i), row(5, i), row(6, i)).divideScalar(parts),
    })));
    at += 7 * size;
  }
  return frames;
}

export class ContactView {
  readonly group = new Group();
  readonly frames: Contact[][] = [];
  private readonly colours: { sticks: Color; slips: Color };
  private meshes: { dots: InstancedMesh; shafts: InstancedMesh; heads: InstancedMesh } | null = null;
  private shown = "";

  constructor(private readonly surface: Surface, private readonly key: ContactKey) {
    this.colours = { sticks: new Color(key.sticks), slips: new Color(key.slips) };
    this.group.visible = false;
  }

  async load(): Promise<void> {
    for (const chunk of this.surface.contacts.chunks ?? [])
      this.frames.push(...readFrames(await unpackNumbers(chunk.data), chunk.count, this.surface, this.key.parts));
    const most = Math.max(1, ...this.frames.map((frame) => frame.length));
    const make = (geometry: BufferGeometry) => {
      // What bodies hide is what one wants to see.
      const material = new MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true });
      const mesh = new InstancedMesh(geometry, material, most);
      mesh.frustumCulled = false;
      mesh.renderOrder = 1;
      mesh.count = 0;
      mesh.setColorAt(0, this.colours.sticks);
      this.group.add(mesh);
      return mesh;
    };
    this.meshes = {
      shafts: make(new CylinderGeometry(1, 1, 1, 6).translate(0, 0.5, 0)),
      heads: make(new ConeGeometry(1, 1, 10).translate(0, -0.5, 0)),
      dots: make(new IcosahedronGeometry(1, 1)),
    };
  }

  /** `height` is what the view shows at the place that it looks at, m; a negative frame has none. */
  show(frame: number, height: number): void {
    const state = `${frame} ${height.toPrecision(3)}`;
    if (!this.meshes || state === this.shown) return;
    this.shown = state;
    const contacts = this.frames[frame] ?? [];
    contacts.forEach((contact, place) => this.put(contact, place, height));
    for (const mesh of Object.values(this.meshes)) {
      mesh.count = contacts.length;
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor!.needsUpdate = true;
    }
  }

  private put({ place, arrow, slips }: Contact, index: number, height: number): void {
    const { dots, shafts, heads } = this.meshes!;
    const length = LONGEST * height * arrow.length();
    const along = arrow.lengthSq() > 0 ? arrow.clone().normalize() : new Vector3(0, 1, 0);
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), along);
    const head = Math.min(HEAD.length * height, length);
    const matrix = new Matrix4();
    const set = (mesh: InstancedMesh, from: Vector3, wide: number, long: number) => {
      mesh.setMatrixAt(index, matrix.compose(from, turn, new Vector3(wide, long, wide)));
      mesh.setColorAt(index, slips ? this.colours.slips : this.colours.sticks);
    };
    set(dots, place, DOT * height, DOT * height);
    set(shafts, place, SHAFT * height, length - head);
    set(heads, place.clone().addScaledVector(along, length), HEAD.radius * height, head);
  }
}
