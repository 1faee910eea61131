#include <algorithm>

#include "UT/UT_Ramp.h"

void UT_Ramp::add(double position, double value, UT_SPLINE_BASIS basis) {
  nodes_.push_back(
      {static_cast<float>(std::clamp(position, 0.0, 1.0)), {static_cast<float>(value)}, basis});
}

void UT_Ramp::rampLookup(fpreal position, float values[4]) const {
  std::fill_n(values, 4, 0.0F);
  if (nodes_.empty()) return;
  std::vector<UT_ColorNode> sorted = nodes_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const UT_ColorNode& a, const UT_ColorNode& b) { return a.t < b.t; });
  const auto at = static_cast<float>(position);
  const auto next = std::find_if(sorted.begin(), sorted.end(),
                                 [&](const UT_ColorNode& node) { return node.t > at; });
  if (next == sorted.begin() || next == sorted.end()) {
    values[0] = (next == sorted.begin() ? sorted.front() : sorted.back()).rgba.r;
    return;
  }
  const UT_ColorNode &a = *std::prev(next), &b = *next;
  const float t = (at - a.t) / (b.t - a.t);
  const float share = a.basis == UT_SPLINE_CONSTANT ? 0
                      : a.basis == UT_SPLINE_LINEAR ? t
                                                    : t * t * (3 - 2 * t);
  values[0] = a.rgba.r + share * (b.rgba.r - a.rgba.r);
}
