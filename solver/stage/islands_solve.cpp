#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>
#include <utility>

#include "solver/base/parallel.h"
#include "solver/base/stopwatch.h"
#include "solver/collision/surface_detector.h"
#include "solver/collision/tangles.h"
#include "solver/contact/coulomb_cone.h"
#include "solver/stage/contact_admm.h"
#include "solver/stage/contact_stage_solver.h"
#include "solver/stage/islands.h"

namespace dashpot {
namespace {

// How often what comes near is looked for: first without what bodies do to themselves, then because
// a stage moved farther than foreseen.
constexpr int kMostRounds = 4;

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

// One after the other.
StageResult sum_of(const std::vector<StageResult>& results) {
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
    all.cones += one.cones;
  }
  return all;
}

// Islands are solved side by side: their times are shares of the time that passed.
StageResult worst_of(const std::vector<StageResult>& results, double ms) {
  if (results.size() == 1) return results.front();
  StageResult all = sum_of(results);
  const double sum = all.ms_local + all.ms_global + all.ms_contact;
  const double share = sum > ms ? ms / sum : 1;
  all.ms_local *= share;
  all.ms_global *= share;
  all.ms_contact *= share;
  return all;
}

}  // namespace

void Islands::add_contact(const ContactModel& contact) {
  contact_model_ = &contact;
  vertices_of_.assign(islands_.size(), {});
  for (std::size_t v = 0; v < contact.vertices.size(); ++v)
    vertices_of_[island_of_point_[contact.vertices[v]]].push_back(static_cast<int>(v));
  for (std::size_t i = 0; i < islands_.size(); ++i) {
    StageProblem& problem = islands_[i]->problem;
    std::vector<int> sites;
    for (const int v : vertices_of_[i])
      sites.push_back(problem.island().position(contact.vertices[v]));
    std::sort(sites.begin(), sites.end());
    problem.inverse_blocks().set_sites(std::move(sites));
  }
  obstacles_ = std::make_unique<ObstacleDetector>(contact);
  if (!contact.surface) return;
  surfaces_ =
      std::make_unique<SurfaceDetector>(*contact.surface, contact.rules, contact.gap, contact.rest);
  tangles_ = std::make_unique<Tangles>(*contact.surface, contact.rules, contact.gap);
}

void Islands::look_around(const StageContact& contact, const Points& before, const Points& guess,
                          const std::vector<char>& left_out) {
  obstacles_->begin(contact.kinematics, before, guess);
  is_tangled_ = false;
  pushes_.clear();
  if (!surfaces_) return;
  surfaces_->begin(before, guess, left_out);
  if (!surfaces_->any()) return;
  std::vector<FeaturePairId> pressing;  // in the order of ids already
  for (const ContactMemory::Touching& touching : contact.known)
    if (!touching.id.is_obstacle()) pressing.push_back(touching.id.pair());
  surfaces_->keep(std::move(pressing));
  // What was apart, and was kept apart since, still is.
  const std::vector<int> collapsed = collapsed_points(contact_model_->tets, before);
  if (before.cols() == apart_.cols() && before == apart_ && collapsed.empty()) return;
  tangles_->find(before, collapsed);
  is_tangled_ = tangles_->any();
  if (!is_tangled_) {
    apart_ = before;
    return;
  }
  surfaces_->leave_out(*tangles_);
  if (contact_model_->untangle) pushes_ = tangles_->pushes(before);
}

// Bodies of the surface that did not touch themselves before.
std::vector<char> Islands::clear_of_themselves(const StageContact& contact) const {
  if (!contact_model_->surface) return {};
  const ContactSurface& surface = *contact_model_->surface;
  std::vector<char> clear(static_cast<std::size_t>(surface.body_count()), 1);
  for (const ContactMemory::Touching& touching : contact.known) {
    if (touching.id.is_obstacle()) continue;
    const ContactStencil& stencil = touching.stencil;
    const int body = surface.body_of_point(stencil.point[0]);
    if (body == surface.body_of_point(stencil.point[stencil.count - 1])) clear[body] = 0;
  }
  return clear;
}

