#include "solver/admm/tet_batch.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "solver/elasticity/arap.h"
#include "solver/elasticity/corotated.h"
#include "solver/elasticity/neohookean.h"
#include "solver/elasticity/stvk.h"

namespace dashpot {
namespace {

template <class MaterialModel>
struct ElasticTets {
  using Block = TetBlock;
  using Elastic = MaterialModel;
  static constexpr bool kDamped = false;

  static void set_lane(Block& /*block*/, int /*lane*/, const TetTerms& /*terms*/, int /*t*/) {}

  static void forget(Block& block) {
    block.stretches = {broadcast<Lane>(1), broadcast<Lane>(1), broadcast<Lane>(1)};
  }

  static Matrix3<Lane> prox(Block& block, const Matrix3<Lane>& p, const double* /*z*/) {
    Matrix3<Lane> u, v;
    Stretches<Lane> sigma;
    signed_svd(p, u, sigma, v);
    block.stretches = MaterialModel::prox(sigma, block.lame, block.stiffness, block.stretches);
    return compose(u, block.stretches, v);
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
