#include "solver/stage/islands.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "solver/base/parallel.h"
#include "solver/base/stopwatch.h"

namespace dashpot {
namespace {

// A host may be asked from the thread only that called us.
class CancelledOnce {
 public:
  explicit CancelledOnce(const CancelFunction& cancelled)
      : cancelled_(cancelled), caller_(std::this_thread::get_id()) {}

  CancelFunction function() {
    if (!cancelled_) return {};
    return [this] {
      if (!stop_ && std::this_thread::get_id() == caller_ && cancelled_()) stop_ = true;
      return stop_.load();
    };
  }

 private:
  const CancelFunction& cancelled_;
  std::thread::id caller_;
  std::atomic<bool> stop_{false};
};

double worse(double one, double other) {
  return other <= one ? one : other;  // and what is not a number
}

// Islands are solved side by side: their times are shares of the time that passed.
StageResult worst_of(const std::vector<StageResult>& results, double ms) {
  if (results.size() == 1) return results.front();
  StageResult all;
  all.converged = true;
  for (const StageResult& one : results) {
    all.iterations = std::max(all.iterations, one.iterations);
    all.primal_residual = worse(all.primal_residual, one.primal_residual);
    all.dual_residual = worse(all.dual_residual, one.dual_residual);
    all.converged = all.converged && one.converged;
    all.cancelled = all.cancelled || one.cancelled;
    all.ms_local += one.ms_local;
    all.ms_global += one.ms_global;
    all.ms_contact += one.ms_contact;
  }
  const double sum = all.ms_local + all.ms_global + all.ms_contact;
  const double share = sum > ms ? ms / sum : 1;
  all.ms_local *= share;
  all.ms_global *= share;
  all.ms_contact *= share;
  return all;
}

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
}

void Islands::for_each(const std::function<void(IslandSolver&, std::size_t)>& body) const {
  if (islands_.size() == 1) return body(*islands_.front(), 0);
  parallel_each(static_cast<std::ptrdiff_t>(islands_.size()), 1,
                [&](std::ptrdiff_t i) { body(*islands_[i], static_cast<std::size_t>(i)); });
}

void Islands::add_contact(const std::vector<Collider>& colliders,
                          const std::vector<ContactVertex>& vertices) {
  std::vector<int> island_of_point(model_.mass.size(), -1);
  for (std::size_t i = 0; i < islands_.size(); ++i)
    for (const int point : islands_[i]->problem.island().points)
      island_of_point[point] = static_cast<int>(i);
  vertices_of_.resize(islands_.size());
  std::vector<std::vector<ContactVertex>> own(islands_.size());
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const int island = island_of_point[vertices[v].point];
    island_of_vertex_.push_back(island);
    own_number_.push_back(static_cast<int>(own[island].size()));
    own[island].push_back(vertices[v]);
    vertices_of_[island].push_back(static_cast<int>(v));
  }
  for (std::size_t i = 0; i < islands_.size(); ++i)
    if (!own[i].empty()) islands_[i]->problem.add_contact(colliders, std::move(own[i]));
}

std::vector<ContactState> Islands::split(const ContactState& contact) const {
  std::vector<ContactState> parts(islands_.size());
  for (ContactState& part : parts) part.kinematics = contact.kinematics;
  for (const Contact& touching : contact.contacts) {
    std::vector<Contact>& own = parts[island_of_vertex_[touching.site]].contacts;
    own.push_back(touching);
    own.back().site = own_number_[touching.site];
  }
  return parts;
}

void Islands::join(const std::vector<ContactState>& parts, ContactState& contact) const {
  contact.contacts.clear();
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (const Contact& own : parts[i].contacts) {
      contact.contacts.push_back(own);
      contact.contacts.back().site = vertices_of_[i][own.site];
    }
}

StageResult Islands::solve(const Stage& stage, const Points& before, const StageSettings& settings,
                           const CancelFunction& cancelled, Points& x, std::vector<double>& forces,
                           ContactState* contact) {
  CancelledOnce once(cancelled);
  const CancelFunction poll = islands_.size() == 1 ? cancelled : once.function();
  const std::vector<double> forces_before =
      islands_.size() > 1 && cancelled ? forces : std::vector<double>();
  std::vector<ContactState> parts(islands_.size());
  if (contact) parts = split(*contact);
  std::vector<StageResult> results(islands_.size());
  double ms = 0;
  {
    const Stopwatch watch(ms);
    for_each([&](IslandSolver& island, std::size_t i) {
      results[i] = island.solve(stage, before, x, settings, poll, forces.data() + flat_begin_[i],
                                contact ? &parts[i] : nullptr);
    });
  }
  const StageResult result = worst_of(results, ms);
  if (result.cancelled) {
    if (!forces_before.empty()) forces = forces_before;
    return result;
  }
  for (const auto& island : islands_) island->problem.store(island->problem.x(), x);
  if (contact) join(parts, *contact);
  return result;
}

void Islands::solve_velocity_contacts(double h, double extrapolation, const Points& x,
                                      const std::vector<double>& bounce, ContactState& contact,
                                      Points& v) {
  std::vector<ContactState> parts = split(contact);
  std::vector<std::vector<double>> bounces(parts.size());
  for (std::size_t k = 0; k < contact.contacts.size(); ++k)
    bounces[island_of_vertex_[contact.contacts[k].site]].push_back(bounce[k]);
  for_each([&](IslandSolver& island, std::size_t i) {
    StageProblem& problem = island.problem;
    if (!problem.contact()) return;
    problem.load(x, problem.x());
    std::vector<double> velocity(problem.x().size());
    problem.load(v, velocity);
    problem.contact()->solve_velocity_contacts(
        {h, extrapolation, problem.turns_freely(), &problem.x(), bounces[i]}, velocity);
    problem.store(velocity, v);
    parts[i].contacts = problem.contact()->detector().contacts();
  });
  join(parts, contact);
}

void Islands::solve_acceleration_contacts(double h, const Points& v, ContactState& contact,
                                          Points& a) {
  std::vector<ContactState> parts(islands_.size());
  for_each([&](IslandSolver& island, std::size_t i) {
    StageProblem& problem = island.problem;
    if (!problem.contact()) return;
    std::vector<double> velocity(problem.x().size()), acceleration(problem.x().size());
    problem.load(v, velocity);
    problem.load(a, acceleration);
    problem.contact()->solve_acceleration_contacts(h, velocity, acceleration);
    problem.store(acceleration, a);
    parts[i].contacts = problem.contact()->detector().contacts();
  });
  join(parts, contact);
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

}  // namespace dashpot
