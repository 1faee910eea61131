#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "solver/base/parallel.h"
#include "solver/base/stopwatch.h"
#include "solver/collision/surface_detector.h"
#include "solver/collision/tangles.h"
#include "solver/stage/contact_admm.h"
#include "solver/stage/contact_stage_solver.h"
#include "solver/stage/islands.h"

namespace dashpot {
namespace {

// How often what comes near is looked for again, because a stage moved farther than foreseen.
constexpr int kMostRounds = 3;

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

}  // namespace

void Islands::add_contact(const ContactModel& contact) {
  contact_model_ = &contact;
  vertices_of_.assign(islands_.size(), {});
  for (std::size_t v = 0; v < contact.vertices.size(); ++v)
    vertices_of_[island_of_point_[contact.vertices[v]]].push_back(static_cast<int>(v));
  obstacles_ = std::make_unique<ObstacleDetector>(contact);
  if (!contact.surface) return;
  surfaces_ = std::make_unique<SurfaceDetector>(*contact.surface, contact.rules, contact.gap);
  tangles_ = std::make_unique<Tangles>(*contact.surface, contact.rules, contact.gap);
}

void Islands::find_near(const StageContact& contact, const Points& before, const Points& guess) {
  obstacles_->begin(contact.kinematics, before, guess);
  if (!surfaces_) return;
  surfaces_->begin(before, guess);
  is_tangled_ = false;
  if (!surfaces_->any()) return;
  tangles_->find(before);
  is_tangled_ = tangles_->any();
  if (is_tangled_) surfaces_->begin(before, guess, tangles_.get());
}

bool Islands::is_anything_near(const StageContact& contact, const Points& before,
                               const Points& guess) {
  if (!contact_model_) return false;
  find_near(contact, before, guess);
  const std::vector<Group> groups = make_groups(&contact, before);
  return std::any_of(groups.begin(), groups.end(),
                     [](const Group& group) { return group.contacts->has_candidates(); });
}

VelocityCorrection Islands::correct_velocities(const CorrectedStage& stage,
                                               const std::vector<Contact>& contacts) {
  std::vector<IslandSolver*> islands;
  for (const auto& island : islands_) islands.push_back(island.get());
  return dashpot::correct_velocities(stage, contacts, islands, island_of_point_);
}

// Islands that may touch each other are solved together, the others for themselves.
std::vector<Islands::Group> Islands::make_groups(const StageContact* contact,
                                                 const Points& before) const {
  const int count = static_cast<int>(islands_.size());
  std::vector<char> has_pairs(count, 0);
  if (contact && surfaces_)
    for (const auto& pair : surfaces_->candidates())
      for (const int point : pair)
        if (island_of_point_[point] >= 0) has_pairs[island_of_point_[point]] = 1;
  std::vector<Group> groups;
  int together = -1;
  for (int i = 0; i < count; ++i) {
    if (has_pairs[i] && together >= 0) {
      groups[together].islands.push_back(i);
      continue;
    }
    if (has_pairs[i]) together = static_cast<int>(groups.size());
    groups.emplace_back();
    groups.back().islands.push_back(i);
    groups.back().has_pairs = has_pairs[i];
  }
  if (!contact) return groups;
  std::vector<std::vector<ContactMemory::Touching>> known(groups.size());
  std::vector<int> group_of(count, -1);
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const int i : groups[g].islands) group_of[i] = static_cast<int>(g);
  for (const ContactMemory::Touching& touching : contact->known)
    for (int k = 0; k < touching.stencil.count; ++k)
      if (const int island = island_of_point_[touching.stencil.point[k]]; island >= 0) {
        known[group_of[island]].push_back(touching);
        break;
      }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::vector<int> vertices;
    for (const int i : groups[g].islands)
      vertices.insert(vertices.end(), vertices_of_[i].begin(), vertices_of_[i].end());
    groups[g].contacts = std::make_unique<StageContacts>(
        *contact_model_, *obstacles_, groups[g].has_pairs ? surfaces_.get() : nullptr,
        is_tangled_ ? tangles_.get() : nullptr, before, known[g], std::move(vertices));
  }
  return groups;
}

