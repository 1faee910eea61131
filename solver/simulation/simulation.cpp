#include "solver/simulation/simulation.h"

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>

#include "solver/base/error.h"
#include "solver/base/hash.h"
#include "solver/contact/contact_time_stepper.h"
#include "solver/elements/element_diagnostics.h"
#include "solver/linear/sparse_cholesky.h"
#include "solver/parameters/collider_coefficients.h"
#include "solver/parameters/parameters.h"
#include "solver/simulation/energies.h"
#include "solver/simulation/simulation_model.h"
#include "solver/simulation/step.h"
#include "solver/stage/islands.h"

namespace dashpot {
namespace {

const Scene& checked(const Scene& scene) {
  check_scene(scene);
  return scene;
}

const PreparedMatrices& no_matrices() {
  static const PreparedMatrices none;
  return none;
}

void fingerprint_names(const std::vector<std::string>& names, Hash& hash) {
  hash.add_value(names.size());
  for (const std::string& name : names) {
    hash.add_value(name.size());
    hash.add(name.data(), name.size());
  }
}

void fingerprint_contact(const Body& body, Hash& hash) {
  hash_body_contact(body.contact, hash);
  hash.add(body.friction.data(), body.friction.size() * sizeof(double));
  fingerprint_names(body.no_contact, hash);
  hash.add(body.no_contact_points.data(), body.no_contact_points.size());
  hash.add(body.piece.data(), body.piece.size() * sizeof(int));
  for (const Piece& piece : body.pieces) {
    fingerprint_names(piece.names, hash);
    fingerprint_names(piece.no_contact, hash);
    hash_body_contact(piece.contact.value_or(body.contact), hash);
  }
}

void fingerprint_body(const Body& body, Hash& hash) {
  hash.add(body.name.data(), body.name.size());
  const auto add_points = [&](const Points& p) {
    hash.add(p.data(), static_cast<std::size_t>(p.size()) * sizeof(double));
  };
  add_points(body.mesh.rest);
  add_points(body.position);
  add_points(body.velocity);
  hash.add(body.mesh.tets.data(), body.mesh.tets.size() * sizeof(Tet));
  for (const Parameter& p : parameters()) {
    if (p.scope != ParameterScope::kPrim) continue;
    const std::vector<double> values = body.fields.expand(p.token, body.mesh.tet_count());
    hash.add(values.data(), values.size() * sizeof(double));
  }
  if (body.damping_ramp)
    for (const RampKey& key : body.damping_ramp->keys()) {
      hash.add_value(key.position);
      hash.add_value(key.value);
      hash.add_value(static_cast<int>(key.interpolation));
    }
  for (const Pin& pin : body.pins) {
    hash.add(pin.points.data(), pin.points.size() * sizeof(int));
    if (pin.motion) pin.motion->fingerprint(hash);
  }
  fingerprint_contact(body, hash);
  const Springs& springs = body.springs;
  hash.add(springs.edges.data(), springs.edges.size() * sizeof springs.edges[0]);
  for (const auto* values : {&springs.stiffness, &springs.damping, &body.point_mass})
    hash.add(values->data(), values->size() * sizeof(double));
}

// The first complaint about a frame; "" if there is none.
std::string complaint(const FrameReport& report, const SolverSettings& settings) {
  for (const Status status : kComplaints)
    if (report.has(status)) return remedy(status, report, settings);
  return "";
}

std::string three_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// Mass holds still what stiffness leaves free to move as a whole. In a matrix it vanishes beside
// the stiffness where sound crosses a tet many times in a step.
[[noreturn]] void explain_unsolvable(const Scene& scene, double step) {
  constexpr double kShortest = 1e-100;  // s; its square is none
  if (step < kShortest)
    throw InputError("A time step of " + three_digits(step) +
                     " s is too short to compute with; lower the frame rate or substeps.");
  const Body* finest = &scene.bodies.front();
  for (const Body& body : scene.bodies)
    if (mean_edge_length(body.mesh) < mean_edge_length(finest->mesh)) finest = &body;
  throw InputError("body '" + finest->name + "': its edges of " +
                   three_digits(mean_edge_length(finest->mesh)) +
                   " m are too short for time steps of " + three_digits(step) +
                   " s at its stiffness; check that it is in metres, or raise the frame rate or "
                   "substeps.");
}

}  // namespace

struct Simulation::Impl {
  Scene scene;
  SimulationModel model;
  Islands islands;
  State state;
  std::vector<Measurement> measured;  // of each body in `state`, once they are known
  std::vector<double> dissipation;    // of the last frame, per element

