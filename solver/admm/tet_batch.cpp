#include "solver/admm/tet_batch.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "solver/base/lane_pair.h"
#include "solver/elasticity/arap.h"
#include "solver/elasticity/corotated.h"
#include "solver/elasticity/neohookean.h"
#include "solver/elasticity/stvk.h"

namespace dashpot {
namespace {

// Also remembers where the SVD of the last iteration ended: it changes little to the next.
struct ElasticBlock : TetBlock {
  Lane axes[2][3];  // columns of V
};

DASHPOT_INLINE LanePair pair_of(const Lane& a, const Lane& b) {
  return {a, b};
}

DASHPOT_INLINE Matrix3<LanePair> pair_of(const Matrix3<Lane>& a, const Matrix3<Lane>& b) {
  Matrix3<LanePair> pair;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) pair.m[i][j] = {a.m[i][j], b.m[i][j]};
  return pair;
}

// V from its first two columns.
DASHPOT_INLINE Matrix3<LanePair> axes_of(const ElasticBlock& a, const ElasticBlock& b) {
  Matrix3<LanePair> v;
  for (int c = 0; c < 2; ++c)
    for (int r = 0; r < 3; ++r) v.m[r][c] = {a.axes[c][r], b.axes[c][r]};
  for (int r = 0; r < 3; ++r) {
    const int s = (r + 1) % 3, t = (r + 2) % 3;
    v.m[r][2] = lane_fma(v.m[s][0], v.m[t][1], -(v.m[t][0] * v.m[s][1]));
  }
  return v;
}

template <class MaterialModel>
struct ElasticTets {
  using Block = ElasticBlock;
  using Elastic = MaterialModel;
  static constexpr bool kDamped = false;
  static constexpr bool kPaired = true;

  static void set_lane(Block& /*block*/, int /*lane*/, const TetTerms& /*terms*/, int /*t*/) {}

  static void forget(Block& block) {
    const Lane zero{}, one = broadcast<Lane>(1);
    block.stretches = {one, one, one};
    for (int c = 0; c < 2; ++c)
      for (int r = 0; r < 3; ++r) block.axes[c][r] = r == c ? one : zero;
  }

  // a and b may be the same.
  static void prox(Block& a, const Matrix3<Lane>& p_a, Block& b, const Matrix3<Lane>& p_b,
                   Matrix3<Lane> (&shape)[2]) {
    Matrix3<LanePair> u, v = axes_of(a, b);
    Stretches<LanePair> sigma, start;
    signed_svd_from(pair_of(p_a, p_b), u, sigma, v);
    for (int i = 0; i < 3; ++i) start[i] = pair_of(a.stretches[i], b.stretches[i]);
    const Lame<LanePair> lame = {pair_of(a.lame.mu, b.lame.mu),
                                 pair_of(a.lame.lambda, b.lame.lambda)};
    const Stretches<LanePair> s =
        MaterialModel::prox(sigma, lame, pair_of(a.stiffness, b.stiffness), start);
    const Matrix3<LanePair> z = compose(u, s, v);
    for (int i = 0; i < 3; ++i) {
      a.stretches[i] = s[i].a;
      b.stretches[i] = s[i].b;
      for (int c = 0; c < 2; ++c) {
        a.axes[c][i] = v.m[i][c].a;
        b.axes[c][i] = v.m[i][c].b;
      }
      for (int j = 0; j < 3; ++j) {
        shape[0].m[i][j] = z.m[i][j].a;
        shape[1].m[i][j] = z.m[i][j].b;
      }
    }
  }

  static Matrix3<Lane> force(const Block& block, const double* x, const double* /*velocity*/) {
    Matrix3<Lane> u, v;
    Stretches<Lane> sigma;
    signed_svd(deformation_gradient(block, x), u, sigma, v);
    Stretches<Lane> stress = MaterialModel::gradient(sigma, block.lame);
    for (Lane& s : stress) s *= block.volume;
    return compose(u, stress, v);
  }
};

template <class MaterialModel>
void add_batch(const TetTerms& terms, Material material, const std::vector<int>& sorted,
               const std::vector<int>& vertex_position,
               std::vector<std::unique_ptr<TermBatch>>& batches) {
  std::vector<int> members;
  for (int t : sorted)
    if (terms.material[t] == material && !is_active(terms.damping[t])) members.push_back(t);
  if (!members.empty())
    batches.push_back(std::make_unique<TetBatch<ElasticTets<MaterialModel>>>(
        terms, std::move(members), vertex_position));
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
  add_damped_batches(terms, sorted, vertex_position, batches);
  return batches;
}

}  // namespace dashpot
