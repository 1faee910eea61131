#include "solver/stage/contact_system.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace dashpot {
namespace {

// How far surfaces may be moved towards each other without looking, in parts of their gap.
constexpr double kUnseenByPairs = 0.1;

bool comes_before(const QuasiNewtonMetric::Vertex& a, const QuasiNewtonMetric::Vertex& b) {
  return std::tie(a.problem, a.vertex) < std::tie(b.problem, b.vertex);
}

}  // namespace

ContactSystem::ContactSystem(const StageGroup& group, const std::vector<int>& islands,
                             const IslandOfPoint& island_of_point, const Points& fixed)
    : group_(group), island_of_point_(island_of_point), fixed_(fixed) {
  problem_of_island_.assign(
      islands.empty() ? 0 : 1 + *std::max_element(islands.begin(), islands.end()), -1);
  for (std::size_t k = 0; k < islands.size(); ++k)
    problem_of_island_[islands[k]] = static_cast<int>(k);
}

ContactSystem::End ContactSystem::end_of(int point, double weight) const {
  const int island = island_of_point_[point];
  if (island < 0) return {-1, point, weight, -1};
  const int problem = problem_of_island_[island];
  return {problem, 4 * group_.problem(problem).island().position(point), weight, -1};
}

void ContactSystem::set_contacts(const std::vector<Contact>& contacts) {
  rows_.assign(contacts.size(), {});
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const ContactStencil& stencil = contacts[c].stencil;
    for (int k = 0; k < stencil.count; ++k)
      rows_[c].ends.push_back(end_of(stencil.point[k], stencil.weight[k]));
  }
  set_slots();
  set_response();
  slip_.assign(contacts.size(), 0.0);
}

void ContactSystem::set_slots() {
  slots_.clear();
  const auto is_free = [&](const End& end) {
    return end.problem >= 0 && end.weight != 0 &&
           end.vertex < 4 * group_.problem(end.problem).matrix().order().free_count;
  };
  for (const Row& row : rows_)
    for (const End& end : row.ends)
      if (is_free(end)) slots_.push_back({end.problem, end.vertex});
  std::sort(slots_.begin(), slots_.end(), comes_before);
  slots_.erase(std::unique(slots_.begin(), slots_.end(),
                           [](const auto& a, const auto& b) {
                             return a.problem == b.problem && a.vertex == b.vertex;
                           }),
               slots_.end());
  slot_rows_.assign(rows_.size(), {});
  for (std::size_t c = 0; c < rows_.size(); ++c)
    for (End& end : rows_[c].ends) {
      if (!is_free(end)) continue;
      const QuasiNewtonMetric::Vertex at{end.problem, end.vertex};
      end.slot = static_cast<int>(std::lower_bound(slots_.begin(), slots_.end(), at, comes_before) -
                                  slots_.begin());
      SlotRow& row = slot_rows_[c];
      row.slot[row.count] = end.slot;
      row.weight[row.count++] = end.weight;
    }
}

void ContactSystem::set_response() {
  parts_.clear();
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t first = 0; first < slots_.size();) {
    const int number = slots_[first].problem;
    StageProblem& problem = group_.problem(number);
    std::vector<int> positions;
    for (std::size_t s = first; s < slots_.size() && slots_[s].problem == number; ++s)
      positions.push_back(slots_[s].vertex / 4);
    const int begin = static_cast<int>(first), count = static_cast<int>(positions.size());
    parts_.push_back({begin, count, problem.inverse_blocks().at(positions)});
    const Eigen::SparseMatrix<double> block = problem.matrix().submatrix(positions);
    for (int column = 0; column < block.outerSize(); ++column)
      for (Eigen::SparseMatrix<double>::InnerIterator it(block, column); it; ++it)
        entries.emplace_back(begin + static_cast<int>(it.row()), begin + column, it.value());
    first += positions.size();
  }
  touched_.resize(static_cast<int>(slots_.size()), static_cast<int>(slots_.size()));
  touched_.setFromTriplets(entries.begin(), entries.end());
  compliance_.assign(rows_.size(), 0.0);
  for (std::size_t c = 0; c < rows_.size(); ++c)
    for (const End& end : rows_[c].ends)
      if (end.slot >= 0)
        compliance_[c] += end.weight * end.weight /
                          group_.problem(end.problem).matrix().diagonal()[end.vertex / 4];
}

Points ContactSystem::places() const {
  Points y = Points::Zero(3, count());
  for (int c = 0; c < count(); ++c)
    for (const End& end : rows_[c].ends)
      y.col(c) += end.weight *
                  (end.problem < 0 ? Vec3(fixed_.col(end.vertex))
                                   : Vec3(Vec3::Map(&group_.problem(end.problem).x()[end.vertex])));
  return y;
}

Points ContactSystem::moves(const std::vector<double>& displacement) const {
  Points y = Points::Zero(3, count());
  for (int c = 0; c < count(); ++c)
    for (const End& end : rows_[c].ends)
      if (end.slot >= 0)
        y.col(c) += end.weight * Vec3::Map(&displacement[group_.begin(end.problem) + end.vertex]);
  return y;
}

void ContactSystem::add_forces(const Points& force, std::vector<double>& forces) const {
  for (int c = 0; c < count(); ++c)
    for (const End& end : rows_[c].ends)
      if (end.slot >= 0)
        Vec3::Map(&forces[group_.begin(end.problem) + end.vertex]) += end.weight * force.col(c);
}

ConeResult ContactSystem::solve(const QuasiNewtonMetric* metric,
                                const std::vector<Contact>& contacts, const ConeSettings& settings,
                                Points& y, Points& force) {
  QuasiNewtonMetric::LowRank low_rank;
  if (metric) low_rank = metric->low_rank(slots_);
  const ContactOperator response(slot_rows_, parts_, std::move(low_rank.u), std::move(low_rank.k));
  std::vector<ContactPlane> planes;
  planes.reserve(contacts.size());
  for (const Contact& contact : contacts) planes.push_back(contact.plane);
  const ConeResult result =
      cones_.solve(planes, compliance_, response, touched_, settings, slip_, y, force);
  work_ += {result.newton, result.products};
  return result;
}

void ContactSystem::push_out(const std::vector<Contact>& contacts, double pair_gap) const {
  const bool has_pairs = std::any_of(contacts.begin(), contacts.end(),
                                     [](const Contact& one) { return !one.id.is_obstacle(); });
  const double farthest =
      has_pairs ? kUnseenByPairs * pair_gap : std::numeric_limits<double>::infinity();
  for (int c = 0; c < count(); ++c) {
    const End& end = rows_[c].ends.front();
    if (!contacts[c].id.is_obstacle() || !contacts[c].near || end.slot < 0) continue;
    const ContactPlane& plane = contacts[c].plane;
    auto x = Vec3::Map(&group_.problem(end.problem).x()[end.vertex]);
    x += std::clamp(plane.offset - plane.normal.dot(x), 0.0, farthest) * plane.normal;
  }
}

void ContactSystem::store_touched(Points& x) const {
  for (const QuasiNewtonMetric::Vertex& at : slots_) {
    const StageProblem& problem = group_.problem(at.problem);
    const int point = problem.island().points[problem.matrix().order().point[at.vertex / 4]];
    x.col(point) = Vec3::Map(&group_.problem(at.problem).x()[at.vertex]);
  }
}

}  // namespace dashpot
