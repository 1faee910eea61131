#pragma once

#include <functional>
#include <vector>

#include "solver/collision/contact_surface.h"
#include "solver/collision/surface_trees.h"

namespace dashpot {

struct EdgeTriangle {
  int edge, triangle;

  bool operator<(const EdgeTriangle& b) const {
    return edge != b.edge ? edge < b.edge : triangle < b.triangle;
  }
  bool operator==(const EdgeTriangle& b) const { return edge == b.edge && triangle == b.triangle; }
};

// Exact: a touch that does not go through is told from a crossing.
enum class Crossing : char { kApart, kTouch, kCross };

struct EdgeTriangleCrossing {
  EdgeTriangle pair;
  Crossing crossing;  // kTouch or kCross
};

// p q against the triangle a b c; kTouch also where it meets the triangle's border.
Crossing cross(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c);

// Edges that touch or cross triangles with which they share no vertex, ascending. wanted(body,
// body): the bodies to look at, a body against itself included.
std::vector<EdgeTriangleCrossing> find_crossings(FittedSurface& fitted,
                                                 const std::function<bool(int, int)>& wanted);

// Where the surfaces go through each other or themselves. An edge that only touches does not count.
std::vector<EdgeTriangle> find_intersections(const ContactSurface& surface, const Points& x);

}  // namespace dashpot
