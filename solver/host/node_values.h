#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "solver/base/hash.h"
#include "solver/host/geometry_view.h"
#include "solver/host/node_parameters.h"
#include "solver/host/node_ramp.h"
#include "solver/simulation/scene.h"

namespace dashpot {

// The declared parameters as a node has them.
struct NodeValues {
  SolverSettings settings;
  ElementFields fields;
  bool pin_all = false;                      // pintoanimation
  std::shared_ptr<const Ramp> damping_ramp;  // nullptr: it is off
  Collider collider;                         // coefficients of those that do not say
  BodyContact contact;
  std::uint64_t hash = 0;  // of all of them
};

// Component of a parameter's value now: a number, the index of a menu's item, 0 or 1.
using EvaluateParameter = std::function<double(const Parameter& parameter, int component)>;

// A ramp now.
using EvaluateRamp = std::function<NodeRamp(const Parameter& parameter)>;

// Throws InputError for values that are out of range.
NodeValues read_node_values(NodeKind kind, const EvaluateParameter& evaluate);

// The damping ramp too, if the node or an attribute of the geometry turns it on: what a ramp that
// is off looks like does not matter. Throws InputError for one that cannot be used.
void read_node_ramp(const EvaluateRamp& evaluate, const GeometryView& geometry, NodeValues& values);

// The tokens whose value differs from one evaluation to the other.
std::vector<std::string> differing_parameters(NodeKind kind, const EvaluateParameter& one,
                                              const EvaluateParameter& other);

}  // namespace dashpot
