#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "solver/base/simd.h"
#include "solver/linear/symbolic_factor.h"

namespace dashpot {

// The factor as a solve reads it. Instead of the trapezoid [L11; L21], a supernode holds
// P = [L11^-1; L21 L11^-1]: forward substitution is then P x and backward substitution P^T x,
// with no triangular solve in between.
//
// P is cut into tiles of 16 rows (the last one 4, 8, 12 or 16; missing rows are zero). A tile
// stores its columns one after the other and ends at the diagonal, so both passes read memory
// strictly forward and skip the upper triangle.
class FactorTiles {
 public:
  static constexpr int kTileRows = 4 * kLanes;

  FactorTiles() = default;
  explicit FactorTiles(const SymbolicFactor& factor);

  // panel: column-major P of supernode s, leading dimension rows, zero above the diagonal.
  void pack(int s, int rows, int width, const double* panel);

  const double* supernode(int s) const { return values_.data() + begin_[s]; }
  std::size_t bytes() const { return values_.size() * sizeof(double); }

  static int padded_rows(int rows) { return (rows + kLanes - 1) / kLanes * kLanes; }
  static int tile_count(int rows) { return (rows + kTileRows - 1) / kTileRows; }
  // Columns that tile t of a supernode with `width` columns stores.
  static int tile_columns(int t, int width) {
    const int end = (t + 1) * kTileRows;
    return end < width ? end : width;
  }
  // Doubles before tile t.
  static std::size_t tile_begin(int t, int width) {
    const std::size_t triangular = t < width / kTileRows ? t : width / kTileRows;
    return kTileRows * (kTileRows * triangular * (triangular + 1) / 2 + (t - triangular) * width);
  }

 private:
  std::vector<std::size_t> begin_;
  Eigen::VectorXd values_;  // Eigen aligns it for vector loads
};

}  // namespace dashpot
