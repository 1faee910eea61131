#include "solver/elements/tet_set.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "solver/base/parallel.h"
#include "solver/base/svd3.h"
#include "solver/mesh/rest_shape.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kTetGrain = 256;

// Of the tets first ... first + 3, or as many as there are before `end`.
Stretches<Lane> stretches_of_four(const TetTerms& terms, const Points& x, int first, int end) {
  Matrix3<Lane> f;
  for (int lane = 0; lane < kLanes; ++lane) {
    const auto t = static_cast<std::size_t>(std::min(first + lane, end - 1));
    const Mat3 own = deformation_gradient(x, terms.tets[t], terms.inverse_rest_shape[t]);
    for (int k = 0; k < 9; ++k) f.m[k / 3][k % 3][lane] = own(k / 3, k % 3);
  }
  Matrix3<Lane> u, v;
  Stretches<Lane> s;
  signed_svd(f, u, s, v);
  return s;
}

}  // namespace

double automatic_squared_weight(Material material, const Lame<double>& lame, double volume) {
  const double softest = 2 * lame.mu;  // pure shear, every material at rest
  return volume * std::sqrt(softest * curvature(material, lame.mu, lame.lambda));
}

Eigen::Matrix<double, 4, 3> corner_gradients(const Mat3& inverse_rest_shape) {
  Eigen::Matrix<double, 4, 3> gradients;
  gradients.bottomRows<3>() = inverse_rest_shape;
  gradients.row(0) = -inverse_rest_shape.colwise().sum();
  return gradients;
}

TetSet::TetSet(TetTerms terms)
    : terms_(std::move(terms)),
      has_drag_(std::any_of(terms_.drag.begin(), terms_.drag.end(),
                            [](double drag) { return drag != 0; })) {}

double TetSet::size(int t) const {
  return std::cbrt(terms_.volume[t]);
}

bool TetSet::resists_rotation() const {
  if (terms_.conserve_angular) return false;
  return std::any_of(terms_.damping.begin(), terms_.damping.end(), [](const Damping& damping) {
    return damping.model == DampingModel::kRayleigh ||
           damping.model == DampingModel::kRayleighLagged;
  });
}

ElementSet::TermBatches TetSet::make_batches(const std::vector<int>& members,
                                             const std::vector<int>& vertex_position) const {
  const auto key = [&](int t) {
    int least = std::numeric_limits<int>::max();
    for (const int point : terms_.tets[t]) least = std::min(least, vertex_position[point]);
    return least;
  };
  std::vector<std::pair<int, int>> keyed;
  keyed.reserve(members.size());
  for (const int t : members) keyed.emplace_back(key(t), t);
  std::sort(keyed.begin(), keyed.end());
  std::vector<int> sorted;
  sorted.reserve(keyed.size());
  for (const auto& [least, t] : keyed) sorted.push_back(t);

  TermBatches batches;
  add_elastic_batches(terms_, first(), sorted, vertex_position, batches);
  add_damped_batches(terms_, first(), sorted, vertex_position, batches);
  return batches;
}

ElementMeasurement TetSet::measure(const Points& x, ElementRange range) const {
  const int begin = range.begin;
  return parallel_sum(
      range.end - range.begin, kTetGrain, ElementMeasurement{}, [&](ChunkRange chunk) {
        ElementMeasurement sum;
        Stretches<Lane> four{};
        for (auto k = chunk.begin; k < chunk.end; ++k) {
          const int t = begin + static_cast<int>(k);
          const int lane = static_cast<int>(k - chunk.begin) % kLanes;
          if (lane == 0)
            four = stretches_of_four(terms_, x, t, begin + static_cast<int>(chunk.end));
          const Stretches<double> s = {four[0][lane], four[1][lane], four[2][lane]};
          sum.elastic += terms_.volume[t] * energy_density(terms_.material[t], s, terms_.lame[t]);
          sum.inverted += s[2] < 0;
          sum.max_stretch = std::max(sum.max_stretch, s[0]);
          sum.min_stretch = std::min(sum.min_stretch, s[2]);
        }
        return sum;
      });
}

void TetSet::add_drag(double tau, const Points& v, std::vector<double>& dissipated) const {
  if (!has_drag_) return;
  for (int t = 0; t < count(); ++t) {
    double squared = 0;
    for (const int corner : terms_.tets[t]) squared += v.col(corner).squaredNorm();
    dissipated[first() + t] += tau * 0.25 * terms_.drag[t] * squared;
  }
}

std::vector<double> TetSet::evaluate(const ElementDiagnostic& diagnostic, const Points& x,
                                     const std::vector<double>& dissipated) const {
  std::vector<double> values(terms_.tets.size());
  parallel_each(terms_.count(), kTetGrain, [&](std::ptrdiff_t i) {
    const auto t = static_cast<std::size_t>(i);
    const Mat3 F = deformation_gradient(x, terms_.tets[t], terms_.inverse_rest_shape[t]);
    values[t] = diagnostic.value({x, terms_.tets[t], signed_stretches(F), terms_.material[t],
                                  terms_.lame[t], terms_.volume[t], dissipated[first() + t]});
  });
  return values;
}

}  // namespace dashpot
