#include "solver/host/presets.h"

#include <memory>

#include "solver/base/error.h"
#include "solver/base/words.h"

namespace dashpot {
namespace {

Preset::Value choice(const std::string& token, const std::string& item) {
  return {token, static_cast<double>(menu_index(parameter(token), item, "a preset"))};
}

// The first four values of every preset.
std::vector<Preset::Value> elastic(const std::string& material, double youngs, double poisson,
                                   double density) {
  return {choice("material", material),
          {"youngsmodulus", youngs},
          {"poissonratio", poisson},
          {"massdensity", density}};
}

std::vector<Preset::Value> with(std::vector<Preset::Value> values,
                                const std::vector<Preset::Value>& more) {
  values.insert(values.end(), more.begin(), more.end());
  return values;
}

std::vector<Preset> linear_presets() {
  return {
      {"jelly",
       "Jelly",
       "Wobbles for seconds after every touch, sags a little under its own weight.",
       "Soft, nearly incompressible, and Rayleigh damping so weak that a swing loses a few "
       "percent. "
       "High tones die first, the slow wobble stays.",
       with(elastic("neohookean", 2e4, 0.45, 1000),
            {choice("dampingmodel", "rayleigh"), {"dampingtime", 0.004}}),
       {}},
      {"rubber",
       "Rubber",
       "Snaps back fast, buzzes briefly and is still.",
       "Twenty-five times as stiff as jelly, so it swings five times as fast. Rayleigh damping "
       "takes "
       "a share of every swing that grows with its frequency.",
       with(elastic("neohookean", 5e5, 0.47, 1100),
            {choice("dampingmodel", "rayleigh"), {"dampingtime", 0.002}}),
       {}},
      {"gel",
       "Gel",
       "Flows back to its shape like thick honey and never swings.",
       "Overdamped: dampingtime is above 2/w for every mode of a body up to about half a metre, so "
       "that deformation decays as exp(-t / dampingtime) without crossing zero.",
       with(elastic("neohookean", 1.5e4, 0.45, 1000),
            {choice("dampingmodel", "rayleigh"), {"dampingtime", 0.35}}),
       {}},
      {"memoryfoam",
       "Memory Foam",
       "Keeps the dent of a hand and lets it go over some seconds.",
       "Light and compressible, with a damping time of 1.5 s, forty times above critical: shape "
       "comes back at the pace of dampingtime, whatever the size.",
       with(elastic("corotated", 8e3, 0.15, 80),
            {choice("dampingmodel", "rayleigh"), {"dampingtime", 1.5}}),
       {}},
      {"fleshjiggle",
       "Flesh Jiggle",
       "Two or three soft swings after a step, then quiet; the volume hardly changes.",
       "Shear and bulk viscosity apart (strain rate damping): bulk damping kills the ringing of "
       "volume, shear damping leaves a few swings of shape.",
       with(elastic("neohookean", 3e4, 0.47, 1050),
            {choice("dampingmodel", "strainrate"), {"dampingshear", 120}, {"dampingbulk", 400}}),
       {}},
      {"undamped",
       "Undamped",
       "Swings on and on, every tone of it.",
       "No damping at all; what is lost, the integrator loses. For comparisons, and for bodies "
       "that laplaciandamping or colliders bring to rest.",
       with(elastic("neohookean", 3e4, 0.45, 1000), {choice("dampingmodel", "none")}),
       {}},
  };
}

std::vector<Preset> power_presets() {
  return {
      {"softclay",
       "Soft Clay",
       "Gives way where the load is high, then keeps the new shape.",
       "Exponent 0, dry friction inside: stress below 2 dampingstrength dampingreference moves "
       "nothing. Rest is complete, and deformed.",
       with(elastic("neohookean", 4e4, 0.4, 1800), {choice("dampingmodel", "stretchrate"),
                                                    {"dampingstrength", 3000},
                                                    {"dampingexponent", 0},
                                                    {"dampingreference", 1}}),
       {}},
      {"springythenstill",
       "Springy then Still",
       "Swings like a spring, and then stops for good, without trembling on.",
       "Exponent 0.5: relative to the speed, damping grows as motion fades, and the swinging ends "
       "after a few swings instead of getting ever smaller. Unlike clay it returns to its rest "
       "shape.",
       with(elastic("neohookean", 3e4, 0.45, 1000), {choice("dampingmodel", "stretchrate"),
                                                     {"dampingstrength", 150},
                                                     {"dampingexponent", 0.5},
                                                     {"dampingreference", 1}}),
       {}},
      {"shockabsorber",
       "Shock Absorber",
       "Violent motion is caught at once; a small wobble lives long.",
       "Exponent 2: stress grows with the square of the rate, high in a hit and nothing in a "
       "gentle sway.",
       with(elastic("neohookean", 3e4, 0.45, 1000), {choice("dampingmodel", "stretchrate"),
                                                     {"dampingstrength", 300},
                                                     {"dampingexponent", 2},
                                                     {"dampingreference", 10}}),
       {}},
  };
}

std::vector<Preset> ramp_presets() {
  return {
      {"stiffwhendeformed",
       "Stiff when Deformed",
       "Large bends come back slowly, as if the body stiffened; near rest it settles in a swing "
       "or two.",
       "A damping ramp over stretch (max): ten times the damping at 15 % of stretch, a little of "
       "it at rest.",
       with(elastic("neohookean", 3e4, 0.45, 1000), {choice("dampingmodel", "stretchrate"),
                                                     {"dampingstrength", 3000},
                                                     choice("dampingrampmode", "max")}),
       {{0.85, 1.0}, {0.97, 0.08}, {1.03, 0.08}, {1.15, 1.0}}},
      {"loosenearrest",
       "Loose near Rest",
       "Large swings die at once; a fine tremble goes on for long.",
       "A damping ramp with a hole around rest: no damping within 4 % of stretch, full damping "
       "from 12 % on.",
       with(elastic("neohookean", 3e4, 0.45, 1000), {choice("dampingmodel", "stretchrate"),
                                                     {"dampingstrength", 600},
                                                     choice("dampingrampmode", "max")}),
       {{0.88, 1.0}, {0.96, 0.0}, {1.04, 0.0}, {1.12, 1.0}}},
      {"tightnearrest",
       "Tight near Rest",
       "Swings freely while it is bent, then stops short near its rest shape.",
       "The other way round: the ramp is high around rest and zero from 5 % of stretch on, axis by "
       "axis (perstrain).",
       with(elastic("neohookean", 3e4, 0.45, 1000), {choice("dampingmodel", "stretchrate"),
                                                     {"dampingstrength", 150},
                                                     choice("dampingrampmode", "perstrain")}),
       {{0.95, 0.0}, {0.985, 1.0}, {1.015, 1.0}, {1.05, 0.0}}},
  };
}

std::vector<Preset> declare_presets() {
  std::vector<Preset> all = linear_presets();
  for (auto& list : {power_presets(), ramp_presets()})
    all.insert(all.end() - 1, list.begin(), list.end());  // undamped stays last
  return all;
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = declare_presets();
  return all;
}

const Preset& find_preset(const std::string& token, const std::string& where) {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) {
    if (preset.token == token) return preset;
    names.push_back(preset.token);
  }
  const std::string near = nearest_word(token, names);
  throw InputError(where + ": there is no preset '" + token + "'" +
                   (near.empty() ? "; dashpot presets lists them." : did_you_mean(token, names)));
}

const std::vector<std::string>& preset_parameters() {
  static const std::vector<std::string> tokens = [] {
    std::vector<std::string> list;
    for (const Parameter& p : parameters()) {
      const bool of_body = p.scope == ParameterScope::kPrim || p.scope == ParameterScope::kBody;
      const bool of_material = p.token == "material" || p.token == "youngsmodulus" ||
                               p.token == "poissonratio" || p.token == "massdensity" ||
                               p.token == "massdamping";
      if (of_body && (of_material || p.token.rfind("damping", 0) == 0)) list.push_back(p.token);
    }
    return list;
  }();
  return tokens;
}

double preset_value(const Preset& preset, const std::string& token) {
  for (const Preset::Value& value : preset.values)
    if (value.token == token) return value.number;
  return parameter(token).number;
}

void apply_preset(const Preset& preset, Body& body) {
  const std::string where = "preset " + preset.token;
  for (const std::string& token : preset_parameters())
    if (parameter(token).type != ParameterType::kRamp)
      body.fields.set(token, preset_value(preset, token), where);
  body.damping_ramp =
      preset.ramp.empty() ? nullptr : std::make_shared<const Ramp>(preset.ramp, where);
}

}  // namespace dashpot
