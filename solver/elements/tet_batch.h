#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "solver/base/svd3.h"
#include "solver/elements/term_batch.h"
#include "solver/elements/tet_block.h"
#include "solver/elements/tet_terms.h"

namespace dashpot {

// Both halves of a block.
template <class Block>
struct BlockAt {
  const TetShapes& shapes;
  Block& block;
};

// The tets of one kind. Kind says which Block they are kept in and what their prox is (of two
// blocks at once if it is paired); it is all that differs between elastic and damped tets.
template <class Kind>
class TetBatch final : public TermBatch {
  using Block = typename Kind::Block;

 public:
  TetBatch(const TetTerms& terms, std::vector<int> members, const std::vector<int>& vertex_position)
      : count_(static_cast<int>(members.size())),
        members_(std::move(members)),
        shapes_(static_cast<std::size_t>((count_ + kLanes - 1) / kLanes)),
        blocks_(shapes_.size()) {
    for (int slot = 0; slot < static_cast<int>(blocks_.size()) * kLanes; ++slot)
      set_lane(slot, terms, members_[std::min(slot, count_ - 1)], vertex_position);
    for (std::ptrdiff_t first = 0; first < block_count(); first += kBlocksPerChunk)
      number_vertices({first, std::min(block_count(), first + kBlocksPerChunk)});
  }

  std::ptrdiff_t block_count() const override {
    return static_cast<std::ptrdiff_t>(blocks_.size());
  }
  int block_doubles() const override { return kCoordinates * kLanes; }

  const std::vector<int>& chunk_vertices(std::ptrdiff_t chunk) const override {
    return chunk_vertices_[chunk];
  }

  double squared_norm() const override {
    double sum = 0;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      Lane squared{};
      for (int c = 0; c < 3; ++c) {
        const auto& g = shapes_[b].inverse_rest_shape.m;
        const Lane first = g[0][c] + g[1][c] + g[2][c];
        squared += g[0][c] * g[0][c] + g[1][c] * g[1][c] + g[2][c] * g[2][c] + first * first;
      }
      sum += lane_sum(blocks_[b].weight * blocks_[b].weight * squared);
    }
    return sum;
  }

