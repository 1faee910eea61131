#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "solver/elements/element_block.h"
#include "solver/elements/element_operator.h"
#include "solver/elements/term_batch.h"

namespace dashpot {

// Both halves of four elements.
template <class Shape, class Block>
struct BlockAt {
  const Shape& shape;
  Block& block;
};

// The elements of one law. Operator says what D is, an ElementOperator. Law says what the elements
// are made of and how they resist:
//   Shape                    an Operator, with the parameters that gradients need
//   Block                    an ElementBlock, with what else there is
//   Source                   where an element's numbers come from: points(e), rest_shape(e, i, c)
//   set_lane, forget, weight_factor, prox, stage_stress, force, is_smooth
//   set_stage, power         if it is damped (kDamped)
// Where a prox is paired (kPaired), it is that of two blocks at once.
template <class Operator, class Law>
class ElementBatch final : public TermBatch {
  using Shape = typename Law::Shape;
  using Block = typename Law::Block;
  using Gradient = typename Operator::Gradient;
  static constexpr int kCoordinates = Operator::kCoordinates, kColumns = Operator::kColumns;

 public:
  // first: number of the source's first element among those of all sets.
  ElementBatch(const typename Law::Source& source, int first, std::vector<int> members,
               const std::vector<int>& vertex_position)
      : count_(static_cast<int>(members.size())),
        members_(std::move(members)),
        shapes_(static_cast<std::size_t>((count_ + kLanes - 1) / kLanes)),
        blocks_(shapes_.size()) {
    for (int slot = 0; slot < static_cast<int>(blocks_.size()) * kLanes; ++slot)
      set_lane(slot, source, members_[std::min(slot, count_ - 1)], vertex_position);
    for (std::ptrdiff_t begin = 0; begin < block_count(); begin += kBlocksPerChunk)
      number_vertices({begin, std::min(block_count(), begin + kBlocksPerChunk)});
    for (int& member : members_) member += first;
  }

  std::ptrdiff_t block_count() const override {
    return static_cast<std::ptrdiff_t>(blocks_.size());
  }
  int block_doubles() const override { return kCoordinates * kLanes; }

  const std::vector<int>& members() const override { return members_; }

  const std::vector<int>& chunk_vertices(std::ptrdiff_t chunk) const override {
    return chunk_vertices_[chunk];
  }

  double squared_norm() const override {
    double sum = 0;
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      sum += lane_sum(blocks_[b].weight * blocks_[b].weight * dashpot::squared_norm(shapes_[b]));
    return sum;
  }

  bool adapt_weights(ChunkRange range, const double* x,
                     std::vector<double>& squared_weight) override {
    bool changed = false;
    for (auto b = range.begin; b < range.end; ++b) {
      Block& block = blocks_[b];
      const Lane factor = Law::weight_factor(at(b), deformation_gradient(shapes_[b], x));
      if (!any(factor * block.rest_stiffness != block.stiffness)) continue;
      changed = true;
      for (int lane = 0; lane < kLanes; ++lane) {
        set_weight(block, lane, factor[lane]);
        const auto slot = static_cast<int>(b) * kLanes + lane;
        if (slot < count_)
          squared_weight[members_[slot]] = factor[lane] * block.rest_squared_weight[lane];
      }
    }
    return changed;
  }

  void forget(ChunkRange range) override {
    for (auto b = range.begin; b < range.end; ++b) Law::forget(blocks_[b]);
  }

  void begin_stage(ChunkRange range, const double* x, const double* dual, double* z,
                   double* p) override {
    for (auto b = range.begin; b < range.end; ++b) {
      const Block& block = blocks_[b];
      const Gradient f = deformation_gradient(shapes_[b], x);
      const std::ptrdiff_t first = b * block_doubles();
      for (int k = 0; k < kCoordinates; ++k) {
        const Lane z_k = block.weight * f.m[k / kColumns][k % kColumns];
        store_lane(z + first + k * kLanes, z_k);
        store_lane(p + first + k * kLanes,
                   z_k + block.inverse_weight * load_lane(dual + first + k * kLanes));
      }
    }
  }

