#include "solver/host/node_ramp.h"

#include <cmath>
#include <sstream>

#include "solver/base/error.h"

namespace dashpot {

std::string range_token(const Parameter& ramp) {
  return ramp.token + "range";
}

RampRange default_range(const Parameter& ramp) {
  return {ramp.slider_min, ramp.slider_max};
}

NodeRamp node_ramp(const Parameter& ramp, const std::vector<RampKey>& keys) {
  constexpr double kDecimals = 1e12;  // 0.7 is 0.2 of the way from 0.5 to 1.5, and not 0.2 - 3e-17
  NodeRamp made{keys, default_range(ramp)};
  const double width = made.range.high - made.range.low;
  for (RampKey& key : made.keys)
    key.position = std::round((key.position - made.range.low) / width * kDecimals) / kDecimals;
  return made;
}

std::vector<RampKey> ramp_keys(const Parameter& ramp, const NodeRamp& of_node,
                               const std::string& where) {
  const auto [low, high] = of_node.range;
  if (!std::isfinite(low) || !std::isfinite(high) || !(low < high)) {
    std::ostringstream sentence;
    sentence << where << ": " << range_token(ramp) << " goes from " << low << " to " << high
             << "; its second number must be above its first.";
    throw InputError(sentence.str());
  }
  std::vector<RampKey> keys = of_node.keys;
  for (RampKey& key : keys) key.position = low + (high - low) * key.position;
  return keys;
}

}  // namespace dashpot
