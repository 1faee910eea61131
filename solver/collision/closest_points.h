#pragma once

#include <array>

#include "solver/base/types.h"

namespace dashpot {

// The part of a triangle on which its closest point lies.
enum class TrianglePart : char { kFace, kEdge, kCorner };

struct ClosestOnTriangle {
  Vec3 weight;  // of the corners
  TrianglePart part;
  int number;  // of the corner, or of the corner opposite to the edge
};

// Ericson 2005, Real-Time Collision Detection, 5.1.5. A triangle without area is its three edges.
ClosestOnTriangle closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

// Share of the way from a to b, in [0,1]; 0 on an edge without length.
double closest_on_edge(const Vec3& p, const Vec3& a, const Vec3& b);

struct ClosestOnEdges {
  double first, second;  // shares of the way along each edge
  double sine_squared;   // of the angle between the edges
};

// Edge p[0] p[1] and edge p[2] p[3]. On parallel edges the middle of their overlap.
ClosestOnEdges closest_on_edges(const std::array<Vec3, 4>& p);

}  // namespace dashpot
