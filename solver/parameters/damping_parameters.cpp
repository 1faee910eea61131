#include "solver/dissipation/damping.h"
#include "solver/dissipation/ramp_scale.h"
#include "solver/parameters/declaration.h"
#include "solver/parameters/declarations.h"

namespace dashpot {
namespace {

const char* const kNoModel = "{ dampingmodel == none }";

template <class T>
Declaration<T> damping_value(const T& initial, const char* token, const char* label) {
  return declare(ParameterScope::kPrim, initial, token, label).in(ParameterFolder::kDamping);
}

Parameter damping_model() {
  return damping_value(DampingModel::kNone, "dampingmodel", "Damping Model")
      .choices({{DampingModel::kNone, "none", "None"},
                {DampingModel::kStrainRate, "strainrate", "Strain Rate"},
                {DampingModel::kRayleigh, "rayleigh", "Rayleigh"},
                {DampingModel::kRayleighLagged, "rayleighlagged", "Rayleigh, Lagged"},
                {DampingModel::kPrincipalStrain, "principalstrain", "Principal Strain"},
                {DampingModel::kStretchRate, "stretchrate", "Stretch Rate"}})
      .help(
          "What slows vibration down; none of them touches falling or turning, except Rayleigh "
          "without conserveangular. Stretch rate damps all deformation alike and converges best. "
          "Strain rate has separate shear and bulk viscosity. Rayleigh and principal strain damp "
          "in proportion to stiffness, high frequencies more than low ones; principal strain "
          "lets the axes of stretch turn freely. Lagged takes the stiffness at the start of the "
          "step.");
}

std::vector<Parameter> strength_parameters() {
  return {
      damping_value(0.0, "dampingshear", "Shear Damping")
          .unit("Pa s")
          .from(0)
          .to(1e15)
          .slider(0, 1e4)
          .disabled_when("{ dampingmodel != strainrate }")
          .help("Viscosity against changes of shape, for strainrate. Compare with youngsmodulus "
                "times the time in which motion should die down."),
      damping_value(0.0, "dampingbulk", "Bulk Damping")
          .unit("Pa s")
          .from(0)
          .to(1e15)
          .slider(0, 1e4)
          .disabled_when("{ dampingmodel != strainrate }")
          .help("Viscosity against changes of volume, for strainrate."),
      damping_value(0.0, "dampingtime", "Damping Time")
          .unit("s")
          .from(0)
          .to(1e6)
          .slider(0, 0.2)
          .disabled_when("{ dampingmodel == none } { dampingmodel == strainrate } "
                         "{ dampingmodel == stretchrate }")
          .help("For rayleigh, rayleighlagged and principalstrain: damping stress per elastic "
                "stress rate. A mode of angular frequency w dies as exp(-w^2 dampingtime t / 2); "
                "at 2/w it no longer swings."),
      damping_value(0.0, "dampingstrength", "Damping Strength")
          .unit("Pa s")
          .from(0)
          .to(1e15)
          .slider(0, 1e4)
          .disabled_when("{ dampingmodel != stretchrate }")
          .help("Viscosity against changes of stretch, for stretchrate: the stress is twice this "
                "times the rate."),
  };
}

std::vector<Parameter> rate_law_parameters() {
  return {
      damping_value(1.0, "dampingexponent", "Damping Exponent")
          .from(0)
          .to(10)
          .slider(0, 3)
          .disabled_when(kNoModel)
          .help("How damping stress grows with rate. 1: in proportion, motion dies exponentially. "
                "Below 1: strong at small rates; 0 is dry like clay, comes to a complete rest and "
                "may keep a deformed shape. Above 1: small motion lives long, violent motion is "
                "held back."),
      damping_value(1.0, "dampingreference", "Damping Reference Rate")
          .unit("1/s")
          .above(0)
          .to(1e9)
          .slider(0.01, 10)
          .disabled_when(std::string(kNoModel) +
                         " { dampingexponent == 1 dampingrampmode != perrate }")
          .help("Strain rate at which all exponents damp alike: 1 stretches a tet by its own "
                "length in a second. Has no effect when dampingexponent is 1, except as the unit "
                "of perrate ramps."),
  };
}

std::vector<Parameter> ramp_parameters() {
  const std::vector<RampKey> tight_when_deformed = {{0.7, 1.0}, {1.0, 0.1}, {1.3, 1.0}};
  return {
      damping_value(RampMode::kOff, "dampingrampmode", "Damping Ramp Mode")
          .choices({{RampMode::kOff, "off", "Off"},
                    {RampMode::kMax, "max", "Over Stretch, Largest"},
                    {RampMode::kPerStrain, "perstrain", "Over Stretch, Per Axis"},
                    {RampMode::kPerRate, "perrate", "Over Rate, Per Axis"}})
          .disabled_when(kNoModel)
          .help("What dampingramp multiplies the damping by. max: the largest of its values at the "
                "three principal stretches of a tet, for all directions. perstrain: along each "
                "principal axis its value at that stretch. perrate: its value at the rate of each "
                "stretch, in units of dampingreference."),
      declare(ParameterScope::kBody, tight_when_deformed, "dampingramp", "Damping Ramp")
          .in(ParameterFolder::kDamping)
          .from(0)
          .slider(0.5, 1.5)
          .disabled_when(std::string(kNoModel) + " { dampingrampmode == off }")
          .help("Multiplier of damping over stretch: 1 is the rest length, 0.7 squashed to 70 %, "
                "1.3 stretched by 30 %. The default damps what is deformed ten times more than "
                "what is near rest. Needs dampingrampmode and a damping model."),
  };
}

}  // namespace

std::vector<Parameter> damping_parameters() {
  std::vector<Parameter> all = {damping_model()};
  for (auto& list : {strength_parameters(), rate_law_parameters(), ramp_parameters()})
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace dashpot
