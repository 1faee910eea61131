#include "solver/dissipation/ramp.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "solver/base/error.h"

namespace dashpot {
namespace {

// The cubic from a to b with the given slopes at its ends, at the fraction t of its width.
double hermite(double a, double b, double slope_a, double slope_b, double width, double t) {
  const double u = 1 - t;
  return u * u * ((1 + 2 * t) * a + t * width * slope_a) +
         t * t * ((1 + 2 * u) * b - u * width * slope_b);
}

// De Casteljau over `count` control values, in place.
double bezier(double* control, int count, double t) {
  for (int left = count - 1; left > 0; --left)
    for (int i = 0; i < left; ++i) control[i] += t * (control[i + 1] - control[i]);
  return control[0];
}

double chord(const RampKey& a, const RampKey& b) {
  return (b.value - a.value) / (b.position - a.position);
}

// Slopes that keep each piece within its ends: Fritsch and Carlson (1980).
std::vector<double> monotone_slopes(const std::vector<RampKey>& keys) {
  const auto n = keys.size();
  std::vector<double> slope(n, 0.0);
  if (n < 2) return slope;
  slope.front() = chord(keys[0], keys[1]);
  slope.back() = chord(keys[n - 2], keys[n - 1]);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double before = chord(keys[i - 1], keys[i]), after = chord(keys[i], keys[i + 1]);
    slope[i] = before * after <= 0 ? 0 : 0.5 * (before + after);
  }
  constexpr double kSteepest = 3;  // times the chord, together
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double between = chord(keys[i], keys[i + 1]);
    const double steepness =
        between == 0 ? 0 : std::hypot(slope[i], slope[i + 1]) / std::abs(between);
    if (between == 0) slope[i] = slope[i + 1] = 0;
    if (steepness <= kSteepest) continue;
    slope[i] *= kSteepest / steepness;
    slope[i + 1] *= kSteepest / steepness;
  }
  return slope;
}

double catmull_rom_slope(const std::vector<RampKey>& keys, std::size_t i) {
  if (i == 0) return 0.5 * chord(keys[0], keys[1]);
  if (i + 1 == keys.size()) return 0.5 * chord(keys[i - 1], keys[i]);
  return chord(keys[i - 1], keys[i + 1]);
}

// The first key of the Bezier piece that key i is in or begins, counted from where Bezier began.
std::size_t bezier_begin(const std::vector<RampKey>& keys, std::size_t i) {
  std::size_t run = i;
  while (run > 0 && keys[run - 1].interpolation == RampInterpolation::kBezier) --run;
  return run + (i - run) / 3 * 3;
}

// Positions of control points increase, so that there is one t for each position.
double bezier_value(const std::vector<RampKey>& keys, std::size_t begin, double position) {
  const int count = static_cast<int>(std::min<std::size_t>(4, keys.size() - begin));
  const auto at = [&](double t, double RampKey::*coordinate) {
    double control[4];
    for (int k = 0; k < count; ++k)
      control[k] = keys[begin + static_cast<std::size_t>(k)].*coordinate;
    return bezier(control, count, t);
  };
  double low = 0, high = 1;
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = 0.5 * (low + high);
    (at(middle, &RampKey::position) < position ? low : high) = middle;
  }
  return at(0.5 * (low + high), &RampKey::value);
}

[[noreturn]] void refuse(const std::string& where, const std::string& complaint) {
  throw InputError(where + ": the ramp " + complaint);
}

std::string text(double number) {
  std::ostringstream out;
  out << number;
  return out.str();
}

}  // namespace

Ramp::Ramp(std::vector<RampKey> keys, const std::string& where) : keys_(std::move(keys)) {
  check(where);
  slopes_ = monotone_slopes(keys_);
  fill_table();
  const auto lowest = std::min_element(table_.begin(), table_.end());
  lowest_ = *lowest;
  highest_ = *std::max_element(table_.begin(), table_.end());
  if (lowest_ < 0)
    refuse(where, "swings below zero at " +
                      text(keys_.front().position +
                           static_cast<double>(lowest - table_.begin()) / cells_per_unit_) +
                      ", where it would drive the body; add keys there or use monotonecubic.");
}

void Ramp::check(const std::string& where) const {
  if (keys_.empty()) refuse(where, "has no keys; give at least one, [position, value].");
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const RampKey& key = keys_[i];
    const std::string name = "key " + std::to_string(i + 1);
    if (!std::isfinite(key.position) || !std::isfinite(key.value))
      refuse(where, "has a " + name + " that is not a finite number.");
    if (key.value < 0)
      refuse(where, "is " + text(key.value) + " at " + name +
                        "; multipliers of damping must not be negative.");
    if (i > 0 && key.position <= keys_[i - 1].position)
      refuse(where, "has " + name + " at " + text(key.position) + ", not after the one before at " +
                        text(keys_[i - 1].position) + "; sort the keys by position.");
  }
}

double Ramp::value(double position) const {
  if (!(position > keys_.front().position)) return keys_.front().value;
  if (position >= keys_.back().position) return keys_.back().value;
  std::size_t i = 0;
  while (keys_[i + 1].position <= position) ++i;
  // A control point inside of a Bezier piece does not end it.
  const std::size_t begin = bezier_begin(keys_, i);
  if (keys_[begin].interpolation == RampInterpolation::kBezier)
    return bezier_value(keys_, begin, position);
  const RampKey &a = keys_[i], &b = keys_[i + 1];
  const double width = b.position - a.position, t = (position - a.position) / width;
  switch (a.interpolation) {
    case RampInterpolation::kCatmullRom:
      return hermite(a.value, b.value, catmull_rom_slope(keys_, i), catmull_rom_slope(keys_, i + 1),
                     width, t);
    case RampInterpolation::kMonotoneCubic:
      return hermite(a.value, b.value, slopes_[i], slopes_[i + 1], width, t);
    case RampInterpolation::kConstant:
      return a.value;
    default:
      return a.value + t * (b.value - a.value);
  }
}

void Ramp::fill_table() {
  const double first = keys_.front().position, width = keys_.back().position - first;
  cells_per_unit_ = width > 0 ? kTableCells / width : 0;
  table_.resize(kTableCells + 1);
  for (int i = 0; i <= kTableCells; ++i) table_[i] = value(first + width * i / kTableCells);
}

}  // namespace dashpot
