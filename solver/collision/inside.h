#pragma once

#include <vector>

#include "solver/collision/intersections.h"
#include "solver/collision/surface_trees.h"

namespace dashpot {

struct NearestFace {
  int triangle;
  Vec3 weight;  // of its corners
  double distance;
};

// Of equally near faces the one with the smallest number.
NearestFace nearest_face(const ContactSurface& surface, const FittedTree& fitted, const Points& x,
                         const Vec3& place);

// Is a place that is not on the closed surface inside it? Counts how often a ray leaves and enters.
bool is_inside(const ContactSurface& surface, const FittedTree& fitted, const Points& x,
               const Vec3& place);

struct InsideOfBody {
  std::vector<int> points;  // ascending
  std::vector<int> edges;   // whose ends are on the surface of the other
};

// The points of `body` that are deeper than `skin` inside the closed body `other`, and edges inside
// of which no point is. crossings: of all edges.
InsideOfBody find_inside(FittedSurface& fitted, int body, int other,
                         const std::vector<EdgeTriangleCrossing>& crossings, double skin);

}  // namespace dashpot
