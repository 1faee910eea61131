#include "solver/stage/islands.h"

#include <algorithm>
#include <utility>

#include "solver/base/parallel.h"
#include "solver/collision/surface_detector.h"
#include "solver/collision/tangles.h"

namespace dashpot {
namespace {

const PreparedMatrix& prepared_at(const PreparedMatrices& former, std::size_t island) {
  static const PreparedMatrix none;
  return island < former.islands.size() ? former.islands[island] : none;
}

}  // namespace

Islands::Islands(const StageModel& model, const PreparedMatrices& former) : model_(model) {
  values_.squared_weight = model.elements.squared_weight();
  if (model.laplacian > 0)
    for (const auto& set : model.elements.sets())
      for (int e = 0; e < set->count(); ++e)
        values_.laplacian.push_back(set->laplacian_coefficient(e, model.laplacian));
  flat_begin_.push_back(0);
  for (Island& island : find_islands(model.elements, model.point_count())) {
    islands_.push_back(std::make_unique<IslandSolver>(model, std::move(island), values_,
                                                      prepared_at(former, islands_.size())));
    flat_begin_.push_back(flat_begin_.back() + islands_.back()->problem.chunks().flat_size());
  }
  island_of_point_.assign(model.mass.size(), -1);
  for (std::size_t i = 0; i < islands_.size(); ++i)
    for (const int point : islands_[i]->problem.island().points)
      island_of_point_[point] = static_cast<int>(i);
  for (const auto& set : model.elements.sets())
    for (int e = 0; e < set->count(); ++e)
      island_of_element_.push_back(island_of_point_[set->points(e)[0]]);
}

Islands::~Islands() = default;

void Islands::for_each(const std::function<void(IslandSolver&, std::size_t)>& body) const {
  if (islands_.size() == 1) return body(*islands_.front(), 0);
  parallel_each(static_cast<std::ptrdiff_t>(islands_.size()), 1,
                [&](std::ptrdiff_t i) { body(*islands_[i], static_cast<std::size_t>(i)); });
}

std::uint64_t Islands::force_layout() const {
  Hash hash;
  for (const auto& island : islands_) island->problem.chunks().fingerprint(hash);
  return hash.value();
}

bool Islands::are_damped() const {
  return std::any_of(islands_.begin(), islands_.end(),
                     [](const auto& island) { return island->problem.is_damped(); });
}

bool Islands::have_single_precision() const {
  return std::any_of(islands_.begin(), islands_.end(), [](const auto& island) {
    return island->problem.matrix().precision() == FactorPrecision::kSingle;
  });
}

double Islands::elastic_energy(const Points& x, const IslandMask& of) const {
  double energy = 0;
  for (const auto& set : model_.elements.sets())
    for (int e = 0; e < set->count();) {
      ElementRange run{e, e + 1};
      const int island = island_of_element_[set->first() + e];
      while (run.end < set->count() && island_of_element_[set->first() + run.end] == island)
        ++run.end;
      if (of[island]) energy += set->measure(x, run).elastic;
      e = run.end;
    }
  return energy;
}

Points Islands::energy_gradient(const Points& x) {
  Points gradient = Points::Zero(3, x.cols());
  for_each(
      [&](IslandSolver& island, std::size_t) { island.forces.gradient(x, nullptr, gradient); });
  return gradient;
}

Points Islands::force_gradient(const Points& x, const Points& v) {
  Points gradient = Points::Zero(3, x.cols());
  for_each([&](IslandSolver& island, std::size_t) { island.forces.gradient(x, &v, gradient); });
  return gradient;
}

void Islands::dissipation(const Points& x, const Points& v, std::vector<double>& power) {
  power.assign(static_cast<std::size_t>(model_.elements.count()), 0.0);
  for_each([&](IslandSolver& island, std::size_t) { island.forces.dissipation(x, v, power); });
}

Points Islands::stage_gradient(const std::vector<double>& forces) {
  Points gradient = Points::Zero(3, model_.point_count());
  for_each([&](IslandSolver& island, std::size_t i) {
    island.forces.gradient_of(forces.data() + flat_begin_[i], gradient);
  });
  return gradient;
}

void Islands::add_laplacian_gradient(const Points& x, const Points& v, Points& gradient) {
  for_each([&](IslandSolver& island, std::size_t) {
    island.forces.add_laplacian_gradient(x, v, gradient);
  });
}

PreparedMatrices Islands::prepared() const {
  PreparedMatrices all;
  for (const auto& island : islands_) all.islands.push_back(island->problem.matrix().prepared());
  return all;
}

SetupWork Islands::work() const {
  SetupWork all;
  for (const auto& island : islands_) {
    const SetupWork one = island->problem.matrix().work();
    all.orderings += one.orderings;
    all.factorizations += one.factorizations;
  }
  return all;
}

SolverWork Islands::solver_work() const {
  SolverWork all = work_;
  for (const auto& island : islands_) all.solves += island->problem.matrix().solves();
  return all;
}

}  // namespace dashpot
