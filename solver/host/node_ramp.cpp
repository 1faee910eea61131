#include "solver/host/node_ramp.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "solver/base/error.h"

namespace dashpot {
namespace {

constexpr int kSamples = 256;      // of a curve that has no form of our own
constexpr double kNearest = 1e-6;  // of two keys: a jump, for Houdini's interface has six decimals

std::optional<RampInterpolation> own_form(const std::string& basis) {
  for (std::size_t i = 0; i < ramp_interpolations().size(); ++i)
    if (ramp_interpolations()[i].token == basis) return static_cast<RampInterpolation>(i);
  return std::nullopt;
}

std::vector<RampKey> sampled(const SampleRamp& sample) {
  constexpr double kRounding = 1e-6;  // hosts compute in single precision
  std::vector<RampKey> keys;
  for (int i = 0; i <= kSamples; ++i) {
    const double position = static_cast<double>(i) / kSamples, value = sample(position);
    keys.push_back(
        {position, value < 0 && value > -kRounding ? 0 : value, RampInterpolation::kLinear});
  }
  return keys;
}

}  // namespace

NodeRamp make_node_ramp(std::vector<HostRampKey> keys, const RampRange& range,
                        const SampleRamp& sample) {
  std::stable_sort(keys.begin(), keys.end(), [](const HostRampKey& a, const HostRampKey& b) {
    return a.position < b.position;
  });
  NodeRamp made{{}, range};
  for (const HostRampKey& key : keys) {
    const auto form = own_form(key.basis);
    if (!form) return {sampled(sample), range};
    const double least = made.keys.empty() ? key.position : made.keys.back().position + kNearest;
    made.keys.push_back({std::max(key.position, least), key.value, *form});
  }
  return made;
}

std::string ramp_basis(int menu_item) {
  static const char* const kItems[] = {"constant", "linear",  "catmull-rom", "monotonecubic",
                                       "bezier",   "bspline", "hermite"};
  return menu_item >= 0 && menu_item < 7 ? kItems[menu_item] : "unknown";
}

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
