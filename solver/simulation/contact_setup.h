#pragma once

#include "solver/contact/contact_model.h"
#include "solver/simulation/scene.h"
#include "solver/simulation/simulation_model.h"

namespace dashpot {

// What may touch in a scene, whose points the model has already.
ContactModel make_contact_model(const Scene& scene, const SimulationModel& model);

}  // namespace dashpot
