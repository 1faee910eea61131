#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "solver/base/types.h"

namespace dashpot {

enum class FeaturePair : std::int8_t { kVertexFace, kVertexEdge, kVertexVertex, kEdgeEdge };

// Which features of the surface are near each other. A vertex is a point's number; edges and faces
// are numbers in the surface. Vertex-vertex and edge-edge: first < second.
struct FeaturePairId {
  FeaturePair kind = FeaturePair::kVertexFace;
  int first = 0, second = 0;

  bool operator<(const FeaturePairId& b) const {
    return std::tie(kind, first, second) < std::tie(b.kind, b.first, b.second);
  }
  bool operator==(const FeaturePairId& b) const {
    return kind == b.kind && first == b.first && second == b.second;
  }
};

// D x = sum of weight x(point) = place on the first side - place on the second.
struct PairStencil {
  FeaturePairId id;
  std::array<int, 4> point{};
  std::array<double, 4> weight{};
  int count = 0;
  Vec3 normal = Vec3::Zero();  // of length 1, from the second side to the first
  double distance = 0;         // at the moment that the stencil was taken
  double time = 1;             // of that moment: share of the way since the begin
};

// Who may touch whom. Empty lists: everybody; nothing is fixed.
struct PairRules {
  std::vector<char> self;     // by body
  std::vector<char> between;  // body * body_count + body, symmetric
  std::vector<char> fixed;    // by point: not simulated

  bool touches_itself(int body) const { return self.empty() || self[body]; }
  bool touch(int body, int other, int body_count) const {
    if (body == other) return touches_itself(body);
    return between.empty() || between[static_cast<std::size_t>(body) * body_count + other];
  }
  template <class Feature>
  bool is_fixed(const Feature& points) const {
    if (fixed.empty()) return false;
    for (const int p : points)
      if (!fixed[p]) return false;
    return true;
  }
};

}  // namespace dashpot
