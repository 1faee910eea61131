#pragma once

#include <vector>

#include "solver/base/types.h"
#include "solver/contact/contact_stencil.h"
#include "solver/contact/friction_prox.h"
#include "solver/kinematics/rigid_pose.h"

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

// A place on a body and a collider that may touch.
struct Contact {
  int site = 0, collider = 0;  // number of the contact vertex, and of the collider
  ContactStencil stencil;
  bool near = false;  // the plane has a meaning
  ContactPlane plane;
  Vec3 velocity = Vec3::Zero();         // of the collider's surface, m/s
  Vec3 acceleration = Vec3::Zero();     // of the collider's own point there, m/s^2
  Vec3 force = Vec3::Zero();            // on the site, N
  Vec3 next_step_force = Vec3::Zero();  // the same as the next step's first force, N
  bool held = false;                    // they touched when the stage began
  Vec3 drive = Vec3::Zero();            // how far the collider carries the site beyond x_p, m
};

// The colliders of a stage. contacts: those that touched before on entry, all that may touch, with
// their forces, on return.
struct ContactState {
  ColliderKinematics kinematics;
  std::vector<Contact> contacts;
};

}  // namespace dashpot
