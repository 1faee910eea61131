#pragma once

namespace dashpot {

// Energies that came into a body during a step and that left it in ways we know, J.
struct BodyFlow {
  double work = 0;       // of pins, colliders and the host's forces
  double damped = 0;     // by damping and drag
  double rubbed = 0;     // by friction and impacts
  bool touched = false;  // by a collider or another body
  bool paired = false;   // by a body, another one or itself
  bool let_go = false;   // touched in the step before, but not at its end
  int group = -1;        // bodies that touched each other share it; -1: it touched none
  bool leans = false;    // on something that takes up momentum
  bool met = false;      // touched something, now or ever before
  bool sunk = false;     // began inside a collider that it touched
  double driven = 0;     // how fast colliders that it touched moved, at most, m/s
};

}  // namespace dashpot