IslandMask Islands::find_touched(const StageContact& contact, const Points& before,
                                 const Points& x) {
  IslandMask touched(islands_.size(), 0);
  if (!contact_model_) return touched;
  look_around(contact, before, x);
  for (const Group& group : make_groups(&contact, before))
    for (const int i : group.islands)
      touched[i] = group.contacts->has_to_be_solved() || !group.contacts->is_free(x);
  return touched;
}

std::vector<IslandSolver*> Islands::solvers() const {
  std::vector<IslandSolver*> islands;
  for (const auto& island : islands_) islands.push_back(island.get());
  return islands;
}

VelocityCorrection Islands::correct_velocities(const CorrectedStage& stage,
                                               const std::vector<Contact>& contacts) {
  return dashpot::correct_velocities(stage, contacts, solvers(), island_of_point_);
}

HitAnswer Islands::answer_to_hits(const CorrectedStage& stage,
                                  const std::vector<Contact>& contacts) {
  return dashpot::answer_to_hits(stage, contacts, solvers(), island_of_point_);
}

// Islands that may touch each other are solved together, the others for themselves.
std::vector<int> Islands::group_by(const std::vector<std::array<int, 2>>& candidates) const {
  std::vector<int> parent(islands_.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  const auto join = [&](int point, int other) {
    int a = island_of_point_[point], b = island_of_point_[other];
    if (a < 0 || b < 0) return;
    a = root(a);
    b = root(b);
    parent[std::max(a, b)] = std::min(a, b);
  };
  for (const auto& pair : candidates) join(pair[0], pair[1]);
  for (const PairStencil& push : pushes_) join(push.point[0], push.point[push.count - 1]);
  std::vector<int> group(islands_.size());
  int count = 0;
  for (int i = 0; i < this->count(); ++i) group[i] = root(i) == i ? count++ : group[root(i)];
  return group;
}

std::vector<Islands::Group> Islands::make_groups(const StageContact* contact,
                                                 const Points& before) const {
  std::vector<int> group_of(islands_.size());
  std::iota(group_of.begin(), group_of.end(), 0);
  std::vector<std::array<int, 2>> pairs;
  if (contact && surfaces_) {
    pairs = surfaces_->candidates();
    group_of = group_by(pairs);
  }
  std::vector<Group> groups;
  std::vector<ContactParty> parties;
  for (int i = 0; i < count(); ++i) {
    if (group_of[i] == static_cast<int>(groups.size())) {
      groups.emplace_back();
      parties.emplace_back();
    }
    groups[group_of[i]].islands.push_back(i);
    if (!contact) continue;
    std::vector<int>& vertices = parties[group_of[i]].vertices;
    vertices.insert(vertices.end(), vertices_of_[i].begin(), vertices_of_[i].end());
  }
  if (!contact) return groups;
  // What touches something that is in no island belongs to its other side.
  const auto party_of = [&](int point, int other) -> ContactParty* {
    const int island = std::max(island_of_point_[point], island_of_point_[other]);
    return island < 0 ? nullptr : &parties[group_of[island]];
  };
  for (std::size_t k = 0; k < pairs.size(); ++k)
    if (ContactParty* party = party_of(pairs[k][0], pairs[k][1]))
      party->candidates.push_back(static_cast<int>(k));
  for (const PairStencil& push : pushes_)
    if (ContactParty* party = party_of(push.point[0], push.point[push.count - 1]))
      party->pushes.push_back(push);
  for (const ContactMemory::Touching& touching : contact->known)
    if (ContactParty* party =
            party_of(touching.stencil.point[0], touching.stencil.point[touching.stencil.count - 1]))
      party->known.push_back(touching);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const bool has_pairs = !parties[g].candidates.empty() || !parties[g].pushes.empty();
    groups[g].contacts = std::make_unique<StageContacts>(*contact_model_, *obstacles_,
                                                         has_pairs ? surfaces_.get() : nullptr,
                                                         before, std::move(parties[g]));
  }
  return groups;
}

