#pragma once

#include "solver/simulation/energy_balance.h"
#include "solver/simulation/step_attempt.h"

namespace dashpot {

// The last resort of a step that ends with more energy in a body than it may have: scales the
// velocities of the body down or, if its shape alone holds too much, moves it from where the step
// ended towards a motion that makes no energy: rest where it was, or, if nothing holds it, the
// motion of the rigid body. Energy is lost then, and none is made.
void repair_energy(const StepStart& start, int body, EnergyBalance& balance, State& to);

}  // namespace dashpot
