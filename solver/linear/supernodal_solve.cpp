#include "solver/linear/supernodal_solve.h"

#include <algorithm>

#include "solver/base/parallel.h"
#include "solver/linear/tile_kernels.h"
#include "solver/linear/tree_partition.h"

namespace dashpot {

// One supernode as the kernels see it.
template <class Scalar>
struct SupernodalSolve::Supernode {
  const Scalar* tiles;
  int first_column;
  int width;
  int rows;            // width and the rows below
  const int* targets;  // rows below: of b, or of the boundary from `inside` on
  int inside;

  std::size_t entries() const { return static_cast<std::size_t>(rows) * width; }
};

namespace {

// Columns that one call of the backward kernel accumulates; their sums stay in the L1 cache.
constexpr int kColumnBlock = 64;
// A supernode of the top is split over threads from this many entries on.
constexpr std::size_t kSplitEntries = 1 << 16;

// y(tile rows) = P x for tiles [begin, end).
template <class Scalar, class Supernode>
void multiply_tiles(const Supernode& node, int begin, int end, const Scalar* x, Scalar* y) {
  using Layout = TileLayout<Scalar>;
  const int padded = Layout::padded_rows(node.rows);
  for (int t = begin; t < end; ++t) {
    const Scalar* tile = node.tiles + Layout::tile_begin(t, node.width);
    const int columns = Layout::tile_columns(t, node.width);
    Scalar* out = y + 4 * Layout::kTileRows * t;
    switch (std::min(Layout::kTileRows, padded - Layout::kTileRows * t) / Layout::kPack) {
      case 4:
        multiply_tile<4>(tile, columns, x, out);
        break;
      case 3:
        multiply_tile<3>(tile, columns, x, out);
        break;
      case 2:
        multiply_tile<2>(tile, columns, x, out);
        break;
      default:
        multiply_tile<1>(tile, columns, x, out);
        break;
    }
  }
}

template <bool Add, class Scalar>
void multiply_transposed(const Scalar* tile, int packs, int columns, const Scalar* v, Scalar* sum) {
  switch (packs) {
    case 4:
      multiply_transposed_tile<4, Add>(tile, columns, v, sum);
      break;
    case 3:
      multiply_transposed_tile<3, Add>(tile, columns, v, sum);
      break;
    case 2:
      multiply_transposed_tile<2, Add>(tile, columns, v, sum);
      break;
    default:
      multiply_transposed_tile<1, Add>(tile, columns, v, sum);
      break;
  }
}

// x(columns begin .. end - 1) = P^T v, where v has three registers for each register of rows.
template <class Scalar, class Supernode>
void multiply_columns(const Supernode& node, int begin, int end, const Scalar* v, double* x) {
  using Layout = TileLayout<Scalar>;
  constexpr int kTileRows = Layout::kTileRows, kSums = 3 * Layout::kPack;
  alignas(32) Scalar sum[kSums * kColumnBlock];
  const int last = Layout::tile_count(node.rows) - 1;
  const int last_rows = Layout::padded_rows(node.rows) - kTileRows * last;
  // Only the last tile is sure to have all columns, so it starts the sums.
  multiply_transposed<false>(node.tiles + Layout::tile_begin(last, node.width) +
                                 static_cast<std::size_t>(begin) * last_rows,
                             last_rows / Layout::kPack, end - begin, v + 3 * kTileRows * last, sum);
  // Tiles further up end before column `begin`.
  for (int t = begin / kTileRows; t < last; ++t) {
    const Scalar* tile = node.tiles + Layout::tile_begin(t, node.width) +
                         static_cast<std::size_t>(begin) * kTileRows;
    const int columns = std::min(end, Layout::tile_columns(t, node.width)) - begin;
    multiply_transposed_tile<4, true>(tile, columns, v + 3 * kTileRows * t, sum);
  }
  for (int j = 0; j < end - begin; ++j) {
    const Scalar* s = sum + kSums * j;
    store_row(x + 4 * (begin + j), sum_lanes(load_pack(s), load_pack(s + Layout::kPack),
                                             load_pack(s + 2 * Layout::kPack)));
  }
}

template <class From, class To>
inline void copy_rows(const From* from, int rows, To* to) {
  for (int i = 0; i < rows; ++i) store_row(to + 4 * i, load_row(from + 4 * i));
}

template <class Scalar>
inline void subtract_rows(const Scalar* from, const int* targets, int rows, double* to) {
  for (int i = 0; i < rows; ++i) {
    double* target = to + 4 * static_cast<std::size_t>(targets[i]);
    store_row(target, load_row(target) - load_row(from + 4 * i));
  }
}

template <class Scalar>
inline void negate_rows(const double* from, const int* targets, int rows, Scalar* to) {
  for (int i = 0; i < rows; ++i)
    store_row(to + 4 * i, -load_row(from + 4 * static_cast<std::size_t>(targets[i])));
}

template <class Scalar, class Supernode>
void scatter_forward(const Supernode& node, const Scalar* y, double* b, double* boundary) {
  const int width = node.width, inside = node.inside;
  copy_rows(y, width, b + 4 * static_cast<std::size_t>(node.first_column));
  subtract_rows(y + 4 * width, node.targets, inside, b);
  subtract_rows(y + 4 * (width + inside), node.targets + inside, node.rows - width - inside,
                boundary);
}

// v = [own rows; -rows below], zero-padded, three registers for each register of rows.
template <class Scalar, class Supernode>
void gather_backward(const Supernode& node, const double* b, const double* boundary, Scalar* v) {
  using Layout = TileLayout<Scalar>;
  const int width = node.width, inside = node.inside, rows = node.rows;
  copy_rows(b + 4 * static_cast<std::size_t>(node.first_column), width, v);
  negate_rows(b, node.targets, inside, v + 4 * width);
  negate_rows(boundary, node.targets + inside, rows - width - inside, v + 4 * (width + inside));
  const int padded = Layout::padded_rows(rows);
  std::fill(v + 4 * rows, v + 4 * padded, Scalar{0});
  // In place: a row shrinks from four numbers to three.
  for (int group = 0; group < padded / Layout::kPack; ++group) {
    PackOf<Scalar> x, y, z;
    load_rows(v + 4 * Layout::kPack * group, x, y, z);
    Scalar* to = v + 3 * Layout::kPack * group;
    store_pack(to, x);
    store_pack(to + Layout::kPack, y);
    store_pack(to + 2 * Layout::kPack, z);
  }
}

// The right-hand sides of a supernode's columns as its kernels want them.
template <class Supernode>
const double* own_rows(const Supernode& node, const double* b, double* /*scratch*/) {
  return b + 4 * static_cast<std::size_t>(node.first_column);
}
template <class Supernode>
const float* own_rows(const Supernode& node, const double* b, float* scratch) {
  float* x = scratch + 4 * TileLayout<float>::padded_rows(node.rows);
  copy_rows(b + 4 * static_cast<std::size_t>(node.first_column), node.width, x);
  return x;
}

template <class Scalar, class Supernode>
void forward(const Supernode& node, double* b, double* boundary, Scalar* scratch) {
  const Scalar* x = own_rows(node, b, scratch);
  multiply_tiles(node, 0, TileLayout<Scalar>::tile_count(node.rows), x, scratch);
  scatter_forward(node, scratch, b, boundary);
}

template <class Scalar, class Supernode>
void backward(const Supernode& node, double* b, const double* boundary, Scalar* scratch) {
  gather_backward(node, b, boundary, scratch);
  double* x = b + 4 * static_cast<std::size_t>(node.first_column);
  for (int begin = 0; begin < node.width; begin += kColumnBlock)
    multiply_columns(node, begin, std::min(node.width, begin + kColumnBlock), scratch, x);
}

template <class Scalar, class Supernode>
void forward_split(const Supernode& node, double* b, Scalar* scratch) {
  const int tiles = TileLayout<Scalar>::tile_count(node.rows);
  const Scalar* x = own_rows(node, b, scratch);
  parallel_chunks(tiles, std::max(1, tiles / 16), [&](ChunkRange range, std::ptrdiff_t) {
    multiply_tiles(node, static_cast<int>(range.begin), static_cast<int>(range.end), x, scratch);
  });
  scatter_forward(node, scratch, b, nullptr);
}

template <class Scalar, class Supernode>
void backward_split(const Supernode& node, double* b, Scalar* scratch) {
  gather_backward(node, b, nullptr, scratch);
  double* x = b + 4 * static_cast<std::size_t>(node.first_column);
  parallel_chunks(node.width, kColumnBlock, [&](ChunkRange range, std::ptrdiff_t) {
    multiply_columns(node, static_cast<int>(range.begin), static_cast<int>(range.end), scratch, x);
  });
}

}  // namespace

SupernodalSolve::SupernodalSolve(const SymbolicFactor& factor)
    : targets_(factor.rows), inside_(factor.count()) {
  for (int s = 0; s < factor.count(); ++s) inside_[s] = factor.below(s);
  // Four doubles a row, which is also enough for four floats a row and four a column.
  const auto scratch_of = [&](int s) {
    return 4 * static_cast<std::size_t>(
                   TileLayout<float>::padded_rows(factor.width(s) + factor.below(s)));
  };

  TreePartition partition = partition_tree(factor);
  top_ = std::move(partition.top);
  std::size_t scratch = 0, boundary_rows = 0;
  for (const int s : top_) scratch = std::max(scratch, scratch_of(s));
  for (const auto& subtrees : partition.tasks) {
    Task task{{}, scratch};
    std::size_t largest = 0;
    for (const auto& [first, last] : subtrees) {
      task.subtrees.push_back({first, last, boundary_rows});
      number_boundary(factor, task.subtrees.back());
      boundary_rows += factor.below(last);
      for (int s = first; s <= last; ++s) largest = std::max(largest, scratch_of(s));
    }
    scratch += largest;
    tasks_.push_back(std::move(task));
  }
  scratch_.setZero(static_cast<Eigen::Index>(scratch));
  boundary_.setZero(static_cast<Eigen::Index>(4 * boundary_rows));
}

void SupernodalSolve::number_boundary(const SymbolicFactor& factor, const Subtree& subtree) {
  const int end_column = factor.first_column[subtree.last + 1];
  const int* outside = factor.rows_of(subtree.last);
  for (int s = subtree.first; s <= subtree.last; ++s) {
    int* targets = targets_.data() + factor.row_begin[s];
    const int below = factor.below(s);
    inside_[s] = static_cast<int>(std::lower_bound(targets, targets + below, end_column) - targets);
    // Rows above a subtree are rows of its root.
    for (int i = inside_[s]; i < below; ++i)
      targets[i] = static_cast<int>(
          std::lower_bound(outside, outside + factor.below(subtree.last), targets[i]) - outside);
  }
}

template <class Scalar>
SupernodalSolve::Supernode<Scalar> SupernodalSolve::view(const SymbolicFactor& factor,
                                                         const FactorTiles& tiles, int s) const {
  return {tiles.supernode<Scalar>(s),
          factor.first_column[s],
          factor.width(s),
          factor.width(s) + factor.below(s),
          targets_.data() + factor.row_begin[s],
          inside_[s]};
}

template <class Scalar>
void SupernodalSolve::forward_subtrees(const SymbolicFactor& factor, const FactorTiles& tiles,
                                       const Task& task, double* b) const {
  auto* scratch = reinterpret_cast<Scalar*>(scratch_.data() + task.scratch_begin);
  for (const Subtree& subtree : task.subtrees) {
    double* boundary = boundary_.data() + 4 * subtree.boundary_begin;
    std::fill_n(boundary, 4 * factor.below(subtree.last), 0.0);
    for (int s = subtree.first; s <= subtree.last; ++s)
      forward(view<Scalar>(factor, tiles, s), b, boundary, scratch);
  }
}

template <class Scalar>
void SupernodalSolve::backward_subtrees(const SymbolicFactor& factor, const FactorTiles& tiles,
                                        const Task& task, double* b) const {
  auto* scratch = reinterpret_cast<Scalar*>(scratch_.data() + task.scratch_begin);
  for (const Subtree& subtree : task.subtrees) {
    double* boundary = boundary_.data() + 4 * subtree.boundary_begin;
    const int* rows = factor.rows_of(subtree.last);
    for (int i = 0; i < factor.below(subtree.last); ++i)
      std::copy_n(b + 4 * static_cast<std::size_t>(rows[i]), 4, boundary + 4 * i);
    for (int s = subtree.last; s >= subtree.first; --s)
      backward(view<Scalar>(factor, tiles, s), b, boundary, scratch);
  }
}

template <class Scalar>
void SupernodalSolve::solve_top(const SymbolicFactor& factor, const FactorTiles& tiles,
                                double* b) const {
  const bool parallel = !tasks_.empty();
  auto* scratch = reinterpret_cast<Scalar*>(scratch_.data());
  for (const int s : top_) {
    const auto node = view<Scalar>(factor, tiles, s);
    if (parallel && node.entries() >= kSplitEntries)
      forward_split(node, b, scratch);
    else
      forward(node, b, nullptr, scratch);
  }
  for (auto s = top_.rbegin(); s != top_.rend(); ++s) {
    const auto node = view<Scalar>(factor, tiles, *s);
    if (parallel && node.entries() >= kSplitEntries)
      backward_split(node, b, scratch);
    else
      backward(node, b, nullptr, scratch);
  }
}

template <class Scalar>
void SupernodalSolve::run_with(const SymbolicFactor& factor, const FactorTiles& tiles,
                               double* b) const {
  const FlushDenormals flush;
  const auto tasks = static_cast<std::ptrdiff_t>(tasks_.size());
  parallel_each(tasks, 1,
                [&](std::ptrdiff_t t) { forward_subtrees<Scalar>(factor, tiles, tasks_[t], b); });
  for (const Task& task : tasks_) {
    for (const Subtree& subtree : task.subtrees) {
      const double* boundary = boundary_.data() + 4 * subtree.boundary_begin;
      const int* rows = factor.rows_of(subtree.last);
      for (int i = 0; i < factor.below(subtree.last); ++i) {
        double* to = b + 4 * static_cast<std::size_t>(rows[i]);
        store_row(to, load_row(to) + load_row(boundary + 4 * i));
      }
    }
  }
  solve_top<Scalar>(factor, tiles, b);
  parallel_each(tasks, 1,
                [&](std::ptrdiff_t t) { backward_subtrees<Scalar>(factor, tiles, tasks_[t], b); });
}

void SupernodalSolve::run(const SymbolicFactor& factor, const FactorTiles& tiles, double* b) const {
  if (tiles.precision() == FactorPrecision::kDouble)
    run_with<double>(factor, tiles, b);
  else
    run_with<float>(factor, tiles, b);
}

}  // namespace dashpot
