#pragma once

#include <vector>

#include "solver/base/types.h"
#include "solver/contact/collider.h"
#include "solver/contact/contact_state.h"

namespace dashpot {

// Chooses the pairs that may touch during a stage, so that the others cost nothing, and the plane
// of each pair as the solution moves.
class CollisionDetector {
 public:
  CollisionDetector(std::vector<Collider> colliders, std::vector<ContactVertex> vertices);

  const std::vector<Collider>& colliders() const { return colliders_; }
  const std::vector<ContactVertex>& vertices() const { return vertices_; }
  std::vector<Contact>& contacts() { return contacts_; }
  const std::vector<Contact>& contacts() const { return contacts_; }

  // before: where the stage begins; guess: where it may end; four doubles per vertex. x_p by point.
  // known: rows of the stage before, whose forces go on.
  void begin(const ColliderKinematics& kinematics, const std::vector<double>& before,
             const std::vector<double>& guess, const Points& x_p,
             const std::vector<Contact>& known);

  // The planes for a solution x.
  void update(const std::vector<double>& x);

  // Adds pairs that x has brought closer than begin() could know. True if there are any.
  bool extend(const std::vector<double>& x);

 private:
  Vec3 position(const std::vector<double>& x, int site) const {
    return Vec3::Map(&x[static_cast<std::size_t>(vertices_[site].vertex)]);
  }
  Vec3 bound_place(const std::vector<double>& x, int site) const {
    const Vec3 from = before_[site];
    return from + kinematics_.extrapolation * (position(x, site) - from);
  }
  static Vec3 acceleration(const ColliderMotion& motion, const Vec3& place);
  double distance_moved(const ColliderMotion& motion, const std::vector<double>& x, int site) const;
  void add_contact(int site, int collider);

  std::vector<Collider> colliders_;
  std::vector<ContactVertex> vertices_;
  std::vector<Contact> contacts_;  // by collider, then site
  ColliderKinematics kinematics_;
  std::vector<Vec3> before_, x_p_;              // of sites
  std::vector<std::vector<double>> clearance_;  // of each collider and site; negative: has a row
};

}  // namespace dashpot
