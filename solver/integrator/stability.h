#pragma once

#include "solver/integrator/integrator.h"

namespace dashpot {

// The share of its amplitude that an undamped vibration keeps in one step, |R(i w dt)|, where a
// step is as many of its periods as given: 1 if nothing is lost. Of BDF2, the share that steps
// settle to.
double amplitude_kept(Integrator integrator, double periods_per_step);

}  // namespace dashpot