  double squared_change(ChunkRange range, const double* x, const double* before) const override {
    Lane sum{};
    for (auto b = range.begin; b < range.end; ++b) {
      const Block& block = blocks_[b];
      const Gradient f = deformation_gradient(shapes_[b], x);
      const Gradient f_before = deformation_gradient(shapes_[b], before);
      for (int k = 0; k < kCoordinates; ++k) {
        const Lane change = block.weight * (f.m[k / kColumns][k % kColumns] -
                                            f_before.m[k / kColumns][k % kColumns]);
        sum += change * change;
      }
    }
    return lane_sum(sum);
  }

  void local_step(ChunkRange range, const double* p, double* z, const double* residual,
                  double* forces) override {
    const auto target = [&](std::ptrdiff_t b) {
      return load_scaled<Gradient>(p + b * block_doubles(), blocks_[b].inverse_weight);
    };
    if constexpr (Law::kPaired) {
      for (auto b = range.begin; b < range.end; b += 2) {
        const auto other = std::min(b + 1, range.end - 1);
        Gradient shape[2];
        Law::prox(at(b), target(b), at(other), target(other), shape);
        finish_local_step(b, shape[0], p, z, residual, forces);
        if (other != b) finish_local_step(other, shape[1], p, z, residual, forces);
      }
    } else {
      for (auto b = range.begin; b < range.end; ++b)
        finish_local_step(b, Law::prox(at(b), target(b), z + b * block_doubles()), p, z, residual,
                          forces);
    }
  }

  void residual(ChunkRange range, const double* x, const double* z,
                double* residual) const override {
    for (auto b = range.begin; b < range.end; ++b) {
      const Block& block = blocks_[b];
      const Gradient f = deformation_gradient(shapes_[b], x);
      const std::ptrdiff_t first = b * block_doubles();
      for (int k = 0; k < kCoordinates; ++k)
        store_lane(residual + first + k * kLanes, block.weight * f.m[k / kColumns][k % kColumns] -
                                                      load_lane(z + first + k * kLanes));
    }
  }

  void weighted_forces(ChunkRange range, const double* y, double* forces) const override {
    for (auto b = range.begin; b < range.end; ++b)
      add_forces(shapes_[b], load_scaled<Gradient>(y + b * block_doubles(), blocks_[b].weight),
                 forces);
  }

  void dual(ChunkRange range, const double* p, const double* z, double* dual) const override {
    for (auto b = range.begin; b < range.end; ++b)
      for (std::ptrdiff_t at = b * block_doubles(); at < (b + 1) * block_doubles(); at += kLanes)
        store_lane(dual + at, blocks_[b].weight * (load_lane(p + at) - load_lane(z + at)));
  }

  void dual_forces(ChunkRange range, const double* dual, double* forces) const override {
    for (auto b = range.begin; b < range.end; ++b)
      add_forces(shapes_[b], load_scaled<Gradient>(dual + b * block_doubles(), broadcast<Lane>(1)),
                 forces);
  }

  void force_gradient(ChunkRange range, const double* x, const double* v,
                      double* forces) const override {
    for (auto b = range.begin; b < range.end; ++b)
      add_forces(shapes_[b], Law::force(shapes_[b], blocks_[b], x, v), forces);
  }

  bool is_smooth() const override {
    return std::all_of(blocks_.begin(), blocks_.end(),
                       [](const Block& b) { return Law::is_smooth(b); });
  }

  bool stage_force(ChunkRange range, const double* x, double* forces, double* dual) override {
    bool regular = true;
    const auto finish = [&](std::ptrdiff_t b, Gradient& stress) {
      for (int k = 0; k < kCoordinates; ++k) {
        Lane& force = stress.m[k / kColumns][k % kColumns];
        force *= Law::extent(shapes_[b]);
        if (dual) store_lane(dual + b * block_doubles() + k * kLanes, force);
      }
      add_forces(shapes_[b], stress, forces);
    };
    for (auto b = range.begin; b < range.end; b += 2) {
      const auto other = std::min(b + 1, range.end - 1);
      Gradient stress[2];
      regular &= Law::stage_stress(at(b), deformation_gradient(shapes_[b], x), at(other),
                                   deformation_gradient(shapes_[other], x), stress);
      finish(b, stress[0]);
      if (other != b) finish(other, stress[1]);
    }
    return regular;
  }

