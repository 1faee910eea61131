#pragma once

#include "solver/host/parameter_values.h"

namespace dashpot {

class TableReader;

// Every declared solver parameter, the default where the table does not say.
ParameterValues read_solver_parameters(const TableReader& table);

// The prim parameters that the table sets.
ElementFields read_element_fields(const TableReader& table);

// The value of one number, menu or vector key; the key must be present.
ParameterValue read_parameter(const TableReader& table, const Parameter& declaration);

}  // namespace dashpot
