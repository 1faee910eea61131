#pragma once

#include <vector>

#include "solver/parameters/parameters.h"

namespace dashpot {

// The tables. A new parameter is an entry of one of them, and a use of its value. Their order is
// that of pages, of what is hashed and, within a folder, of dialogs.
std::vector<Parameter> solver_parameters();
std::vector<Parameter> material_parameters();
std::vector<Parameter> damping_parameters();
std::vector<Parameter> point_parameters();
std::vector<Parameter> body_contact_parameters();
std::vector<Parameter> collider_parameters();

}  // namespace dashpot
