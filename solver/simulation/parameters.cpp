#include "solver/simulation/parameters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "solver/base/error.h"
#include "solver/base/words.h"

namespace dashpot {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

Parameter menu(std::string token, std::string label, ParameterScope scope,
               std::vector<MenuItem> items, int default_index, std::string help) {
  Parameter p{std::move(token),
              std::move(label),
              ParameterType::kMenu,
              scope,
              "",
              {},
              {},
              {},
              {},
              false,
              false,
              {},
              {},
              false,
              {},
              {},
              {}};
  p.number = default_index;
  p.max = static_cast<double>(items.size()) - 1;
  p.menu = std::move(items);
  p.help = std::move(help);
  return p;
}

struct Range {
  double min, max;
  bool min_excluded = false, max_excluded = false;
};
struct Slider {
  double min, max;
  bool logarithmic = false;
};

Parameter number(ParameterType type, std::string token, std::string label, ParameterScope scope,
                 std::string unit, double value, Range range, Slider slider, std::string help) {
  Parameter p{std::move(token),
              std::move(label),
              type,
              scope,
              std::move(unit),
              value,
              {},
              {},
              {},
              false,
              false,
              {},
              {},
              false,
              {},
              {},
              {}};
  p.min = range.min;
  p.max = range.max;
  p.min_excluded = range.min_excluded;
  p.max_excluded = range.max_excluded;
  p.slider_min = slider.min;
  p.slider_max = slider.max;
  p.logarithmic = slider.logarithmic;
  p.help = std::move(help);
  return p;
}

Parameter vector(std::string token, std::string label, ParameterScope scope, std::string unit,
                 const Vec3& value, std::string help) {
  Parameter p = number(ParameterType::kVector3, std::move(token), std::move(label), scope,
                       std::move(unit), 0, {-kUnbounded, kUnbounded}, {-10, 10}, std::move(help));
  p.vector = value;
  return p;
}

Parameter ramp(std::string token, std::string label, ParameterScope scope,
               std::vector<RampKey> keys, Slider positions, std::string help) {
  Parameter p = number(ParameterType::kRamp, std::move(token), std::move(label), scope, "", 0,
                       {0, kUnbounded}, positions, std::move(help));
  p.ramp = std::move(keys);
  return p;
}

std::vector<Parameter> solver_parameters() {
  constexpr auto kScope = ParameterScope::kSolver;
  return {
      menu("integrator", "Integrator", kScope,
           {{"backwardeuler", "Backward Euler"},
            {"bdf2", "BDF2"},
            {"trbdf2", "TR-BDF2"},
            {"bathe", "Bathe"},
            {"midpoint", "Implicit Midpoint"},
            {"trapezoidal", "Trapezoidal"}},
           2,
           "How one step is taken. TR-BDF2 and Bathe solve twice per step, keep motion lively and "
           "stay stable at any stiffness. Backward Euler is the most robust and loses the most "
           "motion. BDF2 is between them. Midpoint and trapezoidal lose no energy, and can blow up "
           "when the step is long for the stiffness."),
      number(ParameterType::kInt, "substeps", "Substeps", kScope, "", 1, {1, 1000}, {1, 10},
             "Steps per frame. More substeps follow fast motion more closely and cost in "
             "proportion."),
      number(ParameterType::kFloat, "timescale", "Time Scale", kScope, "", 1, {0, 1e6, true},
             {0.1, 2},
             "Simulated seconds per second of the timeline: below 1 is slow motion, above 1 is "
             "fast."),
      vector("gravity", "Gravity", kScope, "m/s^2", {0, -9.81, 0},
             "Acceleration of everything that is not pinned."),
      number(ParameterType::kInt, "iterations", "Iterations", kScope, "", 60, {1, 100000}, {1, 200},
             "Budget of iterations per stage. The solver stops earlier when the tolerance is "
             "reached; when the budget ends first, the frame is marked. Too few make the body look "
             "softer and more damped than it is."),
      number(
          ParameterType::kFloat, "tolerance", "Tolerance", kScope, "", 1e-4, {0, 1},
          {1e-6, 1e-2, true},
          "Mismatch at which a stage counts as solved, relative to how much the stage deforms and "
          "turns the body. 1e-4 leaves points of a soft body right to 1e-4 of the way they move "
          "in a step, those of a very stiff one to a few percent. 0 always spends the whole "
          "budget."),
      menu("stagesolver", "Stage Solver", kScope, {{"automatic", "Automatic"}, {"admm", "ADMM"}}, 0,
           "How a stage is solved. Automatic takes quasi-Newton steps where forces are smooth, and "
           "ADMM where they are not: dry damping, contact, tets squeezed far. "
           "ADMM is the papers' method throughout. Both come to the same shape, ADMM in more and "
           "longer iterations."),
      number(ParameterType::kInt, "conserveangular", "Conserve Angular Momentum", kScope, "", 1,
             {0, 1}, {0, 1},
             "1: rayleigh, rayleighlagged and Laplacian damping leave spin alone. 0: as in the "
             "textbook, they slow spinning bodies down. The other damping models never do."),
      number(ParameterType::kInt, "secondorder", "Second Order Damping", kScope, "", 1, {0, 1},
             {0, 1},
             "1: rayleigh has exactly the stress of its model, and the order of the integrator. 0: "
             "as in the paper without its correction, with an error that falls only in proportion "
             "to the step. Other models are the same either way."),
      number(ParameterType::kFloat, "laplaciandamping", "Laplacian Damping", kScope, "s", 0,
             {0, 1e6}, {0, 0.1},
             "Damping of all bodies by one constant matrix, the cheapest there is: every tet "
             "resists change in proportion to its shear modulus times this time. It also steadies "
             "midpoint and trapezoidal integration of stiff bodies. Free fall is not slowed."),
  };
}

std::vector<Parameter> body_parameters() {
  constexpr auto kScope = ParameterScope::kPrim;
  return {
      menu("material", "Material", kScope,
           {{"corotated", "Corotated"},
            {"neohookean", "Neo-Hookean"},
            {"stvk", "St. Venant-Kirchhoff"},
            {"arap", "As Rigid As Possible"}},
           1,
           "How the body resists deformation. Neo-Hookean stiffens when squashed and is right for "
           "rubber and flesh; corotated is linear in stretch and cheapest; St. Venant-Kirchhoff "
           "stiffens in tension and softens when squashed; as-rigid-as-possible ignores the "
           "Poisson ratio."),
      number(ParameterType::kFloat, "youngsmodulus", "Young's Modulus", kScope, "Pa", 1e5,
             {0, 1e13, true}, {1e3, 1e7, true},
             "Stiffness. 1e4 is jelly, 1e5 is flesh, 1e6 is rubber, 1e7 is a car tyre. Frequencies "
             "rise with its square root."),
      number(ParameterType::kFloat, "poissonratio", "Poisson Ratio", kScope, "", 0.4,
             {0, 0.5, false, true}, {0, 0.49},
             "How much volume is kept: 0 like cork, 0.3 like foam, 0.45 and above like rubber and "
             "flesh. Values near 0.5 need more iterations."),
      number(ParameterType::kFloat, "massdensity", "Density", kScope, "kg/m^3", 1000,
             {0, 1e9, true}, {10, 5000},
             "Mass per volume at rest. Water and flesh have 1000. Heavier bodies sag more and "
             "swing more slowly."),
      number(ParameterType::kFloat, "massdamping", "Mass Damping", kScope, "1/s", 0, {0, 1e9},
             {0, 10},
             "Drag against all motion, free fall included: speed falls as exp(-a t). The only "
             "damping that touches rigid motion."),
  };
}

std::vector<Parameter> damping_parameters() {
  constexpr auto kScope = ParameterScope::kPrim;
  return {
      menu("dampingmodel", "Damping Model", kScope,
           {{"none", "None"},
            {"strainrate", "Strain Rate"},
            {"rayleigh", "Rayleigh"},
            {"rayleighlagged", "Rayleigh, Lagged"},
            {"principalstrain", "Principal Strain"},
            {"stretchrate", "Stretch Rate"}},
           0,
           "What slows vibration down; none of them touches falling or turning, except Rayleigh "
           "without conserveangular. Stretch rate damps all deformation alike and converges best. "
           "Strain rate has separate shear and bulk viscosity. Rayleigh and principal strain damp "
           "in proportion to stiffness, high frequencies more than low ones; principal strain lets "
           "the axes of stretch turn freely. Lagged takes the stiffness at the start of the step."),
      number(ParameterType::kFloat, "dampingshear", "Shear Damping", kScope, "Pa s", 0, {0, 1e15},
             {0, 1e4},
             "Viscosity against changes of shape, for strainrate. Compare with youngsmodulus times "
             "the time in which motion should die down."),
      number(ParameterType::kFloat, "dampingbulk", "Bulk Damping", kScope, "Pa s", 0, {0, 1e15},
             {0, 1e4}, "Viscosity against changes of volume, for strainrate."),
      number(ParameterType::kFloat, "dampingtime", "Damping Time", kScope, "s", 0, {0, 1e6},
             {0, 0.2},
             "For rayleigh, rayleighlagged and principalstrain: damping stress per elastic stress "
             "rate. A mode of angular frequency w dies as exp(-w^2 dampingtime t / 2); at 2/w it "
             "no longer swings."),
      number(ParameterType::kFloat, "dampingstrength", "Damping Strength", kScope, "Pa s", 0,
             {0, 1e15}, {0, 1e4},
             "Viscosity against changes of stretch, for stretchrate: the stress is twice this "
             "times the rate."),
      number(ParameterType::kFloat, "dampingexponent", "Damping Exponent", kScope, "", 1, {0, 10},
             {0, 3},
             "How damping stress grows with rate. 1: in proportion, motion dies exponentially. "
             "Below 1: strong at small rates; 0 is dry like clay, comes to a complete rest and "
             "may keep a deformed shape. Above 1: small motion lives long, violent motion is held "
             "back."),
      number(ParameterType::kFloat, "dampingreference", "Damping Reference Rate", kScope, "1/s", 1,
             {0, 1e9, true}, {0.01, 10},
             "Strain rate at which all exponents damp alike: 1 stretches a tet by its own length "
             "in a second. Has no effect when dampingexponent is 1, except as the unit of perrate "
             "ramps."),
      menu("dampingrampmode", "Damping Ramp Mode", kScope,
           {{"off", "Off"},
            {"max", "Over Stretch, Largest"},
            {"perstrain", "Over Stretch, Per Axis"},
            {"perrate", "Over Rate, Per Axis"}},
           0,
           "What dampingramp multiplies the damping by. max: the largest of its values at the "
           "three principal stretches of a tet, for all directions. perstrain: along each "
           "principal axis its value at that stretch. perrate: its value at the rate of each "
           "stretch, in units of dampingreference."),
      ramp("dampingramp", "Damping Ramp", ParameterScope::kBody,
           {{0.7, 1.0}, {1.0, 0.1}, {1.3, 1.0}}, {0.5, 1.5},
           "Multiplier of damping over stretch: 1 is the rest length, 0.7 squashed to 70 %, 1.3 "
           "stretched by 30 %. The default damps what is deformed ten times more than what is "
           "near rest. Needs dampingrampmode and a damping model."),
  };
}

std::vector<Parameter> point_parameters() {
  return {
      number(ParameterType::kInt, "pintoanimation", "Pin to Animation", ParameterScope::kPoint, "",
             0, {0, 1}, {0, 1},
             "1: the point follows its target exactly. 0: the point is simulated."),
  };
}

std::vector<Parameter> collider_parameters() {
  constexpr auto kScope = ParameterScope::kCollider;
  return {
      number(ParameterType::kFloat, "friction", "Friction", kScope, "", 0.5, {0, 1e6}, {0, 1},
             "Coulomb's coefficient: the force along the surface is at most this times the force "
             "against it. A block stays put on a slope whose tangent is below it. 0 is ice, 0.3 "
             "wood on wood, 1 rubber on asphalt. A point attribute friction of the body "
             "multiplies it."),
      number(ParameterType::kFloat, "restitution", "Restitution", kScope, "", 0, {0, 1}, {0, 1},
             "Share of its speed with which a point leaves the collider after it hit it: 0 does "
             "not bounce, 1 loses nothing. What a soft body stores by deforming comes back on top "
             "of it. Hits slower than gravity makes them within a step do not bounce."),
  };
}

std::vector<Parameter> declare_all() {
  std::vector<Parameter> all = solver_parameters();
  for (auto& list :
       {body_parameters(), damping_parameters(), point_parameters(), collider_parameters()})
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::string range_text(const Parameter& p) {
  std::ostringstream text;
  if (std::isinf(p.max))
    text << (p.min_excluded ? "above " : "at least ") << p.min;
  else
    text << (p.min_excluded ? "above " : "from ") << p.min
         << (p.max_excluded ? " to below " : " to ") << p.max;
  return text.str();
}

}  // namespace

const std::vector<Parameter>& parameters() {
  static const std::vector<Parameter> all = declare_all();
  return all;
}

const Parameter* find_parameter(const std::string& token) {
  for (const Parameter& p : parameters())
    if (p.token == token) return &p;
  return nullptr;
}

const Parameter& parameter(const std::string& token) {
  const Parameter* found = find_parameter(token);
  if (!found) throw std::logic_error("no parameter is declared with the token " + token);
  return *found;
}

std::vector<std::string> menu_tokens(const std::vector<MenuItem>& menu) {
  std::vector<std::string> tokens;
  tokens.reserve(menu.size());
  for (const MenuItem& item : menu) tokens.push_back(item.token);
  return tokens;
}

int menu_index(const Parameter& declaration, const std::string& token, const std::string& where) {
  const std::vector<std::string> tokens = menu_tokens(declaration.menu);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i] == token) return static_cast<int>(i);
  throw InputError(where + ": " + declaration.token + " has no choice '" + token + "'" +
                   did_you_mean(token, tokens));
}

const std::vector<MenuItem>& ramp_interpolations() {
  static const std::vector<MenuItem> items = {{"linear", "Linear"},
                                              {"catmull-rom", "Catmull-Rom"},
                                              {"monotonecubic", "Monotone Cubic"},
                                              {"bezier", "Bezier"},
                                              {"constant", "Constant"}};
  return items;
}

void check_number(const Parameter& declaration, double value, const std::string& where) {
  const auto fail = [&](const std::string& complaint) {
    throw InputError(where + ": " + declaration.token + " = " + exact(value) + " " + complaint +
                     ".");
  };
  if (!std::isfinite(value)) fail("is not a finite number");
  const bool low = declaration.min_excluded ? value <= declaration.min : value < declaration.min;
  const bool high = declaration.max_excluded ? value >= declaration.max : value > declaration.max;
  if (low || high) fail("is out of range; use " + range_text(declaration));
  const bool whole =
      declaration.type == ParameterType::kInt || declaration.type == ParameterType::kMenu;
  if (whole && value != std::floor(value)) fail("must be a whole number");
}

}  // namespace dashpot
