#include <utility>

#include "solver/base/lane_pair.h"
#include "solver/base/svd3.h"
#include "solver/elasticity/arap.h"
#include "solver/elasticity/corotated.h"
#include "solver/elasticity/neohookean.h"
#include "solver/elasticity/regular_stress.h"
#include "solver/elasticity/stvk.h"
#include "solver/elements/element_batch.h"
#include "solver/elements/tet_law.h"
#include "solver/elements/tet_set.h"

namespace dashpot {
namespace {

// Remembers where the SVD and the prox of the last iteration ended: they change little to the next.
struct ElasticBlock : ElementBlock {
  Lane axes[2][3];  // columns of V
  Stretches<Lane> stretches;
};

DASHPOT_INLINE Lame<LanePair> lame_pair(const Lame<Lane>& a, const Lame<Lane>& b) {
  return {{a.mu, b.mu}, {a.lambda, b.lambda}};
}

DASHPOT_INLINE void set_axes(const Matrix3<LanePair>& v, ElasticBlock& a, ElasticBlock& b) {
  for (int c = 0; c < 2; ++c)
    for (int r = 0; r < 3; ++r) {
      a.axes[c][r] = v.m[r][c].a;
      b.axes[c][r] = v.m[r][c].b;
    }
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
struct ElasticTets : TetLaw {
  using Block = ElasticBlock;
  using Elastic = MaterialModel;
  static constexpr bool kDamped = false;
  static constexpr bool kPaired = true;

  static void set_lane(TetShape& shape, Block& block, int lane, const TetTerms& terms, int t) {
    set_tet(shape, block, lane, terms, t);
  }

  static Lane weight_factor(const At<Block>& at, const Matrix3<Lane>& f) {
    return elastic_weight_factor<MaterialModel>(at.shape, at.block, stretches(f));
  }

  static void forget(Block& block) {
    const Lane zero{}, one = broadcast<Lane>(1);
    block.stretches = {one, one, one};
    for (int c = 0; c < 2; ++c)
      for (int r = 0; r < 3; ++r) block.axes[c][r] = r == c ? one : zero;
  }

  static bool is_smooth(const Block& /*block*/) { return true; }

  // a and b may be the same.
  static bool stage_stress(const At<Block>& a, const Matrix3<Lane>& f_a, const At<Block>& b,
                           const Matrix3<Lane>& f_b, Matrix3<Lane> (&stress)[2]) {
    constexpr bool kNeedsAxes = !std::is_same_v<MaterialModel, NeoHookean>;
    Matrix3<LanePair> axes, pair;
    if constexpr (kNeedsAxes) axes = axes_of(a.block, b.block);
    const auto regular = regular_stress<MaterialModel>(
        pair_of(f_a, f_b), lame_pair(a.shape.lame, b.shape.lame), axes, pair);
    if constexpr (kNeedsAxes) set_axes(axes, a.block, b.block);
    split(pair, stress);
    return !any(mask_not(regular));
  }

  // a and b may be the same.
  static void prox(const At<Block>& at_a, const Matrix3<Lane>& p_a, const At<Block>& at_b,
                   const Matrix3<Lane>& p_b, Matrix3<Lane> (&shape)[2]) {
    Block &a = at_a.block, &b = at_b.block;
    Matrix3<LanePair> u, v = axes_of(a, b);
    Stretches<LanePair> sigma, start;
    signed_svd_from(pair_of(p_a, p_b), u, sigma, v);
    for (int i = 0; i < 3; ++i) start[i] = pair_of(a.stretches[i], b.stretches[i]);
    const Stretches<LanePair> s =
        MaterialModel::prox(sigma, lame_pair(at_a.shape.lame, at_b.shape.lame),
                            pair_of(a.stiffness, b.stiffness), start);
    for (int i = 0; i < 3; ++i) {
      a.stretches[i] = s[i].a;
      b.stretches[i] = s[i].b;
    }
    set_axes(v, a, b);
    split(compose(u, s, v), shape);
  }

  static Matrix3<Lane> force(const TetShape& shapes, const Block& /*block*/, const double* x,
                             const double* /*velocity*/) {
    Matrix3<Lane> u, v;
    Stretches<Lane> sigma;
    signed_svd(deformation_gradient(shapes, x), u, sigma, v);
    Stretches<Lane> stress = MaterialModel::gradient(sigma, shapes.lame);
    for (Lane& s : stress) s *= shapes.volume;
    return compose(u, stress, v);
  }
};

template <class MaterialModel>
void add_elastic_batch(const TetTerms& terms, int first, Material material,
                       const std::vector<int>& sorted, const std::vector<int>& vertex_position,
                       ElementSet::TermBatches& batches) {
  std::vector<int> members;
  for (int t : sorted)
    if (terms.material[t] == material && !is_active(terms.damping[t])) members.push_back(t);
  if (!members.empty())
    batches.push_back(std::make_unique<ElementBatch<TetOperator, ElasticTets<MaterialModel>>>(
        terms, first, std::move(members), vertex_position));
}

}  // namespace

void add_elastic_batches(const TetTerms& terms, int first, const std::vector<int>& sorted,
                         const std::vector<int>& vertex_position,
                         ElementSet::TermBatches& batches) {
  const auto add = [&](auto model, Material material) {
    add_elastic_batch<decltype(model)>(terms, first, material, sorted, vertex_position, batches);
  };
  add(Corotated{}, Material::kCorotated);
  add(NeoHookean{}, Material::kNeoHookean);
  add(Stvk{}, Material::kStvk);
  add(Arap{}, Material::kArap);
}

}  // namespace dashpot
