#pragma once

#include "solver/simulation/step_attempt.h"

namespace dashpot {

// When a step has to be taken again, and what is done to the last try.

// How many times its budget a step gets that has not converged and makes energy.
constexpr int kMoreIterations = 8;

// Whether every body keeps the law of energy, or is so near that taking the rest from its motion
// is better than another try. That is better than more iterations only where there are no more.
bool keeps_the_law(const SimulationModel& model, StepAttempt& attempt, bool is_last);

// Whether unfinished iterations may have cost a body energy that nothing takes from it.
bool may_have_lost(const SimulationModel& model, StepAttempt& attempt);

// After the last try: what bodies still have more than they may have is taken away.
void repair_bodies(const StepStart& start, StepAttempt& attempt);

}  // namespace dashpot
