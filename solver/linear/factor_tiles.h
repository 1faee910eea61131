#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "solver/linear/symbolic_factor.h"

namespace dashpot {

// Of the factor's entries and of the products with them. A large solve is bound by reading the
// factor, and half the bytes are half the time.
enum class FactorPrecision { kDouble, kSingle };

// How the tiles of a supernode are laid out. Scalar: double or float.
template <class Scalar>
struct TileLayout {
  static constexpr int kPack = 32 / static_cast<int>(sizeof(Scalar));  // rows of one register
  static constexpr int kTileRows = 4 * kPack;

  static int padded_rows(int rows) { return (rows + kPack - 1) / kPack * kPack; }
  static int tile_count(int rows) { return (rows + kTileRows - 1) / kTileRows; }
  // Columns that tile t of a supernode with `width` columns stores.
  static int tile_columns(int t, int width) {
    const int end = (t + 1) * kTileRows;
    return end < width ? end : width;
  }
  // Entries before tile t.
  static std::size_t tile_begin(int t, int width) {
    const std::size_t triangular = t < width / kTileRows ? t : width / kTileRows;
    return kTileRows * (kTileRows * triangular * (triangular + 1) / 2 + (t - triangular) * width);
  }
  static std::size_t entries(int rows, int width) {
    const int last = tile_count(rows) - 1;
    const std::size_t last_rows = padded_rows(rows) - last * kTileRows;
    return tile_begin(last, width) + last_rows * tile_columns(last, width);
  }
};

// The factor as a solve reads it. Instead of the trapezoid [L11; L21], a supernode holds
// P = [L11^-1; L21 L11^-1]: forward substitution is then P x and backward substitution P^T x,
// with no triangular solve in between.
//
// P is cut into tiles of four registers of rows (the last one of one to four; missing rows are
// zero). A tile stores its columns one after the other and ends at the diagonal, so both passes
// read memory strictly forward and skip the upper triangle.
class FactorTiles {
 public:
  FactorTiles() = default;
  FactorTiles(const SymbolicFactor& factor, FactorPrecision precision);

  FactorPrecision precision() const { return precision_; }

  // panel: column-major P of supernode s, leading dimension rows, zero above the diagonal.
  void pack(int s, int rows, int width, const double* panel);

  // Scalar is double or float, as precision() says.
  template <class Scalar>
  const Scalar* supernode(int s) const;
  std::size_t bytes() const {
    return values_.size() * sizeof(double) + single_.size() * sizeof(float);
  }

 private:
  FactorPrecision precision_ = FactorPrecision::kDouble;
  std::vector<std::size_t> begin_;
  // One of them holds the entries, the other is empty. Eigen aligns them for vector loads.
  Eigen::VectorXd values_;
  Eigen::VectorXf single_;
};

template <>
inline const double* FactorTiles::supernode<double>(int s) const {
  return values_.data() + begin_[s];
}
template <>
inline const float* FactorTiles::supernode<float>(int s) const {
  return single_.data() + begin_[s];
}

}  // namespace dashpot
