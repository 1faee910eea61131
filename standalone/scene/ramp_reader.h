#pragma once

#include <memory>

#include "solver/parameters/parameters.h"

namespace dashpot {

class TableReader;

// { keys = [[position, value], ...], interp = "monotonecubic" }, where interp may also be a list
// with one entry per key. nullptr if the table does not have the ramp; throws InputError if it is
// wrong.
std::shared_ptr<const Ramp> read_ramp(const TableReader& table, const Parameter& declaration);

}  // namespace dashpot