// What islands do without contact does not depend on what they may touch: it is solved once.
StageResult Islands::solve_free(const Group& group, Task& task) {
  std::vector<StageResult> results;
  for (const int i : group.islands) {
    StageResult& free = task.free[i];
    if (task.is_free[i]) {
      free.iterations = 0;
    } else {
      free = islands_[i]->solve(task.stages.of(i), task.before, task.guess, task.settings,
                                task.cancelled, task.forces.data() + flat_begin_[i]);
      task.is_free[i] = 1;
    }
    results.push_back(free);
  }
  return sum_of(results);
}

// Contact is none of what is solved until something touches.
StageResult Islands::solve_group(Group& group, Task& task) {
  StageResult free;
  if (!group.contacts || !group.contacts->has_to_be_solved()) {
    free = solve_free(group, task);
    if (!group.contacts || free.cancelled) return free;
    const Stopwatch watch(free.ms_contact);
    Points places = task.guess;
    for (const int i : group.islands) islands_[i]->problem.store(islands_[i]->problem.x(), places);
    if (group.contacts->is_free(places)) return free;
  }
  for (const int i : group.islands) task.is_free[i] = 0;
  StageResult result = solve_touching(group, task);
  group.is_cut = result.cut;
  group.is_in_contact = true;
  result.iterations += free.iterations;
  result.ms_local += free.ms_local;
  result.ms_global += free.ms_global;
  result.ms_contact += free.ms_contact;
  return result;
}

StageResult Islands::solve_touching(Group& group, const Task& task) {
  // What is hit mostly stays where it is, whatever its velocity; what slides goes on.
  Points places = task.guess;
  for (const int i : group.islands)
    if (!group.contacts->touched_before() && !islands_[i]->problem.has_pins())
      for (const int point : islands_[i]->problem.island().points)
        places.col(point) = task.before.col(point);
  std::vector<StageProblem*> problems;
  std::vector<AdmmStageSolver*> admm;
  std::vector<double*> flat;
  StageResult result;
  for (const int i : group.islands) {
    const Stopwatch watch(result.ms_global);
    islands_[i]->problem.begin(task.stages.of(i), task.before, places, true);
    problems.push_back(&islands_[i]->problem);
    admm.push_back(&islands_[i]->admm);
    flat.push_back(task.forces.data() + flat_begin_[i]);
  }
  const StageGroup together(problems);
  ContactSystem system(together, group.islands, island_of_point_, places);
  const bool is_smooth =
      task.settings.choice == SolverChoice::kAutomatic &&
      std::all_of(problems.begin(), problems.end(), [](const auto* p) { return p->is_smooth(); });
  ContactStageSolver quasi_newton(together, system, *group.contacts, places);
  if (is_smooth && quasi_newton.solve(task.settings, task.cancelled, result)) {
    for (std::size_t k = 0; k < problems.size() && !result.cancelled; ++k)
      problems[k]->store_forces(flat[k]);
    result.cones = system.work();
    return result;
  }
  ContactAdmm(together, admm, system, *group.contacts, places)
      .solve(task.settings, task.cancelled, flat, result);
  result.cones = system.work();
  return result;
}

void Islands::collect(const std::vector<Group>& groups, StageContact& contact) const {
  contact.contacts.clear();
  contact.group_of.assign(islands_.size(), -1);
  contact.cut.assign(islands_.size(), 0);
  contact.in_contact = contact.cut;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const int i : groups[g].islands) {
      contact.group_of[i] = static_cast<int>(g);
      contact.cut[i] = groups[g].is_cut;
      contact.in_contact[i] = groups[g].is_in_contact;
    }
    const std::vector<Contact>& own = groups[g].contacts->contacts();
    contact.contacts.insert(contact.contacts.end(), own.begin(), own.end());
  }
  // Within their cones to the last bit, whatever is left of the residual.
  for (Contact& one : contact.contacts)
    one.force = project_on_cone(one.plane.normal, one.plane.friction, one.force).force;
  std::stable_sort(contact.contacts.begin(), contact.contacts.end(),
                   [](const Contact& a, const Contact& b) { return a.id < b.id; });
  contact.tangled = is_tangled_ ? std::max(tangles_->count(), tangles_->inside_count()) : 0;
  if (contact.tangled > 0) contact.tangled_place = tangles_->places().front();
}

