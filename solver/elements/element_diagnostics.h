#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "solver/base/types.h"
#include "solver/elasticity/material.h"

namespace dashpot {

// One tet as a diagnostic sees it.
struct ElementView {
  const Points& x;  // m
  const Tet& tet;
  Stretches<double> stretches;  // signed, largest first
  Material material;
  Lame<double> lame;   // Pa
  double rest_volume;  // m^3
  double dissipated;   // in the last frame, J
};

// A number per tet that hosts write as a primitive attribute of this name. Finite for every finite
// state, collapsed and inverted tets included.
struct ElementDiagnostic {
  const char* token;
  const char* unit;  // "" if it has none
  const char* help;
  double (*value)(const ElementView&);
};

// All there are, in the order of the documentation.
const std::vector<ElementDiagnostic>& element_diagnostics();

// Throws InputError, listing the tokens, if there is none of that name.
const ElementDiagnostic& find_element_diagnostic(std::string_view token);

}  // namespace dashpot
