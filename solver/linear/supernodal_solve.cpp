#include "solver/linear/supernodal_solve.h"

#include <algorithm>

#include "solver/base/parallel.h"
#include "solver/linear/tile_kernels.h"
#include "solver/linear/tree_partition.h"

namespace dashpot {

// One supernode as the kernels see it.
struct SupernodalSolve::Supernode {
  const double* tiles;
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
template <class Supernode>
void multiply_tiles(const Supernode& node, int begin, int end, const double* x, double* y) {
  constexpr int kTileRows = FactorTiles::kTileRows;
  const int padded = FactorTiles::padded_rows(node.rows);
  for (int t = begin; t < end; ++t) {
    const double* tile = node.tiles + FactorTiles::tile_begin(t, node.width);
    const int columns = FactorTiles::tile_columns(t, node.width);
    double* out = y + 4 * kTileRows * t;
    switch (std::min(kTileRows, padded - kTileRows * t) / kLanes) {
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

template <bool Add>
void multiply_transposed(const double* tile, int packs, int columns, const double* v, double* sum) {
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

// x(columns begin .. end - 1) = P^T v, where v has three registers per four rows.
template <class Supernode>
void multiply_columns(const Supernode& node, int begin, int end, const double* v, double* x) {
  constexpr int kTileRows = FactorTiles::kTileRows;
  alignas(32) double sum[12 * kColumnBlock];
  const int last = FactorTiles::tile_count(node.rows) - 1;
  const int last_rows = FactorTiles::padded_rows(node.rows) - kTileRows * last;
  // Only the last tile is sure to have all columns, so it starts the sums.
  multiply_transposed<false>(node.tiles + FactorTiles::tile_begin(last, node.width) +
                                 static_cast<std::size_t>(begin) * last_rows,
                             last_rows / kLanes, end - begin, v + 3 * kTileRows * last, sum);
  // Tiles further up end before column `begin`.
  for (int t = begin / kTileRows; t < last; ++t) {
    const double* tile = node.tiles + FactorTiles::tile_begin(t, node.width) +
                         static_cast<std::size_t>(begin) * kTileRows;
    const int columns = std::min(end, FactorTiles::tile_columns(t, node.width)) - begin;
    multiply_transposed_tile<4, true>(tile, columns, v + 3 * kTileRows * t, sum);
  }
  for (int j = 0; j < end - begin; ++j) {
    const double* s = sum + 12 * j;
    store_lane(x + 4 * (begin + j), sum_lanes(load_lane(s), load_lane(s + 4), load_lane(s + 8)));
  }
}

inline void copy_rows(const double* from, int rows, double* to) {
  for (int i = 0; i < rows; ++i) store_lane(to + 4 * i, load_lane(from + 4 * i));
}

inline void subtract_rows(const double* from, const int* targets, int rows, double* to) {
  for (int i = 0; i < rows; ++i) {
    double* target = to + 4 * static_cast<std::size_t>(targets[i]);
    store_lane(target, load_lane(target) - load_lane(from + 4 * i));
  }
}

inline void negate_rows(const double* from, const int* targets, int rows, double* to) {
  for (int i = 0; i < rows; ++i)
    store_lane(to + 4 * i, -load_lane(from + 4 * static_cast<std::size_t>(targets[i])));
}

template <class Supernode>
void scatter_forward(const Supernode& node, const double* y, double* b, double* boundary) {
  const int width = node.width, inside = node.inside;
  copy_rows(y, width, b + 4 * static_cast<std::size_t>(node.first_column));
  subtract_rows(y + 4 * width, node.targets, inside, b);
  subtract_rows(y + 4 * (width + inside), node.targets + inside, node.rows - width - inside,
                boundary);
}

// v = [own rows; -rows below], zero-padded, three registers per four rows.
template <class Supernode>
void gather_backward(const Supernode& node, const double* b, const double* boundary, double* v) {
  const int width = node.width, inside = node.inside, rows = node.rows;
  copy_rows(b + 4 * static_cast<std::size_t>(node.first_column), width, v);
  negate_rows(b, node.targets, inside, v + 4 * width);
  negate_rows(boundary, node.targets + inside, rows - width - inside, v + 4 * (width + inside));
  const int padded = FactorTiles::padded_rows(rows);
  for (int i = rows; i < padded; ++i) store_lane(v + 4 * i, Lane{});
  // In place: a group of four rows shrinks from 16 to 12 doubles.
  for (int group = 0; group < padded / 4; ++group) {
    Lane r0 = load_lane(v + 16 * group), r1 = load_lane(v + 16 * group + 4);
    Lane r2 = load_lane(v + 16 * group + 8), r3 = load_lane(v + 16 * group + 12);
    transpose(r0, r1, r2, r3);
    store_lane(v + 12 * group, r0);
    store_lane(v + 12 * group + 4, r1);
    store_lane(v + 12 * group + 8, r2);
  }
}

template <class Supernode>
void forward(const Supernode& node, double* b, double* boundary, double* scratch) {
  multiply_tiles(node, 0, FactorTiles::tile_count(node.rows),
                 b + 4 * static_cast<std::size_t>(node.first_column), scratch);
  scatter_forward(node, scratch, b, boundary);
}

template <class Supernode>
void backward(const Supernode& node, double* b, const double* boundary, double* scratch) {
  gather_backward(node, b, boundary, scratch);
  double* x = b + 4 * static_cast<std::size_t>(node.first_column);
  for (int begin = 0; begin < node.width; begin += kColumnBlock)
    multiply_columns(node, begin, std::min(node.width, begin + kColumnBlock), scratch, x);
}

template <class Supernode>
void forward_split(const Supernode& node, double* b, double* scratch) {
  const int tiles = FactorTiles::tile_count(node.rows);
  const double* x = b + 4 * static_cast<std::size_t>(node.first_column);
  parallel_chunks(tiles, std::max(1, tiles / 16), [&](ChunkRange range, std::ptrdiff_t) {
    multiply_tiles(node, static_cast<int>(range.begin), static_cast<int>(range.end), x, scratch);
  });
  scatter_forward(node, scratch, b, nullptr);
}

template <class Supernode>
void backward_split(const Supernode& node, double* b, double* scratch) {
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
  const auto scratch_of = [&](int s) {
    return 4 *
           static_cast<std::size_t>(FactorTiles::padded_rows(factor.width(s) + factor.below(s)));
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

SupernodalSolve::Supernode SupernodalSolve::view(const SymbolicFactor& factor,
                                                 const FactorTiles& tiles, int s) const {
  return {tiles.supernode(s),
          factor.first_column[s],
          factor.width(s),
          factor.width(s) + factor.below(s),
          targets_.data() + factor.row_begin[s],
          inside_[s]};
}

void SupernodalSolve::forward_subtrees(const SymbolicFactor& factor, const FactorTiles& tiles,
                                       const Task& task, double* b) const {
  double* scratch = scratch_.data() + task.scratch_begin;
  for (const Subtree& subtree : task.subtrees) {
    double* boundary = boundary_.data() + 4 * subtree.boundary_begin;
    std::fill_n(boundary, 4 * factor.below(subtree.last), 0.0);
    for (int s = subtree.first; s <= subtree.last; ++s)
      forward(view(factor, tiles, s), b, boundary, scratch);
  }
}

void SupernodalSolve::backward_subtrees(const SymbolicFactor& factor, const FactorTiles& tiles,
                                        const Task& task, double* b) const {
  double* scratch = scratch_.data() + task.scratch_begin;
  for (const Subtree& subtree : task.subtrees) {
    double* boundary = boundary_.data() + 4 * subtree.boundary_begin;
    const int* rows = factor.rows_of(subtree.last);
    for (int i = 0; i < factor.below(subtree.last); ++i)
      std::copy_n(b + 4 * static_cast<std::size_t>(rows[i]), 4, boundary + 4 * i);
    for (int s = subtree.last; s >= subtree.first; --s)
      backward(view(factor, tiles, s), b, boundary, scratch);
  }
}

void SupernodalSolve::solve_top(const SymbolicFactor& factor, const FactorTiles& tiles,
                                double* b) const {
  const bool parallel = !tasks_.empty();
  double* scratch = scratch_.data();
  for (const int s : top_) {
    const Supernode node = view(factor, tiles, s);
    if (parallel && node.entries() >= kSplitEntries)
      forward_split(node, b, scratch);
    else
      forward(node, b, nullptr, scratch);
  }
  for (auto s = top_.rbegin(); s != top_.rend(); ++s) {
    const Supernode node = view(factor, tiles, *s);
    if (parallel && node.entries() >= kSplitEntries)
      backward_split(node, b, scratch);
    else
      backward(node, b, nullptr, scratch);
  }
}

void SupernodalSolve::run(const SymbolicFactor& factor, const FactorTiles& tiles, double* b) const {
  const FlushDenormals flush;
  const auto tasks = static_cast<std::ptrdiff_t>(tasks_.size());
  parallel_each(tasks, 1, [&](std::ptrdiff_t t) { forward_subtrees(factor, tiles, tasks_[t], b); });
  for (const Task& task : tasks_) {
    for (const Subtree& subtree : task.subtrees) {
      const double* boundary = boundary_.data() + 4 * subtree.boundary_begin;
      const int* rows = factor.rows_of(subtree.last);
      for (int i = 0; i < factor.below(subtree.last); ++i) {
        double* to = b + 4 * static_cast<std::size_t>(rows[i]);
        store_lane(to, load_lane(to) + load_lane(boundary + 4 * i));
      }
    }
  }
  solve_top(factor, tiles, b);
  parallel_each(tasks, 1,
                [&](std::ptrdiff_t t) { backward_subtrees(factor, tiles, tasks_[t], b); });
}

}  // namespace dashpot
