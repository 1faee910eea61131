#pragma once

#include "solver/parameters/parameters.h"

namespace dashpot {

inline double default_component(const Parameter& p, int component) {
  return p.type == ParameterType::kVector3 ? p.vector[component] : p.number;
}

// A number that is accepted and not the default, for each component of a parameter.
inline double other_number(const Parameter& p) {
  if (p.type == ParameterType::kFloat) return 0.5 * p.number + 0.01;
  if (p.type == ParameterType::kInt) return p.number + 1;
  return p.number == 0 ? 1 : 0;
}

}  // namespace dashpot
