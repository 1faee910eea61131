#include "solver/linear/factor_tiles.h"

#include <algorithm>

namespace dashpot {

FactorTiles::FactorTiles(const SymbolicFactor& factor) {
  begin_.reserve(factor.count() + 1);
  begin_.push_back(0);
  for (int s = 0; s < factor.count(); ++s) {
    const int width = factor.width(s);
    const int rows = padded_rows(width + factor.below(s));
    const int last = tile_count(rows) - 1;
    const std::size_t last_rows = rows - last * kTileRows;
    begin_.push_back(begin_.back() + tile_begin(last, width) +
                     last_rows * tile_columns(last, width));
  }
  values_.resize(static_cast<Eigen::Index>(begin_.back()));
}

void FactorTiles::pack(int s, int rows, int width, const double* panel) {
  double* out = values_.data() + begin_[s];
  const int padded = padded_rows(rows);
  for (int t = 0; t < tile_count(rows); ++t) {
    const int first = t * kTileRows;
    const int height = std::min(kTileRows, padded - first);
    const int filled = std::min(height, rows - first);
    for (int column = 0; column < tile_columns(t, width); ++column) {
      const double* in = panel + static_cast<std::size_t>(column) * rows + first;
      std::copy_n(in, filled, out);
      std::fill(out + filled, out + height, 0.0);
      out += height;
    }
  }
}

}  // namespace dashpot
