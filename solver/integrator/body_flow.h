#pragma once

namespace dashpot {

// Energies that came into a body during a step and that left it in ways we know, J.
struct BodyFlow {
  double work = 0;       // of pins, colliders and the host's forces
  double damped = 0;     // by damping and drag
  double rubbed = 0;     // by friction and impacts
  bool touched = false;  // by a collider
  bool let_go = false;   // touched in the step before, but not at its end
};

}  // namespace dashpot