  bool adapt_weights(ChunkRange range, const double* x,
                     std::vector<double>& squared_weight) override {
    bool changed = false;
    for (auto b = range.begin; b < range.end; ++b) {
      Block& block = blocks_[b];
      Matrix3<Lane> u, v;
      Stretches<Lane> sigma;
      signed_svd(deformation_gradient(shapes_[b], x), u, sigma, v);
      Lane factor = weight_factor(
          kWeightMargin * concavity(sigma, Kind::Elastic::gradient(sigma, shapes_[b].lame)) /
          block.rest_stiffness);
      if constexpr (Kind::kDamped)
        factor = lane_max(factor, weight_factor(kWeightStep * Kind::stiffening(block, sigma)));
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
    for (auto b = range.begin; b < range.end; ++b) Kind::forget(blocks_[b]);
  }

  void begin_stage(ChunkRange range, const double* x, const double* dual, double* z,
                   double* p) override {
    for (auto b = range.begin; b < range.end; ++b) {
      const Block& block = blocks_[b];
      const Matrix3<Lane> f = deformation_gradient(shapes_[b], x);
      const std::ptrdiff_t first = b * block_doubles();
      for (int k = 0; k < kCoordinates; ++k) {
        const Lane z_k = block.weight * f.m[k / 3][k % 3];
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
      const Matrix3<Lane> f = deformation_gradient(shapes_[b], x);
      const Matrix3<Lane> f_before = deformation_gradient(shapes_[b], before);
      for (int k = 0; k < kCoordinates; ++k) {
        const Lane change = block.weight * (f.m[k / 3][k % 3] - f_before.m[k / 3][k % 3]);
        sum += change * change;
      }
    }
    return lane_sum(sum);
  }

  void local_step(ChunkRange range, const double* p, double* z, const double* residual,
                  double* forces) override {
    const auto target = [&](std::ptrdiff_t b) {
      return load_scaled(p + b * block_doubles(), blocks_[b].inverse_weight);
    };
    if constexpr (Kind::kPaired) {
      for (auto b = range.begin; b < range.end; b += 2) {
        const auto other = std::min(b + 1, range.end - 1);
        Matrix3<Lane> shape[2];
        Kind::prox(at(b), target(b), at(other), target(other), shape);
        finish_local_step(b, shape[0], p, z, residual, forces);
        if (other != b) finish_local_step(other, shape[1], p, z, residual, forces);
      }
    } else {
      for (auto b = range.begin; b < range.end; ++b)
        finish_local_step(b, Kind::prox(at(b), target(b), z + b * block_doubles()), p, z, residual,
                          forces);
    }
  }

  void residual(ChunkRange range, const double* x, const double* z,
                double* residual) const override {
    for (auto b = range.begin; b < range.end; ++b) {
      const Block& block = blocks_[b];
      const Matrix3<Lane> f = deformation_gradient(shapes_[b], x);
      const std::ptrdiff_t first = b * block_doubles();
      for (int k = 0; k < kCoordinates; ++k)
        store_lane(residual + first + k * kLanes,
                   block.weight * f.m[k / 3][k % 3] - load_lane(z + first + k * kLanes));
    }
  }

  void weighted_forces(ChunkRange range, const double* y, double* forces) const override {
    for (auto b = range.begin; b < range.end; ++b)
      add_forces(shapes_[b], load_scaled(y + b * block_doubles(), blocks_[b].weight), forces);
  }

  void dual(ChunkRange range, const double* p, const double* z, double* dual) const override {
    for (auto b = range.begin; b < range.end; ++b)
      for (std::ptrdiff_t at = b * block_doubles(); at < (b + 1) * block_doubles(); at += kLanes)
        store_lane(dual + at, blocks_[b].weight * (load_lane(p + at) - load_lane(z + at)));
  }

  void dual_forces(ChunkRange range, const double* dual, double* forces) const override {
    for (auto b = range.begin; b < range.end; ++b)
      add_forces(shapes_[b], load_scaled(dual + b * block_doubles(), broadcast<Lane>(1)), forces);
  }

  void force_gradient(ChunkRange range, const double* x, const double* v,
                      double* forces) const override {
    for (auto b = range.begin; b < range.end; ++b)
      add_forces(shapes_[b], Kind::force(shapes_[b], blocks_[b], x, v), forces);
  }

  bool is_smooth() const override {
    return std::all_of(blocks_.begin(), blocks_.end(),
                       [](const Block& b) { return Kind::is_smooth(b); });
  }

  bool stage_force(ChunkRange range, const double* x, double* forces, double* dual) override {
    bool regular = true;
    const auto finish = [&](std::ptrdiff_t b, Matrix3<Lane>& stress) {
      for (int k = 0; k < kCoordinates; ++k) {
        Lane& force = stress.m[k / 3][k % 3];
        force *= shapes_[b].volume;
        if (dual) store_lane(dual + b * block_doubles() + k * kLanes, force);
      }
      add_forces(shapes_[b], stress, forces);
    };
    for (auto b = range.begin; b < range.end; b += 2) {
      const auto other = std::min(b + 1, range.end - 1);
      Matrix3<Lane> stress[2];
      regular &= Kind::stage_stress(at(b), deformation_gradient(shapes_[b], x), at(other),
                                    deformation_gradient(shapes_[other], x), stress);
      finish(b, stress[0]);
      if (other != b) finish(other, stress[1]);
    }
    return regular;
  }

  bool is_damped() const override { return Kind::kDamped; }

  void set_stage(ChunkRange range, const StageArrays& stage) override {
    if constexpr (Kind::kDamped)
      for (auto b = range.begin; b < range.end; ++b) Kind::set_stage(at(b), stage);
  }

  void dissipation(ChunkRange range, const double* x, const double* v,
                   std::vector<double>& power) const override {
    if constexpr (Kind::kDamped)
      for (auto b = range.begin; b < range.end; ++b) {
        const Lane watts = Kind::power(shapes_[b], blocks_[b], x, v);
        for (int lane = 0; lane < kLanes; ++lane) {
          const auto slot = static_cast<int>(b) * kLanes + lane;
          if (slot < count_) power[members_[slot]] = watts[lane];
        }
      }
  }

 private:
  void set_lane(int slot, const TetTerms& terms, int t, const std::vector<int>& vertex_position) {
    TetShapes& shapes = shapes_[slot / kLanes];
    Block& block = blocks_[slot / kLanes];
    const int lane = slot % kLanes;
    const bool padding = slot >= count_;
    for (int a = 0; a < 4; ++a) shapes.corner[a][lane] = 4 * vertex_position[terms.tets[t][a]];
    for (int k = 0; k < kCoordinates; ++k)
      shapes.inverse_rest_shape.m[k / 3][k % 3][lane] = terms.inverse_rest_shape[t](k / 3, k % 3);
    shapes.lame.mu[lane] = terms.lame[t].mu;
    shapes.lame.lambda[lane] = terms.lame[t].lambda;
    shapes.volume[lane] = padding ? 0 : terms.volume[t];
    block.rest_stiffness[lane] = terms.squared_weight[t] / terms.volume[t];
    block.rest_squared_weight[lane] = padding ? 0 : terms.squared_weight[t];
    Kind::set_lane(block, lane, terms, t);
    set_weight(block, lane, 1);
  }

  void number_vertices(ChunkRange chunk) {
    std::vector<int> vertices;
    const auto each_corner = [&](const auto& visit) {
      for (auto b = chunk.begin; b < chunk.end; ++b)
        for (int k = 0; k < 4 * kLanes; ++k) visit(shapes_[b], k / kLanes, k % kLanes);
    };
    each_corner([&](const TetShapes& shapes, int a, int lane) {
      vertices.push_back(shapes.corner[a][lane]);
    });
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    each_corner([&](TetShapes& shapes, int a, int lane) {
      const auto found = std::lower_bound(vertices.begin(), vertices.end(), shapes.corner[a][lane]);
      shapes.slot[a][lane] = static_cast<std::uint16_t>(found - vertices.begin());
    });
    chunk_vertices_.push_back(std::move(vertices));
  }

  // shape: the prox, unscaled.
  void finish_local_step(std::ptrdiff_t b, const Matrix3<Lane>& shape, const double* p, double* z,
                         const double* residual, double* forces) const {
    const Block& block = blocks_[b];
    const std::ptrdiff_t first = b * block_doubles();
    Matrix3<Lane> force;
    for (int k = 0; k < kCoordinates; ++k) {
      double* z_k = z + first + k * kLanes;
      const Lane current = load_lane(z_k) + load_lane(residual + first + k * kLanes);
      const Lane z_new = block.weight * shape.m[k / 3][k % 3];
      store_lane(z_k, z_new);
      force.m[k / 3][k % 3] =
          block.weight * (2 * z_new - load_lane(p + first + k * kLanes) - current);
    }
    add_forces(shapes_[b], force, forces);
  }

  BlockAt<Block> at(std::ptrdiff_t b) { return {shapes_[b], blocks_[b]}; }

  int count_;
  std::vector<int> members_;  // the tet in each slot
  std::vector<TetShapes> shapes_;
  std::vector<Block> blocks_;
  std::vector<std::vector<int>> chunk_vertices_;
};

using TermBatches = std::vector<std::unique_ptr<TermBatch>>;

// Adds a batch of the damped tets among `sorted` for each material and damping model in use.
void add_damped_batches(const TetTerms& terms, const std::vector<int>& sorted,
                        const std::vector<int>& vertex_position, TermBatches& batches);

}  // namespace dashpot
