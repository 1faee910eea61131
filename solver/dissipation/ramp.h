#pragma once

#include <string>
#include <vector>

namespace dashpot {

// As in Houdini's ramps: a key's interpolation holds from it to the next key.
enum class RampInterpolation { kLinear, kCatmullRom, kMonotoneCubic, kBezier, kConstant };

struct RampKey {
  double position, value;
  RampInterpolation interpolation = RampInterpolation::kMonotoneCubic;
};

// A curve through keys, constant before the first and after the last one, nowhere negative.
//
// Catmull-Rom has the slope of the chord between the neighbours at each key, half of it at the
// ends; monotone cubic never leaves the range of two neighbours (Fritsch and Carlson 1980); Bezier
// goes through every third key, and the two between are its control points. A last Bezier piece
// with too few keys has a lower degree.
class Ramp {
 public:
  // Throws InputError, beginning with `where`, for no keys, keys out of order, what is not finite,
  // and curves that go below zero.
  Ramp(std::vector<RampKey> keys, const std::string& where);

  const std::vector<RampKey>& keys() const { return keys_; }
  double lowest() const { return lowest_; }
  double highest() const { return highest_; }

  // The curve itself.
  double value(double position) const;

  // A table of the curve, straight between kTableCells + 1 samples: what the solver reads.
  struct Sample {
    double value, slope;
  };
  static constexpr int kTableCells = 2048;
  Sample lookup(double position) const {
    const double cell = (position - keys_.front().position) * cells_per_unit_;
    if (!(cell > 0)) return {table_.front(), 0};
    if (cell >= kTableCells) return {table_.back(), 0};
    const int i = static_cast<int>(cell);
    const double rise = table_[i + 1] - table_[i];
    return {table_[i] + (cell - i) * rise, rise * cells_per_unit_};
  }

 private:
  void check(const std::string& where) const;
  void fill_table();

  std::vector<RampKey> keys_;
  std::vector<double> slopes_;  // of monotone cubic pieces, at each key
  std::vector<double> table_;
  double cells_per_unit_ = 0;  // 0: one key only
  double lowest_ = 0, highest_ = 0;
};

}  // namespace dashpot
