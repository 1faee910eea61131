#include "solver/stage/velocity_correction.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>
#include <utility>

#include "solver/contact/cone_newton.h"
#include "solver/contact/contact_operator.h"
#include "solver/stage/contact_components.h"
#include "solver/stage/filtered_island.h"
#include "solver/stage/island_solver.h"

namespace dashpot {
namespace {

// Islands that let less of a hit's deformation through answer as rigid bodies do.
constexpr double kStiff = 0.03, kStiffDamped = 0.2;
// Those that let more through bounce by themselves, unless damping hides how.
constexpr double kResolved = 0.035;
constexpr double kSoft = 0.5;  // lets so much through that restitution does nothing
// Rigid ones still answer a little at each vertex, which tells redundant contacts apart.
constexpr double kLeastAnswer = 1e-6;
constexpr double kVelocityTolerance = 1e-6;  // of the largest velocity
// Of what falls in a step; and how many times that may be left where rounds get nowhere.
constexpr double kUnseenVelocity = 1e-6, kNoMatter = 10;
// What is all but rigid gives way much less in its own deformation than as a whole: rounds have to
// become firm. The preconditioner knows this operator well, so that firm ones cost little.
constexpr double kFirmest = 1e-2;
constexpr int kNewtonSteps = 20, kRounds = 10;

// One component: the filtered velocities of what touches, and the impulses that mend them.
class ComponentCorrection {
 public:
  ComponentCorrection(const CorrectedStage& stage, const std::vector<Contact>& contacts,
                      const ContactComponent& component, const std::vector<IslandSolver*>& islands,
                      const std::vector<int>& island_of_point);

  bool has_new() const {
    return std::any_of(component_.contacts.begin(), component_.contacts.end(),
                       [&](int c) { return !contacts_[c].held; });
  }
  // Something that was not touched, faster than what has just begun to fall.
  bool is_hit() const {
    return std::any_of(component_.contacts.begin(), component_.contacts.end(), [&](int c) {
      return !contacts_[c].held && hit_speed(contacts_[c], stage_.before.v) > slowest();
    });
  }
  double slowest() const { return stage_.gravity.norm() * stage_.dt; }
  bool is_stiff() const {
    return std::all_of(filtered_.begin(), filtered_.end(), [](const auto& island) {
      const bool is_damped = island->problem().is_damped();
      return island->share() < (is_damped ? kStiffDamped : kStiff);
    });
  }
  // All of it bounces by itself.
  bool is_resolved() const {
    return std::all_of(filtered_.begin(), filtered_.end(), [](const auto& island) {
      return island->share() > kResolved && !island->problem().is_damped();
    });
  }

  void answer(HitAnswer& answer) const {
    for (const int i : component_.islands) {
      answer.hit_stiffly[i] = is_stiff() && is_hit();
      answer.is_resolved[i] = is_resolved();
    }
  }
  void correct(VelocityCorrection& result);

 private:
  // A free vertex of an island, by its number in the component.
  struct End {
    int island, vertex;
    bool operator<(const End& b) const {
      return std::tie(island, vertex) < std::tie(b.island, b.vertex);
    }
    bool operator==(const End& b) const { return island == b.island && vertex == b.vertex; }
  };

  const Contact& contact(std::size_t row) const { return contacts_[component_.contacts[row]]; }
  std::size_t row_count() const { return component_.contacts.size(); }
  // visit(End, weight) of the free ends of a contact.
  template <class Visit>
  void visit_ends(const Contact& contact, const Visit& visit) const;
  void set_slots();
  double answer_at(const End& end) const;
  ContactOperator response() const;
  std::vector<double> compliance() const;
  Points filtered(const Points& v) const;
  double rigidity(const Contact& contact) const;
  double hit_speed(const Contact& hit, const Points& before) const;
  std::vector<ContactPlane> planes(const Points& before) const;
  Points find_impulses();
  std::vector<std::vector<double>> changes(const Points& impulse) const;
  double work_of_obstacles(const Points& impulse) const;
  double allowed_share(const std::vector<std::vector<double>>& change, const Points& impulse) const;