  bool is_damped() const override { return Law::kDamped; }

  void set_stage(ChunkRange range, double h, const StageHistory<double>& history) override {
    if constexpr (Law::kDamped)
      for (auto b = range.begin; b < range.end; ++b) Law::set_stage(at(b), h, history);
  }

  void dissipation(ChunkRange range, const double* x, const double* v,
                   std::vector<double>& power) const override {
    if constexpr (Law::kDamped)
      for (auto b = range.begin; b < range.end; ++b) {
        const Lane watts = Law::power(shapes_[b], blocks_[b], x, v);
        for (int lane = 0; lane < kLanes; ++lane) {
          const auto slot = static_cast<int>(b) * kLanes + lane;
          if (slot < count_) power[members_[slot]] = watts[lane];
        }
      }
  }

 private:
  void set_lane(int slot, const typename Law::Source& source, int e,
                const std::vector<int>& vertex_position) {
    Shape& shape = shapes_[slot / kLanes];
    Block& block = blocks_[slot / kLanes];
    const int lane = slot % kLanes;
    for (int a = 0; a < Operator::kNodes; ++a)
      shape.corner[a][lane] = 4 * vertex_position[source.points(e)[a]];
    for (int a = 0; a + 1 < Operator::kNodes; ++a)
      for (int c = 0; c < kColumns; ++c)
        shape.inverse_rest_shape[a][c][lane] = source.rest_shape(e, a, c);
    Law::set_lane(shape, block, lane, source, e);
    if (slot >= count_) Law::set_padding(shape, block, lane);
    set_weight(block, lane, 1);
  }

  void number_vertices(ChunkRange chunk) {
    std::vector<int> vertices;
    const auto each_corner = [&](const auto& visit) {
      for (auto b = chunk.begin; b < chunk.end; ++b)
        for (int k = 0; k < Operator::kNodes * kLanes; ++k)
          visit(shapes_[b], k / kLanes, k % kLanes);
    };
    each_corner(
        [&](const Shape& shapes, int a, int lane) { vertices.push_back(shapes.corner[a][lane]); });
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    each_corner([&](Shape& shapes, int a, int lane) {
      const auto found = std::lower_bound(vertices.begin(), vertices.end(), shapes.corner[a][lane]);
      shapes.slot[a][lane] = static_cast<std::uint16_t>(found - vertices.begin());
    });
    chunk_vertices_.push_back(std::move(vertices));
  }

  // shape: the prox, unscaled.
  void finish_local_step(std::ptrdiff_t b, const Gradient& shape, const double* p, double* z,
                         const double* residual, double* forces) const {
    const Block& block = blocks_[b];
    const std::ptrdiff_t first = b * block_doubles();
    Gradient force;
    for (int k = 0; k < kCoordinates; ++k) {
      double* z_k = z + first + k * kLanes;
      const Lane current = load_lane(z_k) + load_lane(residual + first + k * kLanes);
      const Lane z_new = block.weight * shape.m[k / kColumns][k % kColumns];
      store_lane(z_k, z_new);
      force.m[k / kColumns][k % kColumns] =
          block.weight * (2 * z_new - load_lane(p + first + k * kLanes) - current);
    }
    add_forces(shapes_[b], force, forces);
  }

  BlockAt<Shape, Block> at(std::ptrdiff_t b) { return {shapes_[b], blocks_[b]}; }

  int count_;
  std::vector<int> members_;  // the element in each slot
  std::vector<Shape> shapes_;
  std::vector<Block> blocks_;
  std::vector<std::vector<int>> chunk_vertices_;
};

}  // namespace dashpot
