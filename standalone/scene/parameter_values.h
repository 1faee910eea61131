#pragma once

#include <map>
#include <string>
#include <vector>

#include "solver/base/types.h"
#include "solver/simulation/parameters.h"
#include "solver/simulation/scene.h"

namespace dashpot {

class TableReader;

struct ParameterValue {
  double number = 0.0;  // kMenu: index of the item
  Vec3 vector = Vec3::Zero();
};
using ParameterValues = std::map<std::string, ParameterValue>;  // by token

std::vector<std::string> tokens(ParameterScope scope);

// Every declared solver parameter, the default where the table does not say.
ParameterValues read_solver_parameters(const TableReader& table);
SolverSettings make_solver_settings(const ParameterValues& values);

// The prim parameters that the table sets.
ElementFields read_element_fields(const TableReader& table);

// The value of one number, menu or vector key; the key must be present.
ParameterValue read_parameter(const TableReader& table, const Parameter& declaration);

}  // namespace dashpot
