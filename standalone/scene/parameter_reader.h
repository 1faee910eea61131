#pragma once

#include "solver/parameters/parameters.h"
#include "solver/simulation/scene.h"

namespace dashpot {

class TableReader;

// The solver parameters, the defaults where the table does not say.
SolverSettings read_solver_settings(const TableReader& table);

// A collider without name and shape: its coefficients, the defaults where the table does not say.
Collider read_coefficients(const TableReader& table);

// The contact of a body, the defaults where the table does not say.
BodyContact read_body_contact(const TableReader& table);

// The prim parameters that the table sets.
ElementFields read_element_fields(const TableReader& table);

// The value of one key that is no ramp; the key must be present.
ParameterValue read_parameter(const TableReader& table, const Parameter& declaration);

}  // namespace dashpot
