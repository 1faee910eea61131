// What the page's data says; written by standalone/report/report_data.cpp.

export interface Chunk {
  first: number;  // place in Surface.frames
  count: number;
  data: string;  // id of the element that holds it
}

export interface Part {
  name: string;
  colour: string;
  skin: boolean;
  shaded: boolean;
  triangles: number;
  first_vertex: number;
  vertices: number;
}

export interface Values {
  trouble: string;  // why there are none
  remark: string;
  chunks?: Chunk[];
}

export interface Contacts {
  trouble: string;  // why there are none
  chunks?: Chunk[];
}

export interface Surface {
  frames: number[];  // those that can be shown
  points: number;
  vertices: number;
  triangles: number;
  origin: Vector;
  high: Vector;
  step: number;
  parts: Part[];
  corners: string;
  vertex_points: string;
  positions: Chunk[];
  values: Record<string, Values>;
  contacts: Contacts;
}

export type Vector = [number, number, number];
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export interface ColliderShape {
  from: number;  // the first frame that shows it
  triangles: number;
  origin: Vector;
  step: number;
  corners: string;
  vertices: string;
}

export interface Collider {
  name: string;
  colour: string;
  plane: { point: Vector; normal: Vector } | null;
  shapes: ColliderShape[];  // in the collider's own space; several for a sequence
  poses: number[][];  // x y z and a quaternion x y z w of every frame; a single one if it stays
}

export interface Warning {
  status: string;
  sentence: string;
  frames: number[];
}

export interface Run {
  name: string;
  path: string;
  record: JsonObject | null;
  first_frame: number;
  last_frame: number;
  fps: number;
  gravity: Vector;
  problems: string[];
  warnings: Warning[];
  stats: JsonObject[];
  colliders: Collider[];
  seen: [Vector, Vector] | null;  // corners of what the camera is to show
  surface: Surface | null;
}

export interface Shading {
  token: string;
  label: string;
  unit: string;
  help: string;
  top: number;  // of the scale
  limit: number;  // of the values that are stored
}

export interface ContactKey {
  sticks: string;  // colours
  slips: string;
  top: number;  // force of the longest arrow, N
  parts: number;  // of the longest arrow, in which arrows are stored
}

export interface Report {
  title: string;
  program: string;
  ground: "auto" | "none" | number;  // height in metres, against gravity
  columns: number;  // that suit the runs of a grid; 0: any
  problems: string[];  // of no run that is shown
  shadings: Shading[];
  contacts: ContactKey;
  runs: Run[];
}

export function readReport(): Report {
  return JSON.parse(document.getElementById("dashpot-report")!.textContent!) as Report;
}