StageResult Islands::solve_group(Group& group, const Stage& stage, const Points& before,
                                 const StageSettings& settings, const CancelFunction& cancelled,
                                 Points& x, std::vector<double>& forces) {
  StageResult result;
  if (!group.contacts || !group.contacts->has_candidates()) {
    const int i = group.islands.front();
    IslandSolver& island = *islands_[i];
    result = island.solve(stage, before, x, settings, cancelled, forces.data() + flat_begin_[i]);
    if (!group.contacts || contact_model_->colliders.empty() || result.cancelled) return result;
    Points places = x;
    island.problem.store(island.problem.x(), places);
    if (!group.contacts->look_back(places)) return result;
  }
  const int so_far = result.iterations;
  result = solve_touching(group, stage, before, settings, cancelled, x, forces);
  result.iterations += so_far;
  return result;
}

StageResult Islands::solve_touching(Group& group, const Stage& stage, const Points& before,
                                    const StageSettings& settings, const CancelFunction& cancelled,
                                    Points& x, std::vector<double>& forces) {
  std::vector<StageProblem*> problems;
  std::vector<AdmmStageSolver*> admm;
  std::vector<double*> flat;
  StageResult result;
  for (const int i : group.islands) {
    const Stopwatch watch(result.ms_global);
    islands_[i]->problem.begin(stage, before, x, true);
    problems.push_back(&islands_[i]->problem);
    admm.push_back(&islands_[i]->admm);
    flat.push_back(forces.data() + flat_begin_[i]);
  }
  const StageGroup together(problems);
  Points places = x;
  ContactSystem system(together, group.islands, island_of_point_, places);
  const bool is_smooth =
      settings.choice == SolverChoice::kAutomatic &&
      std::all_of(problems.begin(), problems.end(), [](const auto* p) { return p->is_smooth(); });
  ContactStageSolver quasi_newton(together, system, *group.contacts, places);
  if (is_smooth && quasi_newton.solve(settings, cancelled, result)) {
    for (std::size_t k = 0; k < problems.size() && !result.cancelled; ++k)
      problems[k]->store_forces(flat[k]);
    return result;
  }
  ContactAdmm(together, admm, system, *group.contacts, places)
      .solve(settings, cancelled, flat, result);
  return result;
}

void Islands::collect(const std::vector<Group>& groups, StageContact& contact) const {
  contact.contacts.clear();
  for (const Group& group : groups) {
    const std::vector<Contact>& own = group.contacts->contacts();
    contact.contacts.insert(contact.contacts.end(), own.begin(), own.end());
  }
  std::sort(contact.contacts.begin(), contact.contacts.end(),
            [](const Contact& a, const Contact& b) { return a.id < b.id; });
  contact.tangled = is_tangled_ ? std::max(tangles_->count(), tangles_->inside_count()) : 0;
  if (contact.tangled > 0) contact.tangled_place = tangles_->places().front();
}

StageResult Islands::solve(const Stage& stage, const Points& before, const StageSettings& settings,
                           const CancelFunction& cancelled, Points& x, std::vector<double>& forces,
                           StageContact* contact) {
  if (!contact_model_) contact = nullptr;  // they were not told of any
  CancelledOnce once(cancelled);
  const CancelFunction poll = islands_.size() == 1 ? cancelled : once.function();
  const std::vector<double> forces_before = cancelled ? forces : std::vector<double>();
  Points guess = x;
  StageResult result;
  int iterations = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    if (contact) find_near(*contact, before, guess);
    std::vector<Group> groups = make_groups(contact, before);
    std::vector<StageResult> results(groups.size());
    double ms = 0;
    {
      const Stopwatch watch(ms);
      const auto solve_one = [&](std::ptrdiff_t g) {
        results[g] = solve_group(groups[g], stage, before, settings, poll, guess, forces);
      };
      if (groups.size() == 1)
        solve_one(0);
      else
        parallel_each(static_cast<std::ptrdiff_t>(groups.size()), 1, solve_one);
    }
    result = worst_of(results, ms);
    result.iterations += iterations;
    if (result.cancelled) {
      forces = forces_before;
      return result;
    }
    iterations = result.iterations;
    for (const auto& island : islands_) island->problem.store(island->problem.x(), x);
    if (contact) collect(groups, *contact);
    if (!contact || !surfaces_ || surfaces_->covers(x)) break;
    guess = x;
  }
  return result;
}

}  // namespace dashpot
