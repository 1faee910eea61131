// What the bodies of a run collide with, at each of its frames.

import {
  BufferAttribute, BufferGeometry, DoubleSide, Group, Mesh, MeshStandardMaterial, Plane, Quaternion, Vector3,
} from "three";
import { unpackNumbers, unpackPositions } from "./decode";
import { GroundPlane } from "./ground_plane";
import type { Collider, ColliderShape, Run } from "./report";

interface Shown {
  collider: Collider;
  plane: GroundPlane | null;
  meshes: Mesh<BufferGeometry, MeshStandardMaterial>[];  // one per shape, the moving ones together
  group: Group;
}

export class ColliderView {
  readonly group = new Group();
  private readonly shown: Shown[];

  /** `centre` and `size` are those of the scene, `up` is against gravity. */
  constructor(private readonly run: Run, private readonly centre: Vector3, size: number, up: Vector3) {
    this.shown = run.colliders.map((collider) => {
      const group = new Group();
      this.group.add(group);
      let plane: GroundPlane | null = null;
      if (collider.plane) {
        const normal = new Vector3(...collider.plane.normal);
        plane = new GroundPlane(size, new Vector3(...collider.plane.point), normal, up);
        this.group.add(plane.group);
      }
      return { collider, plane, meshes: [], group };
    });
  }

  async load(): Promise<void> {
    for (const each of this.shown)
      for (const shape of each.collider.shapes) {
        const mesh = await makeMesh(shape, each.collider.colour);
        each.meshes.push(mesh);
        each.group.add(mesh);
      }
  }

  show(frame: number): void {
    const fronts: { plane: GroundPlane; front: Plane }[] = [];
    for (const { collider, plane, meshes, group } of this.shown) {
      const { position, rotation } = poseAt(collider, frame - this.run.first_frame);
      group.position.copy(position);
      group.quaternion.copy(rotation);
      const { shapes } = collider;
      meshes.forEach((mesh, place) => {
        const next = shapes[place + 1];
        mesh.visible = (place === 0 || shapes[place]!.from <= frame) && (!next || frame < next.from);
      });
      if (!plane) continue;
      plane.place(position, rotation, this.centre);
      const normal = new Vector3(...collider.plane!.normal).applyQuaternion(rotation);
      const point = new Vector3(...collider.plane!.point).applyQuaternion(rotation).add(position);
      fronts.push({ plane, front: new Plane().setFromNormalAndCoplanarPoint(normal, point) });
    }
    // Where planes meet, each ends: behind the other one nothing can be.
    for (const { plane } of fronts)
      plane.clip(fronts.filter((each) => each.plane !== plane).map((each) => each.front));
  }

  restyle(): void {
    for (const { plane } of this.shown) plane?.restyle();
  }
}

/** One pose stands for all frames. */
function poseAt({ poses }: Collider, place: number): { position: Vector3; rotation: Quaternion } {
  const pose = poses[Math.min(Math.max(place, 0), poses.length - 1)]!;
  return { position: new Vector3(pose[0], pose[1], pose[2]), rotation: new Quaternion(pose[3], pose[4], pose[5], pose[6]) };
}

async function makeMesh(shape: ColliderShape, colour: string): Promise<Mesh<BufferGeometry, MeshStandardMaterial>> {
  const corners = await unpackNumbers(shape.corners);
  const [quantised] = await unpackPositions(shape.vertices, 1);
  const positions = new Float32Array(quantised!.length);
  for (let i = 0; i < positions.length; ++i) positions[i] = shape.origin[i % 3]! + shape.step * quantised![i]!;
  const geometry = new BufferGeometry();
  geometry.setIndex(new BufferAttribute(corners, 1));
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.computeVertexNormals();
  const mesh = new Mesh(geometry, new MeshStandardMaterial({ color: colour, roughness: 0.9, side: DoubleSide }));
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}