  Impl(Scene s, const PreparedMatrices* former)
      : scene(std::move(s)),
        model(checked(scene)),
        islands(model, former ? *former : no_matrices()),
        state(initial_state(model, scene.settings.gravity, islands)),
        dissipation(static_cast<std::size_t>(model.elements.count()), 0.0) {
    if (model.contact.has_contact()) islands.add_contact(model.contact);
  }

  void measure(FrameReport& report) const {
    const Vec3& gravity = scene.settings.gravity;
    report.bodies = measured.empty() ? measure_bodies(model, state.x, state.v, gravity) : measured;
    report.all = report.bodies.size() == 1 ? report.bodies.front()
                                           : dashpot::measure(model, state.x, state.v, gravity, -1);
    EnergyLedger& e = report.energy;
    e.kinetic = report.all.kinetic;
    e.elastic = report.all.elastic;
    e.gravitational = report.all.gravitational;
    e.total = total_energy(report.all);
    e.work = state.work;
    e.dissipated = state.dissipated;
    e.lost = state.initial_energy + e.work - e.dissipated - e.total;
    report.contact.penetration = deepest_penetration(model.contact, state.time, state.x);
    if (report.all.inverted > 0) report.status |= bit(Status::kInvertedElements);
    if (report.contact.ignored > 0) report.status |= bit(Status::kTangled);
  }
};

Simulation::Simulation(Scene scene, const std::shared_ptr<const PreparedMatrices>& former)
    : impl_(std::make_unique<Impl>(std::move(scene), former.get())) {}
Simulation::~Simulation() = default;

FrameReport Simulation::advance(double dt, const CancelFunction& cancelled) {
  const FlushDenormals flush;
  const auto start = std::chrono::steady_clock::now();
  const SolverSettings& settings = impl_->scene.settings;
  const double substep = dt * settings.timescale / settings.substeps;
  if (!(substep > 0)) throw InputError("The time step must be above zero.");

  FrameReport report;
  StepReport steps;
  steps.dissipated.assign(impl_->dissipation.size(), 0.0);
  State state = impl_->state;
  std::vector<Measurement> measured = impl_->measured;
  const auto step = [&] {
    try {
      return take_step(impl_->model, settings, substep, state, cancelled, impl_->islands, steps,
                       measured);
    } catch (const NotPositiveDefinite&) {
      explain_unsolvable(impl_->scene, substep);
    }
  };
  for (int s = 0; s < settings.substeps; ++s) {
    auto next = step();
    if (!next) {
      report.status |= bit(Status::kCancelled);
      break;
    }
    state = std::move(*next);
  }
  std::swap(impl_->state, state);
  impl_->measured = std::move(measured);
  std::swap(impl_->dissipation, steps.dissipated);
  report.contact = steps.contact;
  impl_->measure(report);
  if (!steps.converged && settings.tolerance > 0) report.status |= bit(Status::kBudgetExhausted);
  if (steps.taken_again) report.status |= bit(Status::kTakenAgain);
  report.iterations = steps.iterations;
  report.primal_residual = steps.primal_residual;
  report.dual_residual = steps.dual_residual;
  const bool may_stop = settings.stop_at_warnings && !report.has(Status::kCancelled);
  if (const std::string warning = may_stop ? complaint(report, settings) : ""; !warning.empty()) {
    restore(std::move(state), std::move(steps.dissipated));  // what was there before
    throw SimulationError("stopped by stopatwarnings: " + warning);
  }
  report.ms.local = steps.ms_local;
  report.ms.global = steps.ms_global;
  report.ms.contact = steps.ms_contact;
  report.ms.total =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return report;
}

FrameReport Simulation::measure() const {
  FrameReport report;
  impl_->measure(report);
  return report;
}

std::vector<std::vector<double>> Simulation::evaluate(
    const std::vector<const ElementDiagnostic*>& wanted) const {
  std::vector<std::vector<double>> values;
  for (const ElementDiagnostic* diagnostic : wanted) {
    values.emplace_back();
    for (const auto& set : impl_->model.elements.sets()) {
      const std::vector<double> own =
          set->evaluate(*diagnostic, impl_->state.x, impl_->dissipation);
      values.back().insert(values.back().end(), own.begin(), own.end());
    }
  }
  return values;
}

std::shared_ptr<const PreparedMatrices> Simulation::prepared_matrix() const {
  return std::make_shared<const PreparedMatrices>(impl_->islands.prepared());
}
SetupWork Simulation::setup_work() const {
  return impl_->islands.work();
}
SolverWork Simulation::solver_work() const {
  return impl_->islands.solver_work();
}

const Scene& Simulation::scene() const {
  return impl_->scene;
}
const std::vector<double>& Simulation::dissipation() const {
  return impl_->dissipation;
}
const State& Simulation::state() const {
  return impl_->state;
}

void Simulation::restore(State state, std::vector<double> dissipation) {
  const State& now = impl_->state;
  if (state.x.cols() != now.x.cols() || state.v.cols() != now.v.cols() ||
      state.a.cols() != now.a.cols() ||
      (state.x_previous.size() != 0 && state.x_previous.cols() != now.x.cols()) ||
      state.x_previous.cols() != state.v_previous.cols())
    throw InputError("The saved state belongs to another scene; delete it and start again.");
  // Pins and materials may have changed since, and with them where forces are kept.
  if (state.dual_layout != now.dual_layout || state.dual.size() != impl_->islands.force_size())
    state.dual.clear();
  state.dual_layout = now.dual_layout;
  state.contact = fitting(state.contact, impl_->model.contact);
  impl_->state = std::move(state);
  impl_->measured.clear();
  dissipation.resize(impl_->dissipation.size(), 0.0);
  impl_->dissipation = std::move(dissipation);
}

void Simulation::set_gravity(const Vec3& gravity) {
  Vec3& now = impl_->scene.settings.gravity;
  State& state = impl_->state;
  // Accelerations of later states are those of the motion so far; at first they are those of the
  // loads.
  for (int i = 0; state.steps == 0 && i < impl_->model.point_count(); ++i)
    if (!impl_->model.pinned[i]) state.a.col(i) += gravity - now;
  now = gravity;
  impl_->measured.clear();
}

void Simulation::set_external_force(Points force) {
  if (force.cols() != 0 && force.cols() != impl_->state.x.cols())
    throw InputError("the forces must be one for each of the " +
                     std::to_string(impl_->state.x.cols()) + " points.");
  impl_->model.external_force = std::move(force);
}

std::uint64_t Simulation::fingerprint() const {
  Hash hash;
  hash_settings(impl_->scene.settings, hash);
  for (const Body& body : impl_->scene.bodies) fingerprint_body(body, hash);
  for (const SceneCollider& collider : impl_->scene.colliders) {
    collider.collider.shape->fingerprint(hash);
    hash_coefficients(collider.collider, hash);
    for (const RigidMotion& motion : collider.motion) motion.fingerprint(hash);
  }
  return hash.value();
}

int Simulation::point_offset(int body) const {
  return impl_->model.point_offset.at(body);
}
int Simulation::tet_offset(int body) const {
  // One past the last body is where the tets end.
  const auto& own = impl_->model.elements_of;
  return body == static_cast<int>(own.size()) ? own.back()[0].end : own.at(body)[0].begin;
}

}  // namespace dashpot
