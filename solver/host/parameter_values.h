#pragma once

#include <map>
#include <string>
#include <vector>

#include "solver/base/types.h"
#include "solver/simulation/parameters.h"
#include "solver/simulation/scene.h"

namespace dashpot {

// Parameter values as a host reads them, before they become settings of the solver.
struct ParameterValue {
  double number = 0.0;  // kMenu: index of the item
  Vec3 vector = Vec3::Zero();
};
using ParameterValues = std::map<std::string, ParameterValue>;  // by token

std::vector<std::string> tokens(ParameterScope scope);

// A value for every declared solver parameter; throws std::logic_error for a token without a field.
SolverSettings make_solver_settings(const ParameterValues& values);

}  // namespace dashpot
