#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "solver/base/hash.h"
#include "solver/host/node_parameters.h"
#include "solver/host/node_ramp.h"
#include "solver/simulation/scene.h"

namespace dashpot {

// The declared parameters as a node has them.
struct NodeValues {
  SolverSettings settings;
  ElementFields fields;
  bool pin_all = false;                      // pintoanimation
  std::shared_ptr<const Ramp> damping_ramp;  // nullptr: the declared default
  double friction = 0, restitution = 0;      // of colliders that do not say
  std::uint64_t hash = 0;                    // of all of them
};

// Component of a parameter's value now: a number, the index of a menu's item, 0 or 1.
using EvaluateParameter = std::function<double(const Parameter& parameter, int component)>;

// A ramp now.
using EvaluateRamp = std::function<NodeRamp(const Parameter& parameter)>;

// What Houdini calls a key's interpolation, by its number in the menu of ramps.
std::string ramp_menu_item(int number);
// Throws InputError for those that have no counterpart.
RampInterpolation ramp_interpolation(const std::string& name);

// Throws InputError for values that are out of range.
NodeValues read_node_values(NodeKind kind, const EvaluateParameter& evaluate,
                            const EvaluateRamp& evaluate_ramp);

// The tokens whose value differs from one evaluation to the other.
std::vector<std::string> differing_parameters(NodeKind kind, const EvaluateParameter& one,
                                              const EvaluateParameter& other);

}  // namespace dashpot
