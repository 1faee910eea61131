#include "solver/elements/tet_stiffness.h"

#include <algorithm>

#include "solver/base/parallel.h"

namespace dashpot {
namespace {

constexpr int kEntriesPerTet = 10;
constexpr std::ptrdiff_t kTetGrain = 512;

}  // namespace

Connectivity TetTerms::connectivity() const {
  Connectivity all;
  for (const Tet& tet : tets) all.add(tet.data(), 4);
  return all;
}

Eigen::Matrix<double, 4, 3> corner_gradients(const Mat3& inverse_rest_shape) {
  Eigen::Matrix<double, 4, 3> gradients;
  gradients.bottomRows<3>() = inverse_rest_shape;
  gradients.row(0) = -inverse_rest_shape.colwise().sum();
  return gradients;
}

std::vector<double> stiffness_values(const TetTerms& terms, const std::vector<double>& factor) {
  std::vector<double> values(terms.tets.size() * kEntriesPerTet);
  parallel_each(terms.count(), kTetGrain, [&](std::ptrdiff_t t) {
    const Eigen::Matrix<double, 4, 3> gradients = corner_gradients(terms.inverse_rest_shape[t]);
    double* entries = &values[t * kEntriesPerTet];
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b <= a; ++b) *entries++ = factor[t] * gradients.row(a).dot(gradients.row(b));
  });
  return values;
}

GlobalMatrix::Triplets stiffness_entries(const TetTerms& terms, const std::vector<double>& factor) {
  const std::vector<double> values = stiffness_values(terms, factor);
  GlobalMatrix::Triplets entries;
  entries.reserve(values.size());
  for (const Tet& tet : terms.tets)
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b <= a; ++b)
        entries.emplace_back(std::max(tet[a], tet[b]), std::min(tet[a], tet[b]),
                             values[entries.size()]);
  return entries;
}

}  // namespace dashpot
