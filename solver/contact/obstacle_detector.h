#pragma once

#include <vector>

#include "solver/base/types.h"
#include "solver/contact/contact.h"
#include "solver/contact/contact_model.h"
#include "solver/kinematics/rigid_pose.h"

namespace dashpot {

// An obstacle during a stage.
struct ColliderMotion {
  RigidPose begin, end;
};

// When a stage is, and where obstacles are meanwhile, one entry each.
struct ColliderKinematics {
  double begin = 0, end = 0;  // s
  std::vector<ColliderMotion> motion;

  double tau() const { return end - begin; }
};

// Chooses the points that may touch obstacles during a stage, so that the others cost nothing, and
// finds the plane of each contact as the solution moves.
class ObstacleDetector {
 public:
  // model must outlive it.
  explicit ObstacleDetector(const ContactModel& model);

  // before: where the stage begins, which must outlive it; guess: where it may end.
  void begin(const ColliderKinematics& kinematics, const Points& before, const Points& guess);

  const ColliderKinematics& kinematics() const { return kinematics_; }

  // Of vertices (numbers in the model): those that may come near the obstacle.
  std::vector<int> near(int collider, const std::vector<int>& vertices) const;
  // The same with those that x has brought closer than begin() could know.
  bool is_near(int collider, int vertex, const Points& x) const;

  // The contact of a point with an obstacle, but for its plane.
  Contact make_contact(int point, int collider) const;
  // The planes of contacts with obstacles for a solution x; others are left alone.
  void update(const Points& x, std::vector<Contact>& contacts) const;

 private:
  void update_range(const Points& x, Contact* first, Contact* last) const;
  double distance_moved(int collider, int point, const Points& x) const;

  const ContactModel& model_;
  ColliderKinematics kinematics_;
  const Points* before_ = nullptr;
  std::vector<std::vector<double>> clearance_;  // of each collider and vertex
  std::vector<std::vector<char>> near_;
};

}  // namespace dashpot
