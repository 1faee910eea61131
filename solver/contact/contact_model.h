#pragma once

#include <algorithm>
#include <vector>

#include "solver/contact/collider.h"
#include "solver/contact/contact_state.h"
#include "solver/kinematics/pin_motion.h"

namespace dashpot {

// An obstacle that bodies do not move.
struct SceneCollider {
  Collider collider;
  std::vector<RigidMotion> motion;  // one after the other; empty: it stays
};

// What may touch: obstacles, and free points of the surfaces of bodies.
struct ContactModel {
  std::vector<SceneCollider> colliders;
  std::vector<ContactVertex> vertices;  // none without colliders; by point, ascending
  std::vector<int> body_of_vertex;
  int body_count = 0;

  // The number of the vertex at a point, -1 if there is none.
  int vertex_at(int point) const {
    const auto found =
        std::lower_bound(vertices.begin(), vertices.end(), point,
                         [](const ContactVertex& vertex, int p) { return vertex.point < p; });
    const bool is_there = found != vertices.end() && found->point == point;
    return is_there ? static_cast<int>(found - vertices.begin()) : -1;
  }
};

}  // namespace dashpot
