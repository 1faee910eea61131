#pragma once

#include <tuple>

#include "solver/base/types.h"
#include "solver/collision/feature_pair.h"
#include "solver/contact/contact_plane.h"
#include "solver/contact/contact_stencil.h"

namespace dashpot {

// Names a contact from stage to stage: an obstacle (first) and a point (second), or a pair of
// features of surfaces.
struct ContactId {
  static constexpr int kObstacle = 4;

  int kind = kObstacle;
  int first = 0, second = 0;

  ContactId() = default;
  static ContactId of_obstacle(int collider, int point) {
    ContactId id;
    id.first = collider;
    id.second = point;
    return id;
  }
  explicit ContactId(const FeaturePairId& pair)
      : kind(static_cast<int>(pair.kind)), first(pair.first), second(pair.second) {}

  FeaturePairId pair() const { return {static_cast<FeaturePair>(kind), first, second}; }
  bool is_obstacle() const { return kind == kObstacle; }
  int collider() const { return first; }
  int point() const { return second; }
  bool operator==(const ContactId& other) const {
    return kind == other.kind && first == other.first && second == other.second;
  }
  bool operator<(const ContactId& other) const {
    return std::tie(kind, first, second) < std::tie(other.kind, other.first, other.second);
  }
};

// Two places that touch, or may, in a stage.
struct Contact {
  ContactId id;
  ContactStencil stencil;
  ContactPlane plane;            // D x stays in front of it, and friction holds D x at its rest
  Vec3 force = Vec3::Zero();     // on the first side, N
  Vec3 carried = Vec3::Zero();   // how far the obstacle, or the gap, moves it in the stage, m
  Vec3 velocity = Vec3::Zero();  // of the obstacle's surface when the stage ends, m/s
  double restitution = 0;
  bool near = true;          // the plane has a meaning
  bool held = false;         // they pressed on each other when the stage began
  bool is_anchored = false;  // it stuck before: D x is held at the anchor
  bool is_forced = false;    // it was missed once, and stays
  Vec3 anchor = Vec3::Zero();

  bool presses() const { return !force.isZero(0); }
  double gap(const Points& x) const { return plane.normal.dot(stencil.place(x)) - plane.offset; }
};

}  // namespace dashpot
