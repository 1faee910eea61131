#pragma once

#include <string>
#include <vector>

#include "solver/base/types.h"
#include "solver/dissipation/ramp.h"

namespace dashpot {

// Every parameter of Dashpot is declared once, in parameters.cpp. The scene file, `dashpot params`,
// the reference page and the Houdini dialogs are made from this table.

enum class ParameterType { kFloat, kInt, kVector3, kMenu, kRamp };

// Where a value is set. kSolver: once per simulation. kBody: per body. kPrim, kPoint: per body, and
// an attribute of the same name on tets (points) is the value, element by element. kCollider: per
// collider.
enum class ParameterScope { kSolver, kBody, kPrim, kPoint, kCollider };

struct MenuItem {
  std::string token, label;
};

struct Parameter {
  std::string token, label;
  ParameterType type;
  ParameterScope scope;
  std::string unit;            // empty: no unit
  double number = 0.0;         // default of kFloat, kInt; index of the default of kMenu
  Vec3 vector = Vec3::Zero();  // default of kVector3
  // Values outside [min, max) or [min, max] are refused.
  double min = 0.0, max = 0.0;
  bool max_excluded = false, min_excluded = false;
  double slider_min = 0.0, slider_max = 0.0;  // what a slider offers
  bool logarithmic = false;                   // the slider goes by powers of ten
  std::vector<MenuItem> menu;
  std::vector<RampKey> ramp;  // default of kRamp; positions are sliders' values
  std::string help;  // what it does, its unit, and the consequence of turning it up or down
};

const std::vector<Parameter>& parameters();

// nullptr if there is none.
const Parameter* find_parameter(const std::string& token);
// For declarations that are known to exist.
const Parameter& parameter(const std::string& token);

std::vector<std::string> menu_tokens(const std::vector<MenuItem>& menu);

// Index of a menu token; throws InputError that names the nearest choice. `where` says whose value
// it is, e.g. "body 'jelly'".
int menu_index(const Parameter& declaration, const std::string& token, const std::string& where);

// The names of Houdini's ramps for the ways to interpolate, in the order of RampInterpolation.
const std::vector<MenuItem>& ramp_interpolations();

// Throws InputError if the number is not finite, out of range or, for kInt and kMenu, not whole.
void check_number(const Parameter& declaration, double value, const std::string& where);

}  // namespace dashpot
