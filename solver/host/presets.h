#pragma once

#include <string>
#include <vector>

#include "solver/parameters/parameters.h"
#include "solver/simulation/scene.h"

namespace dashpot {

// Styles of softness and damping that an artist picks by name. One table: `dashpot simulate
// --preset`, the menus of the Houdini assets, Houdini's preset files and docs/presets.md are made
// from it.
struct Preset {
  struct Value {
    std::string token;  // of a declared parameter
    double number;      // kMenu: index of the choice
  };
  std::string token, label;
  std::string looks;    // what one sees
  std::string physics;  // why, in terms of the parameters
  std::vector<Value> values;
  std::vector<RampKey> ramp;  // dampingramp; empty: the declared default
};

const std::vector<Preset>& presets();

// Throws InputError that names the nearest one. `where` says who asks, e.g. "--preset jely".
const Preset& find_preset(const std::string& token, const std::string& where);

// The parameters that a preset decides about, material and damping, in the order of declaration.
// Those that it does not name go back to their defaults, so that the look does not depend on what
// was set before.
const std::vector<std::string>& preset_parameters();

// Value of a parameter that is not a ramp.
double preset_value(const Preset& preset, const std::string& token);

void apply_preset(const Preset& preset, Body& body);

}  // namespace dashpot