// Those of active islands.
StageResult Islands::solve_groups(std::vector<Group>& groups, const IslandMask& active,
                                  Task& task) {
  std::vector<StageResult> results(groups.size());
  std::vector<int> due;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    results[g].converged = true;
    if (groups[g].is_within(active)) due.push_back(static_cast<int>(g));
  }
  double ms = 0;
  {
    const Stopwatch watch(ms);
    const auto solve_one = [&](std::ptrdiff_t k) {
      results[due[k]] = solve_group(groups[due[k]], task);
    };
    if (due.size() == 1)
      solve_one(0);
    else
      parallel_each(static_cast<std::ptrdiff_t>(due.size()), 1, solve_one);
  }
  return worst_of(results, ms);
}

StageResult Islands::solve(const Stage& stage, const Points& before, const StageSettings& settings,
                           const CancelFunction& cancelled, Points& x,
                           std::vector<double>& forces) {
  const IslandMask first(islands_.size(), 0), all(islands_.size(), 1);
  return solve({{stage}, first}, all, before, settings, cancelled, x, forces, nullptr);
}

StageResult Islands::solve(const IslandStages& stages, const IslandMask& active,
                           const Points& before, const StageSettings& settings,
                           const CancelFunction& cancelled, Points& x, std::vector<double>& forces,
                           StageContact* contact) {
  if (!contact_model_) contact = nullptr;  // they were not told of any
  CancelledOnce once(cancelled);
  const std::vector<double> forces_before = cancelled ? forces : std::vector<double>();
  Points guess = x;
  Task task{stages,
            before,
            settings,
            islands_.size() == 1 ? cancelled : once.function(),
            guess,
            forces,
            std::vector<StageResult>(islands_.size()),
            std::vector<char>(islands_.size(), 0)};
  StageResult result;
  int iterations = 0;
  ++work_.stages;
  for (int round = 0; round < kMostRounds; ++round) {
    if (contact)
      look_around(*contact, before, guess,
                  round == 0 ? clear_of_themselves(*contact) : std::vector<char>());
    std::vector<Group> groups = make_groups(contact, before);
    result = solve_groups(groups, active, task);
    work_.iterations += result.iterations;
    work_.cones += result.cones;
    result.iterations += iterations;
    if (result.cancelled) {
      forces = forces_before;
      return result;
    }
    iterations = result.iterations;
    for (const Group& group : groups)
      for (const int i : group.islands)
        if (group.is_within(active)) islands_[i]->problem.store(islands_[i]->problem.x(), x);
    if (contact) collect(groups, *contact);
    if (!contact || !surfaces_) break;
    if (surfaces_->covers(x)) {
      const bool is_whole = std::find(active.begin(), active.end(), 0) == active.end();
      if (is_whole && !is_tangled_) apart_ = x;
      break;
    }
    if (round + 1 == kMostRounds) {
      go_back_to_known(before, active, x, *contact);
      result.converged = false;
    }
    guess = x;
  }
  return result;
}

// Where nobody has looked for what may be in the way, nothing goes.
void Islands::go_back_to_known(const Points& before, const IslandMask& active, Points& x,
                               StageContact& contact) const {
  constexpr int kMostHalvings = 30;
  for (int k = 0; k < kMostHalvings && !surfaces_->covers(x); ++k)
    for (Eigen::Index i = 0; i < x.cols(); ++i)
      if (const int island = island_of_point_[i];
          island >= 0 && active[island] && !contact_model_->rules.fixed[i]) {
        x.col(i) = 0.5 * (x.col(i) + before.col(i));
        contact.cut[island] = 1;
      }
}

}  // namespace dashpot
