#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "solver/admm/tet_terms.h"
#include "solver/base/lane_points.h"
#include "solver/base/matrix3.h"
#include "solver/base/svd3.h"
#include "solver/elasticity/arap.h"
#include "solver/elasticity/corotated.h"
#include "solver/elasticity/neohookean.h"
#include "solver/elasticity/stvk.h"

namespace dashpot {
namespace {

constexpr int kCoordinates = 9;  // of one tet: F, row by row

// Weights stay above this many times the concavity. Theory asks for 2; on a ball that sags to a
// quarter of its height, 1 never converges, 2 takes 20 % more iterations than 3, and 4 takes 8 %
// more.
constexpr double kWeightMargin = 3.0;

// Four tets side by side.
struct TetBlock {
  int corner[4][kLanes];  // vertex times four
  Matrix3<Lane> inverse_edges;
  Lame<Lane> lame;
  Lane volume;                // 0 in padding lanes
  Lane rest_squared_weight;   // w^2 at rest, 0 in padding lanes
  Lane rest_stiffness;        // w^2 / V at rest, Pa
  Lane stiffness;             // w^2 / V now, Pa
  Lane weight;                // w, 0 in padding lanes
  Lane inverse_weight;        // 0 in padding lanes
  Stretches<Lane> stretches;  // warm start of the prox
};

Matrix3<Lane> load_scaled(const double* flat, const Lane& scale) {
  Matrix3<Lane> out;
  for (int k = 0; k < kCoordinates; ++k) out.m[k / 3][k % 3] = scale * load_lane(flat + k * kLanes);
  return out;
}

Matrix3<Lane> deformation_gradient(const TetBlock& block, const double* x) {
  const LanePoint p0 = load_points(x, block.corner[0]);
  Lane edge[3][3];  // coordinate, edge
  for (int c = 0; c < 3; ++c) {
    const LanePoint p = load_points(x, block.corner[c + 1]);
    edge[0][c] = p.x - p0.x;
    edge[1][c] = p.y - p0.y;
    edge[2][c] = p.z - p0.z;
  }
  Matrix3<Lane> f;
  const auto& g = block.inverse_edges.m;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      f.m[r][c] = edge[r][0] * g[0][c] + edge[r][1] * g[1][c] + edge[r][2] * g[2][c];
  return f;
}

// D^T y for one block: y is the (already weighted) generalised force on F.
void store_corners(const TetBlock& block, const Matrix3<Lane>& y, double* corners) {
  const auto& g = block.inverse_edges.m;
  Lane force[4][3];
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c)
      force[c + 1][r] = y.m[r][0] * g[c][0] + y.m[r][1] * g[c][1] + y.m[r][2] * g[c][2];
    force[0][r] = -(force[1][r] + force[2][r] + force[3][r]);
  }
  for (int a = 0; a < 4; ++a) {
    Lane x = force[a][0], y_ = force[a][1], z = force[a][2], zero{};
    transpose4(x, y_, z, zero);
    store_lane(corners + (0 * 4 + a) * 4, x);
    store_lane(corners + (1 * 4 + a) * 4, y_);
    store_lane(corners + (2 * 4 + a) * 4, z);
    store_lane(corners + (3 * 4 + a) * 4, zero);
  }
}

// How concave the energy is in F at these stretches, Pa: in a squeezed tet, turning a pair of axes
// against each other lowers the energy, with curvature (g_i + g_j) / (s_i + s_j).
Lane concavity(const Stretches<Lane>& s, const Stretches<Lane>& g) {
  constexpr double kFlat = 0.1;  // an inverted pair has a kink: no finite weight is enough
  Lane most{};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    most = lane_max(most, -(g[i] + g[j]) / lane_max(s[i] + s[j], broadcast<Lane>(kFlat)));
  }
  return most;
}

// ADMM on a concave term needs a weight above its concavity. Coarse steps, so that the matrix is
// seldom factored anew.
Lane weight_factor(const Lane& ratio) {
  Lane factor = broadcast<Lane>(1);
  for (double level : {4.0, 16.0, 64.0})
    factor = select(ratio * kWeightMargin > factor, broadcast<Lane>(level), factor);
  return factor;
}

template <class MaterialModel>
class TetBatch final : public TermBatch {
 public:
  TetBatch(const TetTerms& terms, std::vector<int> members, const std::vector<int>& vertex_position)
      : count_(static_cast<int>(members.size())),
        members_(std::move(members)),
        blocks_(static_cast<std::size_t>((count_ + kLanes - 1) / kLanes)) {
    for (int slot = 0; slot < static_cast<int>(blocks_.size()) * kLanes; ++slot)
      set_lane(slot, terms, members_[std::min(slot, count_ - 1)], vertex_position);
  }

