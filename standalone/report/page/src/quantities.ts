// Which numbers of the statistics are plotted.

import type { PlotSpec, Quantity } from "./plots";
import type { Json, JsonObject, Report } from "./report";

function plain(key: string, label: string, unit: string, hidden = false): Quantity {
  return { key, label, unit, hidden, pick: (line) => line[key] };
}

function component(key: string, axis: number, label: string, unit: string): Quantity {
  return { key: `${key}.${"xyz"[axis]}`, label, unit, pick: (line) => (line[key] as Json[])?.[axis] };
}

function length(key: string, label: string, unit: string): Quantity {
  const pick = (line: JsonObject) => {
    const vector = line[key];
    if (!Array.isArray(vector) || vector.some((each) => typeof each !== "number")) return null;
    return Math.hypot(...(vector as number[]));
  };
  return { key: `${key}.length`, label, unit, pick };
}

function vector(key: string, unit: string): Quantity[] {
  return [
    length(key, "length", unit), component(key, 0, "x", unit), component(key, 1, "y", unit),
    component(key, 2, "z", unit),
  ];
}

function lines(report: Report): JsonObject[] {
  return report.runs.flatMap((run) => run.stats);
}

/** The stages that any run tells of: a solver may get more than this page knows. */
function stages(report: Report): Quantity[] {
  const keys = new Set<string>(["total"]);
  for (const line of lines(report))
    if (line.ms && typeof line.ms === "object") for (const key of Object.keys(line.ms)) keys.add(key);
  return [...keys].map((key) => ({
    key: `ms.${key}`, label: key === "io" ? "files" : key, unit: "ms",
    pick: (line) => (line.ms as JsonObject)?.[key],
  }));
}

const positive = (value: unknown) => typeof value === "number" && value > 0;

export function plotSpecs(report: Report): PlotSpec[] {
  if (lines(report).length === 0) return [];
  const specs: PlotSpec[] = [
    {
      title: "Energy", about: "Where it is, and where it went since the start.",
      quantities: [
        plain("total", "total", "J"), plain("kinetic", "kinetic", "J"),
        plain("elastic", "elastic", "J"), plain("gravitational", "gravitational", "J"),
        plain("dissipated", "dissipated", "J"), plain("work", "work of pins and colliders", "J"),
        plain("lost", "lost by integrator", "J"),
      ],
    },
    { title: "Linear momentum", about: "Of all bodies.", quantities: vector("linear_momentum", "kg m/s") },
    {
      title: "Angular momentum", about: "About the centre of mass.",
      quantities: vector("angular_momentum", "kg m²/s"),
    },
    {
      title: "Residuals", about: "Of the frame's worst stage.", log: true,
      quantities: [
        plain("primal_residual", "primal", ""), plain("dual_residual", "dual", ""),
      ],
    },
    {
      title: "Iterations", about: "Of all stages and substeps of the frame.",
      quantities: [plain("iterations", "iterations", "")],
    },
    { title: "Time per stage", about: "Milliseconds of each frame.", quantities: stages(report) },
    {
      title: "Stretch", about: "Longest and shortest principal stretch of any tet; 1 is rest.",
      quantities: [plain("max_stretch", "largest", ""), plain("min_stretch", "smallest", "")],
    },
  ];
  if (lines(report).some((line) => positive(line.inverted)))
    specs.push({
      title: "Inverted tets", about: "Inside out at the end of the frame.",
      quantities: [plain("inverted", "inverted", "")],
    });
  if (lines(report).some((line) => positive(line.contacts)))
    specs.push(
      {
        title: "Contacts", about: "Points that press on a collider at the end of the frame.",
        quantities: [plain("contacts", "contacts", "")],
      },
      {
        title: "Penetration", about: "Depth of the deepest point of a surface.",
        quantities: [plain("penetration", "penetration", "m")],
      });
  return specs;
}