  const CorrectedStage& stage_;
  const std::vector<Contact>& contacts_;
  const ContactComponent& component_;
  const std::vector<IslandSolver*>& islands_;
  const std::vector<int>& island_of_point_;
  std::vector<int> number_of_;  // of each island
  std::vector<std::unique_ptr<FilteredIsland>> filtered_;
  std::vector<End> slots_;  // in order
  std::vector<SlotRow> rows_;
};

template <class Visit>
void ComponentCorrection::visit_ends(const Contact& contact, const Visit& visit) const {
  for (int k = 0; k < contact.stencil.count; ++k) {
    const int point = contact.stencil.point[k], island = island_of_point_[point];
    if (island < 0) continue;
    const StageProblem& problem = islands_[island]->problem;
    const int position = problem.island().position(point);
    if (position < problem.matrix().order().free_count)
      visit(End{number_of_[island], 4 * position}, contact.stencil.weight[k]);
  }
}

ComponentCorrection::ComponentCorrection(const CorrectedStage& stage,
                                         const std::vector<Contact>& contacts,
                                         const ContactComponent& component,
                                         const std::vector<IslandSolver*>& islands,
                                         const std::vector<int>& island_of_point)
    : stage_(stage),
      contacts_(contacts),
      component_(component),
      islands_(islands),
      island_of_point_(island_of_point),
      number_of_(islands.size(), -1) {
  std::vector<std::vector<double>> impulse;
  for (const int i : component.islands) {
    number_of_[i] = static_cast<int>(impulse.size());
    impulse.emplace_back(4 * islands[i]->problem.matrix().order().free_count, 0.0);
  }
  for (std::size_t row = 0; row < row_count(); ++row)
    visit_ends(contact(row), [&](const End& end, double weight) {
      Vec3::Map(&impulse[end.island][end.vertex]) += stage.h * weight * contact(row).force;
    });
  for (const int i : component.islands)
    filtered_.push_back(std::make_unique<FilteredIsland>(islands[i]->problem, stage.after.x,
                                                         impulse[number_of_[i]]));
}

void ComponentCorrection::set_slots() {
  for (std::size_t row = 0; row < row_count(); ++row)
    visit_ends(contact(row), [&](const End& end, double) { slots_.push_back(end); });
  std::sort(slots_.begin(), slots_.end());
  slots_.erase(std::unique(slots_.begin(), slots_.end()), slots_.end());
  rows_.resize(row_count());
  for (std::size_t row = 0; row < row_count(); ++row)
    visit_ends(contact(row), [&](const End& end, double weight) {
      SlotRow& own = rows_[row];
      const auto at = std::lower_bound(slots_.begin(), slots_.end(), end);
      own.slot[own.count] = static_cast<int>(at - slots_.begin());
      own.weight[own.count++] = weight;
    });
}

// s^2 / m
double ComponentCorrection::answer_at(const End& end) const {
  const FilteredIsland& island = *filtered_[end.island];
  return std::max(kLeastAnswer, island.share() * island.share()) / island.mass_at(end.vertex);
}

// J S^2 M^-1 J^T = J (s^2 M^-1 + (1 - s^2) R (R^T M R)^-1 R^T) J^T, R the rigid motions.
ContactOperator ComponentCorrection::response() const {
  const auto count = static_cast<int>(slots_.size());
  const auto columns = 6 * static_cast<Eigen::Index>(filtered_.size());
  Eigen::MatrixXd u = Eigen::MatrixXd::Zero(3 * slots_.size(), columns);
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(columns, columns);
  std::vector<double> answer;
  for (int s = 0; s < count; ++s) {
    const FilteredIsland& island = *filtered_[slots_[s].island];
    answer.push_back(answer_at(slots_[s]));
    if (!island.is_free()) continue;
    const int column = 6 * slots_[s].island;
    const double share = answer.back() * island.mass_at(slots_[s].vertex);
    u.block<3, 6>(3 * s, column) = island.rigid_motions(slots_[s].vertex);
    k.block<6, 6>(column, column) = (1 - share) * island.inverse_inertia();
  }
  return {rows_,
          {{0, count, std::make_shared<const DiagonalBlock>(std::move(answer))}},
          std::move(u),
          std::move(k)};
}

std::vector<double> ComponentCorrection::compliance() const {
  std::vector<double> all;
  for (const SlotRow& row : rows_) {
    double sum = 0;
    for (int e = 0; e < row.count; ++e) {
      const End& end = slots_[row.slot[e]];
      const FilteredIsland& island = *filtered_[end.island];
      const double whole = island.is_free() ? island.inverse_inertia()(0, 0) : 0;
      sum += row.weight[e] * row.weight[e] * (answer_at(end) + whole);
    }
    all.push_back(sum);
  }
  return all;
}

Points ComponentCorrection::filtered(const Points& v) const {
  Points result = v;
  for (const auto& island : filtered_) {
    StageProblem& problem = island->problem();
    std::vector<double> own(problem.x().size());
    problem.load(v, own);
    island->filter(own);
    problem.store(own, result);
  }
  return result;
}

// What the step resolves bounces by its own elasticity.
double ComponentCorrection::rigidity(const Contact& contact) const {
  double share = 0;
  visit_ends(contact, [&](const End& end, double) {
    share = std::max(share, filtered_[end.island]->share());
  });
  return std::clamp((kSoft - share) / (kSoft - kStiffDamped), 0.0, 1.0);
}

// What is not yet touched falls the rest of the way first.
double ComponentCorrection::hit_speed(const Contact& hit, const Points& before) const {
  const Vec3& n = hit.plane.normal;
  const double speed = n.dot(hit.velocity - hit.stencil.place(before));
  const double way = std::max(0.0, hit.gap(stage_.before.x));
  // Both sides of a pair fall alike.
  const double fall = hit.id.is_obstacle() ? -n.dot(stage_.gravity) : 0;
  return std::sqrt(std::max(0.0, speed * std::abs(speed) + 2 * way * fall));
}

// Slow hits do not bounce.
std::vector<ContactPlane> ComponentCorrection::planes(const Points& before) const {
  std::vector<ContactPlane> planes;
  for (std::size_t row = 0; row < row_count(); ++row) {
    const Contact& hit = contact(row);
    ContactPlane plane = hit.plane;
    const Vec3& n = plane.normal;
    plane.rest = hit.velocity;
    plane.offset = n.dot(hit.velocity);
    if (hit.restitution > 0 && !hit.held) {
      const double speed = hit_speed(hit, before);
      if (speed > slowest()) plane.offset += rigidity(hit) * hit.restitution * speed;
    }
    planes.push_back(plane);
  }
  return planes;
}

// Besides those of the stage.
Points ComponentCorrection::find_impulses() {
  set_slots();
  const Points before = filtered(stage_.before.v), now = filtered(stage_.after.v);
  Points y(3, rows_.size()), impulse(3, rows_.size());
  double fastest = 0;
  for (std::size_t row = 0; row < row_count(); ++row) {
    const auto c = static_cast<Eigen::Index>(row);
    y.col(c) = contact(row).stencil.place(now);
    impulse.col(c) = stage_.h * contact(row).force;
    fastest = std::max({fastest, y.col(c).norm(), contact(row).stencil.place(before).norm()});
  }
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(slots_.size());
  for (int s = 0; s < static_cast<int>(slots_.size()); ++s)
    entries.emplace_back(s, s, 1 / answer_at(slots_[s]));
  const auto count = static_cast<Eigen::Index>(slots_.size());
  Eigen::SparseMatrix<double> inertia(count, count);
  inertia.setFromTriplets(entries.begin(), entries.end());
  ConeSettings settings;
  settings.tolerance =
      std::max(kVelocityTolerance * fastest, kUnseenVelocity * stage_.gravity.norm() * stage_.dt);
  settings.least_proximal = kFirmest;
  settings.unseen = kNoMatter * kUnseenVelocity * stage_.gravity.norm() * stage_.dt;
  settings.newton = kNewtonSteps;
  settings.rounds = kRounds;
  std::vector<double> slip(rows_.size(), 0.0);
  const Points stage = impulse;
  ConeSolver().solve(planes(before), compliance(), response(), inertia, settings, slip, y, impulse);
  return impulse - stage;
}

// S M^-1 J^T p, of each island.
std::vector<std::vector<double>> ComponentCorrection::changes(const Points& impulse) const {
  std::vector<std::vector<double>> change;
  for (const auto& island : filtered_) change.emplace_back(island->problem().x().size(), 0.0);
  for (std::size_t row = 0; row < row_count(); ++row)
    visit_ends(contact(row), [&](const End& end, double weight) {
      Vec3::Map(&change[end.island][end.vertex]) += weight /
                                                    filtered_[end.island]->mass_at(end.vertex) *
                                                    impulse.col(static_cast<Eigen::Index>(row));
    });
  for (std::size_t i = 0; i < filtered_.size(); ++i) filtered_[i]->filter(change[i]);
  return change;
}

double ComponentCorrection::work_of_obstacles(const Points& impulse) const {
  double work = 0;
  for (std::size_t row = 0; row < row_count(); ++row)
    work += stage_.h / stage_.tau * contact(row).force.dot(contact(row).carried) +
            contact(row).velocity.dot(impulse.col(static_cast<Eigen::Index>(row)));
  return work;
}

// Of a change, what leaves bodies with no more energy than they had and were given.
double ComponentCorrection::allowed_share(const std::vector<std::vector<double>>& change,
                                          const Points& impulse) const {
  double linear = 0, square = 0;
  for (std::size_t i = 0; i < filtered_.size(); ++i) {
    std::vector<double> v(change[i].size());
    filtered_[i]->problem().load(stage_.after.v, v);
    for (int a = 0; a < filtered_[i]->free_size(); a += 4) {
      const Vec3 own = Vec3::Map(&change[i][a]);
      linear += filtered_[i]->mass_at(a) * own.dot(Vec3::Map(&v[a]));
      square += 0.5 * filtered_[i]->mass_at(a) * own.squaredNorm();
    }
  }
  if (linear + square <= 0) return 1;
  std::vector<char> marked(islands_.size(), 0);
  for (const int i : component_.islands) marked[i] = 1;
  const double slack = std::max(0.0, stage_.slack(marked) + work_of_obstacles(impulse));
  if (linear + square <= slack) return 1;
  const double root = std::sqrt(linear * linear + 4 * square * slack);
  return std::clamp((root - linear) / (2 * square), 0.0, 1.0);
}

void ComponentCorrection::correct(VelocityCorrection& result) {
  const Points impulse = find_impulses();
  std::vector<std::vector<double>> change = changes(impulse);
  const double share = allowed_share(change, impulse);
  for (std::size_t i = 0; i < filtered_.size(); ++i) {
    for (double& value : change[i]) value *= share;
    filtered_[i]->problem().store(change[i], result.change);
  }
  for (std::size_t row = 0; row < row_count(); ++row)
    result.impulse[component_.contacts[row]] = share * impulse.col(static_cast<Eigen::Index>(row));
}

HitAnswer no_answer(std::size_t islands) {
  return {std::vector<char>(islands, 0), std::vector<char>(islands, 0)};
}

}  // namespace

HitAnswer answer_to_hits(const CorrectedStage& stage, const std::vector<Contact>& contacts,
                         const std::vector<IslandSolver*>& islands,
                         const std::vector<int>& island_of_point) {
  HitAnswer answer = no_answer(islands.size());
  for (const ContactComponent& component :
       find_components(contacts, static_cast<int>(islands.size()), island_of_point))
    ComponentCorrection(stage, contacts, component, islands, island_of_point).answer(answer);
  return answer;
}

VelocityCorrection correct_velocities(const CorrectedStage& stage,
                                      const std::vector<Contact>& contacts,
                                      const std::vector<IslandSolver*>& islands,
                                      const std::vector<int>& island_of_point) {
  VelocityCorrection result;
  result.impulse.assign(contacts.size(), Vec3::Zero());
  result.component.assign(contacts.size(), -1);
  result.answer = no_answer(islands.size());
  const std::vector<ContactComponent> components =
      find_components(contacts, static_cast<int>(islands.size()), island_of_point);
  for (std::size_t k = 0; k < components.size(); ++k) {
    const ContactComponent& component = components[k];
    ComponentCorrection correction(stage, contacts, component, islands, island_of_point);
    const bool is_new = correction.has_new(), is_stiff = correction.is_stiff();
    correction.answer(result.answer);
    if (correction.is_resolved() || (!is_new && !is_stiff)) continue;
    if (result.change.size() == 0) result.change = Points::Zero(3, stage.after.v.cols());
    correction.correct(result);
    for (const int c : component.contacts) result.component[c] = static_cast<int>(k);
  }
  return result;
}

}  // namespace dashpot
