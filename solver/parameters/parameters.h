#pragma once

#include <functional>
#include <string>
#include <vector>

#include "solver/base/hash.h"
#include "solver/base/types.h"
#include "solver/dissipation/ramp.h"

namespace dashpot {

struct BodyContact;     // body_contact.h
struct Collider;        // solver/contact/collider.h
struct SolverSettings;  // solver_settings.h

// Every parameter of Dashpot is declared once, in the tables of this room. Scene files, range
// checks, fingerprints, the fields of SolverSettings, `dashpot params`, the reference pages and the
// Houdini dialogs all go by them.

enum class ParameterType { kFloat, kInt, kBool, kVector3, kMenu, kRamp };

// Where a value is set. kSolver: once per simulation. kBody: per body. kPrim, kPoint: per body, and
// an attribute of the same name on tets (points) is the value, element by element. kCollider: per
// collider, and what there is of it in BodyContact per body, too.
enum class ParameterScope { kSolver, kBody, kPrim, kPoint, kCollider };

// Where the dialogs of nodes show it.
enum class ParameterFolder { kSimulation, kSolver, kMaterial, kDamping, kContact, kOutput };

struct MenuItem {
  std::string token, label;
};

// A value as hosts read it, before it has the type of its member.
struct ParameterValue {
  double number = 0.0;  // index of the item of kMenu, 0 or 1 of kBool
  Vec3 vector = Vec3::Zero();
};

// The member that holds a value, and gives it its type.
template <class Owner>
struct ParameterMember {
  std::function<ParameterValue(const Owner&)> get;
  std::function<void(const ParameterValue&, Owner&)> set;
};

struct Parameter {
  std::string token, label;
  ParameterType type = ParameterType::kFloat;
  ParameterScope scope = ParameterScope::kSolver;
  ParameterFolder folder = ParameterFolder::kSolver;
  std::string unit;            // empty: no unit
  double number = 0.0;         // default of kFloat, kInt, kBool; index of the default of kMenu
  Vec3 vector = Vec3::Zero();  // default of kVector3
  // Values outside [min, max) or [min, max] are refused.
  double min = 0.0, max = 0.0;
  bool max_excluded = false, min_excluded = false;
  double slider_min = 0.0, slider_max = 0.0;  // what a slider offers
  bool logarithmic = false;                   // the slider goes by powers of ten
  std::vector<MenuItem> menu;
  std::vector<RampKey> ramp;  // default of kRamp; positions are sliders' values
  // Whether it may be another at every step. Others need a Simulation that is made anew.
  bool varies = false;
  std::string disabled_when;  // it has no effect, as a rule of Houdini's dialogs; "": never
  std::string help;  // what it does, its unit, and the consequence of turning it up or down
  ParameterMember<SolverSettings> setting;  // of kSolver
  ParameterMember<Collider> coefficient;    // of kCollider
  ParameterMember<BodyContact> body_contact;

  bool is_of_body_contact() const { return body_contact.set != nullptr; }
};

const std::vector<Parameter>& parameters();

std::vector<std::string> tokens(ParameterScope scope);

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

// Throws InputError if the number is not finite, out of range or, unless it is kFloat, not whole.
void check_number(const Parameter& declaration, double value, const std::string& where);
// The same for a value of any type but kRamp.
void check_value(const Parameter& declaration, const ParameterValue& value,
                 const std::string& where);

void hash_value(const Parameter& declaration, const ParameterValue& value, Hash& hash);

}  // namespace dashpot
