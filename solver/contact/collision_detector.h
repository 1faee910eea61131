#pragma once

#include <vector>

#include "solver/base/types.h"
#include "solver/contact/collider.h"
#include "solver/contact/friction_prox.h"
#include "solver/contact/rigid_pose.h"

namespace dashpot {

// A point of a body that colliders are tested against.
struct ContactVertex {
  int point = 0;        // of the simulation
  int vertex = 0;       // place of its four doubles in the solver's arrays
  double friction = 1;  // multiplies that of colliders
};

// The colliders during a stage, one entry each.
struct ColliderMotion {
  RigidPose begin, end;
  RigidPose later;  // `ahead` seconds after the end, for accelerations
  double ahead = 0;
  AffineMap past;  // the stage's rule for x_p, applied to the collider's own points
};

struct ColliderKinematics {
  double begin = 0, end = 0;  // s
  double h = 0;               // alpha dt, s
  // Contact binds the place before + extrapolation (x - before); above 1 for the midpoint rule.
  double extrapolation = 1;
  std::vector<ColliderMotion> motion;
};

// A site and a collider that may touch.
struct Contact {
  int site = 0, collider = 0;
  bool near = false;  // the plane has a meaning
  ContactPlane plane;
  Vec3 velocity = Vec3::Zero();         // of the collider's surface, m/s
  Vec3 acceleration = Vec3::Zero();     // of the collider's own point there, m/s^2
  Vec3 force = Vec3::Zero();            // on the site, N
  Vec3 next_step_force = Vec3::Zero();  // the same as the next step's first force, N
  bool held = false;                    // they touched when the stage began
  Vec3 drive = Vec3::Zero();            // how far the collider carries the site beyond x_p, m
};

// Chooses the pairs that may touch during a stage, so that the others cost nothing, and the plane
// of each pair as the solution moves.
class CollisionDetector {
 public:
  CollisionDetector(std::vector<Collider> colliders, std::vector<ContactVertex> sites);

  const std::vector<Collider>& colliders() const { return colliders_; }
  const std::vector<ContactVertex>& sites() const { return sites_; }
  std::vector<Contact>& rows() { return rows_; }
  const std::vector<Contact>& rows() const { return rows_; }

  // before: where the stage begins; guess: where it may end; four doubles per vertex. x_p by point.
  // known: rows of the stage before, whose forces go on.
  void begin(const ColliderKinematics& stage, const std::vector<double>& before,
             const std::vector<double>& guess, const Points& x_p,
             const std::vector<Contact>& known);

  // The planes for a solution x.
  void update(const std::vector<double>& x);

  // Adds pairs that x has brought closer than begin() could know. True if there are any.
  bool extend(const std::vector<double>& x);

 private:
  Vec3 position(const std::vector<double>& x, int site) const {
    return Vec3::Map(&x[static_cast<std::size_t>(sites_[site].vertex)]);
  }
  Vec3 bound_place(const std::vector<double>& x, int site) const {
    const Vec3 from = before_[site];
    return from + stage_.extrapolation * (position(x, site) - from);
  }
  static Vec3 acceleration(const ColliderMotion& motion, const Vec3& place);
  double distance_moved(const ColliderMotion& motion, const std::vector<double>& x, int site) const;
  void add_row(int site, int collider);

  std::vector<Collider> colliders_;
  std::vector<ContactVertex> sites_;
  std::vector<Contact> rows_;  // by collider, then site
  ColliderKinematics stage_;
  std::vector<Vec3> before_, x_p_;              // of sites
  std::vector<std::vector<double>> clearance_;  // of each collider and site; negative: has a row
};

}  // namespace dashpot
