#include "solver/elements/spring_set.h"

#include <algorithm>
#include <memory>

#include "solver/base/parallel.h"
#include "solver/elements/spring_law.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kSpringGrain = 1024;

}  // namespace

double SpringSet::squared_weight(int e) const {
  return terms_.stiffness[e] * terms_.rest_length[e] * terms_.rest_length[e];
}

double SpringSet::stretch(const Points& x, int e) const {
  const auto& [a, b] = terms_.edges[e];
  return (x.col(b) - x.col(a)).norm() / terms_.rest_length[e];
}

double SpringSet::energy(double stretch, int e) const {
  return 0.5 * squared_weight(e) * (stretch - 1) * (stretch - 1);
}

ElementSet::TermBatches SpringSet::make_batches(const std::vector<int>& members,
                                                const std::vector<int>& vertex_position) const {
  std::vector<int> elastic, damped;
  for (const int e : members) (is_damped(e) ? damped : elastic).push_back(e);
  TermBatches batches;
  if (!elastic.empty())
    batches.push_back(std::make_unique<ElementBatch<SpringOperator, SpringLaw<false>>>(
        terms_, first(), std::move(elastic), vertex_position));
  if (!damped.empty())
    batches.push_back(std::make_unique<ElementBatch<SpringOperator, SpringLaw<true>>>(
        terms_, first(), std::move(damped), vertex_position));
  return batches;
}

ElementMeasurement SpringSet::measure(const Points& x, ElementRange range) const {
  return parallel_sum(range.end - range.begin, kSpringGrain, ElementMeasurement{},
                      [&](ChunkRange chunk) {
                        ElementMeasurement sum;
                        for (auto k = chunk.begin; k < chunk.end; ++k) {
                          const int e = range.begin + static_cast<int>(k);
                          const double s = stretch(x, e);
                          sum.elastic += energy(s, e);
                          sum.max_stretch = std::max(sum.max_stretch, s);
                          sum.min_stretch = std::min(sum.min_stretch, s);
                        }
                        return sum;
                      });
}

std::vector<double> SpringSet::evaluate(const ElementDiagnostic& diagnostic, const Points& x,
                                        const std::vector<double>& dissipated) const {
  std::vector<double> values(terms_.edges.size());
  for (int e = 0; e < count(); ++e) {
    const double s = stretch(x, e);
    values[e] = diagnostic.value_of_spring({s, energy(s, e), dissipated[first() + e]});
  }
  return values;
}

}  // namespace dashpot
