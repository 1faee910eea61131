// The bodies of one run as a mesh that follows the frames.

import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, Mesh, MeshStandardMaterial,
} from "three";
import { MAP } from "./colours";
import { unpackNumbers, unpackPositions, unpackValues } from "./decode";
import type { Surface } from "./report";

export class SurfaceMesh {
  readonly mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
  private readonly positions: Uint16Array[] = [];
  private readonly values = new Map<string, Uint8Array[]>();
  private points = new Uint32Array();
  private corners = new Uint32Array();

  constructor(readonly surface: Surface) {
    const material = new MeshStandardMaterial({ vertexColors: true, side: DoubleSide });
    this.mesh = new Mesh(new BufferGeometry(), material);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    // three.js would shade a mesh flat for good if it met it without normals.
    this.mesh.visible = false;
    this.mesh.position.fromArray(surface.origin);
  }

  /** Unpacks chunk after chunk; `progress` is called when there is more to see. */
  async load(progress: (loaded: number) => void): Promise<void> {
    const { surface } = this;
    this.corners = await unpackNumbers(surface.corners) as Uint32Array<ArrayBuffer>;
    this.points = await unpackNumbers(surface.vertex_points) as Uint32Array<ArrayBuffer>;
    const geometry = this.mesh.geometry;
    const attribute = () => {
      const made = new BufferAttribute(new Float32Array(3 * surface.vertices), 3);
      made.setUsage(DynamicDrawUsage);
      return made;
    };
    geometry.setIndex(new BufferAttribute(this.corners, 1));
    geometry.setAttribute("position", attribute());
    geometry.setAttribute("normal", attribute());
    geometry.setAttribute("color", attribute());
    for (const [place, chunk] of surface.positions.entries()) {
      this.positions.push(...(await unpackPositions(chunk.data, chunk.count)));
      for (const [token, { chunks }] of Object.entries(surface.values)) {
        if (!chunks) continue;
        const frames = await unpackValues(chunks[place]!.data, chunk.count);
        this.values.set(token, [...(this.values.get(token) ?? []), ...frames]);
      }
      progress((place + 1) / surface.positions.length);
    }
  }

  /** Shows a frame, or the last one before that is unpacked. `colours` says which place in the map a stored value has. */
  show(frame: number, shading: string, colours: Uint8Array): void {
    const positions = this.positions[Math.min(frame, this.positions.length - 1)];
    if (!positions) return;
    this.mesh.visible = true;
    this.move(positions);
    this.computeNormals();
    const value = this.stored(frame, shading);
    this.paint(value, colours);
    this.mesh.material.roughness = value ? 0.9 : 0.45;
  }

  setTransparent(on: boolean): void {
    const { material } = this.mesh;
    material.transparent = on;
    material.opacity = on ? 0.45 : 1;
    material.needsUpdate = true;
  }

  /** What the points have of a shading, as it is stored. */
  stored(frame: number, shading: string): Uint8Array | undefined {
    const values = this.values.get(shading);
    return values?.[Math.min(frame, values.length - 1)];
  }

  private array(name: string): Float32Array {
    const attribute = this.mesh.geometry.getAttribute(name) as BufferAttribute;
    attribute.needsUpdate = true;
    return attribute.array as Float32Array;
  }

  private move(quantised: Uint16Array): void {
    const target = this.array("position");
    const { step } = this.surface;
    for (let v = 0; v < this.points.length; ++v) {
      const from = 3 * this.points[v]!;
      target[3 * v] = step * quantised[from]!;
      target[3 * v + 1] = step * quantised[from + 1]!;
      target[3 * v + 2] = step * quantised[from + 2]!;
    }
  }

  // Weighted by area; vertices on creases are split already.
  private computeNormals(): void {
    const p = this.array("position");
    const n = this.array("normal");
    n.fill(0);
    const { corners } = this;
    for (let t = 0; t < corners.length; t += 3) {
      const a = 3 * corners[t]!, b = 3 * corners[t + 1]!, c = 3 * corners[t + 2]!;
      const ux = p[b]! - p[a]!, uy = p[b + 1]! - p[a + 1]!, uz = p[b + 2]! - p[a + 2]!;
      const vx = p[c]! - p[a]!, vy = p[c + 1]! - p[a + 1]!, vz = p[c + 2]! - p[a + 2]!;
      const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
      for (const corner of [a, b, c]) {
        n[corner] = n[corner]! + x;
        n[corner + 1] = n[corner + 1]! + y;
        n[corner + 2] = n[corner + 2]! + z;
      }
    }
    for (let i = 0; i < n.length; i += 3) {
      const length = Math.hypot(n[i]!, n[i + 1]!, n[i + 2]!) || 1;
      n[i] = n[i]! / length;
      n[i + 1] = n[i + 1]! / length;
      n[i + 2] = n[i + 2]! / length;
    }
  }

  private paint(value: Uint8Array | undefined, colours: Uint8Array): void {
    const target = this.array("color");
    for (const part of this.surface.parts) {
      const end = part.first_vertex + part.vertices;
      const plain = new Color(part.colour);
      for (let v = part.first_vertex; v < end; ++v) {
        if (value && part.shaded) {
          const from = 3 * colours[value[this.points[v]!]!]!;
          target[3 * v] = MAP[from]!;
          target[3 * v + 1] = MAP[from + 1]!;
          target[3 * v + 2] = MAP[from + 2]!;
        } else {
          plain.toArray(target, 3 * v);
        }
      }
    }
  }
}