  std::ptrdiff_t block_count() const override {
    return static_cast<std::ptrdiff_t>(blocks_.size());
  }
  int block_doubles() const override { return kCoordinates * kLanes; }
  int block_corners() const override { return 4 * kLanes; }

  std::vector<int> corner_vertices() const override {
    std::vector<int> vertices(blocks_.size() * 4 * kLanes, -1);
    for (int slot = 0; slot < count_; ++slot)
      for (int a = 0; a < 4; ++a)
        vertices[slot * 4 + a] = blocks_[slot / kLanes].corner[a][slot % kLanes];
    return vertices;
  }

  double squared_norm() const override {
    double sum = 0;
    for (const TetBlock& block : blocks_) {
      Lane squared{};
      for (int c = 0; c < 3; ++c) {
        const auto& g = block.inverse_edges.m;
        const Lane first = g[0][c] + g[1][c] + g[2][c];
        squared += g[0][c] * g[0][c] + g[1][c] * g[1][c] + g[2][c] * g[2][c] + first * first;
      }
      sum += lane_sum(block.weight * block.weight * squared);
    }
    return sum;
  }

  bool adapt_weights(ChunkRange range, const double* x,
                     std::vector<double>& squared_weight) override {
    bool changed = false;
    for (auto b = range.begin; b < range.end; ++b) {
      TetBlock& block = blocks_[b];
      Matrix3<Lane> u, v;
      Stretches<Lane> sigma;
      signed_svd(deformation_gradient(block, x), u, sigma, v);
      const Lane factor = weight_factor(
          concavity(sigma, MaterialModel::gradient(sigma, block.lame)) / block.rest_stiffness);
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

  void begin_stage(ChunkRange range, const double* x, const double* dual, double* z,
                   double* p) override {
    for (auto b = range.begin; b < range.end; ++b) {
      TetBlock& block = blocks_[b];
      block.stretches = {broadcast<Lane>(1), broadcast<Lane>(1), broadcast<Lane>(1)};
      const Matrix3<Lane> f = deformation_gradient(block, x);
      const std::ptrdiff_t at = b * block_doubles();
      for (int k = 0; k < kCoordinates; ++k) {
        const Lane z_k = block.weight * f.m[k / 3][k % 3];
        store_lane(z + at + k * kLanes, z_k);
        store_lane(p + at + k * kLanes,
                   z_k + block.inverse_weight * load_lane(dual + at + k * kLanes));
      }
    }
  }

  double squared_change(ChunkRange range, const double* x, const double* before) const override {
    Lane sum{};
    for (auto b = range.begin; b < range.end; ++b) {
      const TetBlock& block = blocks_[b];
      const Matrix3<Lane> f = deformation_gradient(block, x);
      const Matrix3<Lane> f_before = deformation_gradient(block, before);
      for (int k = 0; k < kCoordinates; ++k) {
        const Lane change = block.weight * (f.m[k / 3][k % 3] - f_before.m[k / 3][k % 3]);
        sum += change * change;
      }
    }
    return lane_sum(sum);
  }

  void local_step(ChunkRange range, const double* p, double* z, const double* residual,
                  double* corners) override {
    for (auto b = range.begin; b < range.end; ++b) {
      TetBlock& block = blocks_[b];
      const std::ptrdiff_t at = b * block_doubles();
      Matrix3<Lane> u, v;
      Stretches<Lane> sigma;
      signed_svd(load_scaled(p + at, block.inverse_weight), u, sigma, v);
      block.stretches = MaterialModel::prox(sigma, block.lame, block.stiffness, block.stretches);
      const Matrix3<Lane> shape = compose(u, block.stretches, v);
      Matrix3<Lane> force;
      for (int k = 0; k < kCoordinates; ++k) {
        double* z_k = z + at + k * kLanes;
        const Lane current = load_lane(z_k) + load_lane(residual + at + k * kLanes);
        const Lane z_new = block.weight * shape.m[k / 3][k % 3];
        store_lane(z_k, z_new);
        force.m[k / 3][k % 3] =
            block.weight * (2 * z_new - load_lane(p + at + k * kLanes) - current);
      }
      store_corners(block, force, corners + b * block_corners() * 4);
    }
  }

  void residual(ChunkRange range, const double* x, const double* z,
                double* residual) const override {
    for (auto b = range.begin; b < range.end; ++b) {
      const TetBlock& block = blocks_[b];
      const Matrix3<Lane> f = deformation_gradient(block, x);
      const std::ptrdiff_t at = b * block_doubles();
      for (int k = 0; k < kCoordinates; ++k)
        store_lane(residual + at + k * kLanes,
                   block.weight * f.m[k / 3][k % 3] - load_lane(z + at + k * kLanes));
    }
  }

  void weighted_forces(ChunkRange range, const double* y, double* corners) const override {
    for (auto b = range.begin; b < range.end; ++b)
      store_corners(blocks_[b], load_scaled(y + b * block_doubles(), blocks_[b].weight),
                    corners + b * block_corners() * 4);
  }

  void dual(ChunkRange range, const double* p, const double* z, double* dual) const override {
    for (auto b = range.begin; b < range.end; ++b)
      for (std::ptrdiff_t at = b * block_doubles(); at < (b + 1) * block_doubles(); at += kLanes)
        store_lane(dual + at, blocks_[b].weight * (load_lane(p + at) - load_lane(z + at)));
  }

  void dual_forces(ChunkRange range, const double* dual, double* corners) const override {
    for (auto b = range.begin; b < range.end; ++b)
      store_corners(blocks_[b], load_scaled(dual + b * block_doubles(), broadcast<Lane>(1)),
                    corners + b * block_corners() * 4);
  }

  void energy_gradient(ChunkRange range, const double* x, double* corners) const override {
    for (auto b = range.begin; b < range.end; ++b) {
      const TetBlock& block = blocks_[b];
      Matrix3<Lane> u, v;
      Stretches<Lane> sigma;
      signed_svd(deformation_gradient(block, x), u, sigma, v);
      Stretches<Lane> stress = MaterialModel::gradient(sigma, block.lame);
      for (Lane& s : stress) s *= block.volume;
      store_corners(block, compose(u, stress, v), corners + b * block_corners() * 4);
    }
  }

 private:
  void set_lane(int slot, const TetTerms& terms, int t, const std::vector<int>& vertex_position) {
    TetBlock& block = blocks_[slot / kLanes];
    const int lane = slot % kLanes;
    const bool padding = slot >= count_;
    for (int a = 0; a < 4; ++a) block.corner[a][lane] = 4 * vertex_position[terms.tets[t][a]];
    for (int k = 0; k < kCoordinates; ++k)
      block.inverse_edges.m[k / 3][k % 3][lane] = terms.inverse_edges[t](k / 3, k % 3);
    block.lame.mu[lane] = terms.lame[t].mu;
    block.lame.lambda[lane] = terms.lame[t].lambda;
    block.volume[lane] = padding ? 0 : terms.volume[t];
    block.rest_stiffness[lane] = terms.squared_weight[t] / terms.volume[t];
    block.rest_squared_weight[lane] = padding ? 0 : terms.squared_weight[t];
    set_weight(block, lane, 1);
  }

  // factor is a power of two: weights that come back to those at rest are those at rest, bit for
  // bit.
  static void set_weight(TetBlock& block, int lane, double factor) {
    block.stiffness[lane] = factor * block.rest_stiffness[lane];
    block.weight[lane] = std::sqrt(factor * block.rest_squared_weight[lane]);
    block.inverse_weight[lane] = block.weight[lane] > 0 ? 1 / block.weight[lane] : 0;
  }

  int count_;
  std::vector<int> members_;  // the tet in each slot
  std::vector<TetBlock> blocks_;
};

template <class MaterialModel>
void add_batch(const TetTerms& terms, Material material, const std::vector<int>& sorted,
               const std::vector<int>& vertex_position,
               std::vector<std::unique_ptr<TermBatch>>& batches) {
  std::vector<int> members;
  for (int t : sorted)
    if (terms.material[t] == material) members.push_back(t);
  if (!members.empty())
    batches.push_back(
        std::make_unique<TetBatch<MaterialModel>>(terms, std::move(members), vertex_position));
}

}  // namespace

double automatic_squared_weight(Material material, const Lame<double>& lame, double volume) {
  const double softest = 2 * lame.mu;  // pure shear, every material at rest
  return volume * std::sqrt(softest * curvature(material, lame.mu, lame.lambda));
}

std::vector<std::unique_ptr<TermBatch>> make_tet_batches(const TetTerms& terms,
                                                         const std::vector<int>& vertex_position) {
  std::vector<int> key(terms.tets.size()), sorted(terms.tets.size());
  for (int t = 0; t < terms.count(); ++t) {
    key[t] = std::numeric_limits<int>::max();
    for (int point : terms.tets[t]) key[t] = std::min(key[t], vertex_position[point]);
  }
  std::iota(sorted.begin(), sorted.end(), 0);
  std::stable_sort(sorted.begin(), sorted.end(), [&](int a, int b) { return key[a] < key[b]; });

  std::vector<std::unique_ptr<TermBatch>> batches;
  add_batch<Corotated>(terms, Material::kCorotated, sorted, vertex_position, batches);
  add_batch<NeoHookean>(terms, Material::kNeoHookean, sorted, vertex_position, batches);
  add_batch<Stvk>(terms, Material::kStvk, sorted, vertex_position, batches);
  add_batch<Arap>(terms, Material::kArap, sorted, vertex_position, batches);
  return batches;
}

}  // namespace dashpot
