#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "solver/base/types.h"
#include "solver/collision/contact_surface.h"
#include "solver/collision/feature_pair.h"
#include "solver/contact/collider.h"
#include "solver/kinematics/pin_motion.h"

namespace dashpot {

// An obstacle that bodies do not move.
struct SceneCollider {
  Collider collider;
  std::vector<RigidMotion> motion;  // one after the other; empty: it stays
};

// What bodies bring to contact with each other.
struct SurfaceCoefficients {
  double friction = 0, restitution = 0;
};

// Tets at surfaces that may touch themselves.
struct SurfaceTets {
  std::vector<Tet> tets;
  std::vector<double> volume;  // at rest, m^3
};

// What may touch: obstacles, and surfaces of bodies.
struct ContactModel {
  std::vector<SceneCollider> colliders;
  std::vector<int> vertices;       // free points of surfaces, ascending
  std::vector<double> friction;    // of each point of the scene: multiplies coefficients
  std::vector<int> body_of_point;  // of the scene's bodies
  std::vector<char> is_surface;    // of each point
  int body_count = 0;
  // nullptr: bodies do not touch each other. Its bodies are pieces of those of the scene.
  std::shared_ptr<const ContactSurface> surface;
  PairRules rules;
  Points rest;  // of all points; bodies have their shape there, each where it likes
  SurfaceTets tets;
  std::vector<SurfaceCoefficients> coefficients;  // of the surface's bodies
  double gap = 0;                                 // that surfaces keep from each other, m
  bool untangle = false;
  std::uint64_t surface_fingerprint = 0;

  bool has_contact() const { return !colliders.empty() || surface != nullptr; }
  // The number of the vertex at a point, -1 if there is none.
  int vertex_at(int point) const {
    const auto found = std::lower_bound(vertices.begin(), vertices.end(), point);
    const bool is_there = found != vertices.end() && *found == point;
    return is_there ? static_cast<int>(found - vertices.begin()) : -1;
  }
  bool is_on_surface(int point) const {
    return point >= 0 && point < static_cast<int>(is_surface.size()) && is_surface[point];
  }
};

// Points of tets that are flat or inside out at x, ascending: a body has no surface there.
std::vector<int> collapsed_points(const SurfaceTets& surface, const Points& x);

}  // namespace dashpot
