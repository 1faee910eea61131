#pragma once

#include <functional>
#include <string>
#include <vector>

#include "solver/parameters/parameters.h"

namespace dashpot {

// Houdini's ramps live on [0, 1]. Beside each of ours a node has a range, which says what the two
// ends mean; scene files have the positions themselves.
struct RampRange {
  double low = 0, high = 1;
};

// A ramp as a node has it.
struct NodeRamp {
  std::vector<RampKey> keys;  // positions in [0, 1]
  RampRange range;
};

// One key as Houdini has it: in any order, at any distance, with any of its bases.
struct HostRampKey {
  double position, value;
  std::string basis;
};
// The host's own curve.
using SampleRamp = std::function<double(double position)>;

// Keys in order. A curve with a basis that has no form of our own is sampled.
NodeRamp make_node_ramp(std::vector<HostRampKey> keys, const RampRange& range,
                        const SampleRamp& sample);

// What Houdini calls a key's basis, by its number in the menu of ramps.
std::string ramp_basis(int menu_item);

// "dampingramprange" of "dampingramp".
std::string range_token(const Parameter& ramp);
RampRange default_range(const Parameter& ramp);

// Keys of a scene file as a node with the default range has them, and back.
NodeRamp node_ramp(const Parameter& ramp, const std::vector<RampKey>& keys);
// Throws InputError, beginning with `where`, for a range that is no range.
std::vector<RampKey> ramp_keys(const Parameter& ramp, const NodeRamp& of_node,
                               const std::string& where);

}  // namespace dashpot
