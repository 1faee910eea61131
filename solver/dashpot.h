#pragma once

// All that a program needs to simulate with Dashpot; see docs/embedding.md. What is included from
// here is what `cmake --install` installs, as <dashpot/...>. Level sets as colliders need OpenVDB,
// so <dashpot/contact/vdb_shape.h> is included apart.

#include "solver/base/error.h"
#include "solver/base/types.h"
#include "solver/contact/collider.h"
#include "solver/contact/plane_shape.h"
#include "solver/dissipation/damping_model.h"
#include "solver/dissipation/ramp.h"
#include "solver/elasticity/material.h"
#include "solver/elements/element_diagnostics.h"
#include "solver/host/presets.h"
#include "solver/integrator/integrator.h"
#include "solver/kinematics/pin_motion.h"
#include "solver/mesh/boundary.h"
#include "solver/mesh/embedding.h"
#include "solver/mesh/quality.h"
#include "solver/mesh/shapes.h"
#include "solver/mesh/tet_mesh.h"
#include "solver/parameters/parameters.h"
#include "solver/parameters/solver_settings.h"
#include "solver/simulation/frame_report.h"
#include "solver/simulation/scene.h"
#include "solver/simulation/simulation.h"
#include "solver/simulation/state.h"
