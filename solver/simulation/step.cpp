#include "solver/simulation/step.h"

#include <cmath>
#include <limits>

#include "solver/base/error.h"
#include "solver/base/stopwatch.h"
#include "solver/simulation/contact_step.h"
#include "solver/simulation/energy_check.h"
#include "solver/simulation/step_rule.h"

namespace dashpot {
namespace {

// Where the motion so far would lead in time tau.
Points extrapolate(const Points& x, const Points& v, const Points& a, double tau) {
  return x + tau * v + (0.5 * tau * tau) * a;
}

// Damping that dies down within the step makes the start of the motion a bad guide to its end. A
// guess that halves or doubles stretches is replaced by a more careful one.
bool is_wild(const System& system, const Points& guess, const StretchRange& now) {
  const StretchRange then = stretch_range(system, guess);
  return then.min < 0.5 * now.min || then.max > 2 * now.max;
}

// Force that holds pinned points on their path, besides that of their own inertia: internal + drag
// - m g.
Points reaction(const System& system, const Motion& motion, const Points& internal,
                const Vec3& gravity) {
  Points force = internal;
  for (const auto& set : system.pins)
    for (int i : set.points)
      force.col(i) += system.drag[i] * motion.v.col(i) - system.mass[i] * gravity;
  return force;
}

// The work of their inertia is known without a quadrature: the change of this.
double pin_kinetic(const System& system, const Points& v) {
  double kinetic = 0;
  for (const auto& set : system.pins)
    for (int i : set.points) kinetic += 0.5 * system.mass[i] * v.col(i).squaredNorm();
  return kinetic;
}

double pin_work(const System& system, const Points& force, const Points& from, const Points& to) {
  double work = 0;
  for (const auto& set : system.pins)
    for (int i : set.points) work += force.col(i).dot(to.col(i) - from.col(i));
  return work;
}

double external_work(const System& system, const Points& from, const Points& to) {
  double work = 0;
  for (Eigen::Index i = 0; i < system.external_force.cols(); ++i)
    if (!system.pinned[i]) work += system.external_force.col(i).dot(to.col(i) - from.col(i));
  return work;
}

class Step {
 public:
  // careful: by backward Euler, from a start that does not trust the forces so far.
  Step(const System& system, const SolverSettings& settings, double dt, const State& from,
       AdmmSolver& solver, StepReport& report, bool careful = false)
      : system_(system),
        settings_(settings),
        dt_(dt),
        from_(from),
        rule_(careful ? integrator_rule(Integrator::kBackwardEuler)
                      : choose_rule(system, settings, dt, from, solver)),
        is_careful_(careful),
        solver_(solver),
        report_(report),
        start_{from.x, from.v, from.a},
        to_(from) {
    if (!system.colliders.empty()) contact_.emplace(system, settings.gravity, dt, from);
    if (careful || starts_collapsed(system, from)) start_.a.colwise() = settings.gravity;
    if (from.steps == 0) system.add_external(1, start_.a);
  }

  // False if cancelled.
  bool run(const std::function<bool()>& cancelled) {
    const bool ledger = system_.has_moving_pins();
    Points force;
    if (ledger) {
      force = from_.steps == 0 ? reaction(system_, start_, solver_.force_gradient(from_.x, from_.v),
                                          settings_.gravity)
                               : reaction_at(from_.dual, start_);
    }
    if (solver_.is_damped() && rule_.extrapolation == 1)
      solver_.dissipation(start_.x, start_.v, power_);
    Motion before = start_;
    double begin = 0;
    for (int s = 0; s < rule_.stage_count; ++s) {
      const StageRule& stage = rule_.stages[s];
      Motion after;
      if (!solve_stage(stage, before, stage.end - begin, cancelled, after)) return false;
      if (rule_.extrapolation != 1) {
        book_midpoint(ledger, after);
      } else {
        book_segment(ledger, (stage.end - begin) * dt_, before, after, force);
      }
      before = std::move(after);
      begin = stage.end;
      // The next stage, or step, looks back at the start of this step.
      if (contact_) contact_->restart_history(stage.alpha * dt_, begin * dt_, start_.x, start_.v);
    }
    finish(before);
    return true;
  }

  State take() { return std::move(to_); }

  // As a share of what there was. A stage can also converge to where its objective is stationary
  // but not least; rules that are stable for every step then make much more than they ever do.
  double may_make_energy() const {
    if (!has_converged_) return 0.05;
    const bool is_euler = rule_.stage_count == 1 && rule_.stages[0].alpha == 1;
    const bool is_stable = rule_.extrapolation == 1 && rule_.stages[0].alpha != 0.5;
    return is_euler ? 0.05 : is_stable ? 1 : std::numeric_limits<double>::infinity();
  }
  bool is_lost() const { return is_lost_; }

 private:
  bool solve_stage(const StageRule& rule, const Motion& before, double fraction,
                   const std::function<bool()>& cancelled, Motion& after) {
    const History history{start_.x, start_.v,         start_.a,        before.x,
                          before.v, from_.x_previous, from_.v_previous};
    Stage stage = make_stage(rule, dt_, history, settings_.gravity);
    system_.add_external(stage.h * stage.h, stage.x_tilde);
    after.x = extrapolate(before.x, before.v, before.a, fraction * dt_);
    if (is_careful_ && contact_) {
      after.x = before.x;  // on the side of every collider where it is
    } else if (is_careful_ || solver_.is_damped()) {
      const StretchRange now = stretch_range(system_, before.x);
      if (is_wild(system_, after.x, now)) {
        after.x = before.x + fraction * dt_ * before.v;
        if (is_wild(system_, after.x, now)) after.x = before.x;
      }
    }
    Points target_v = before.v;
    place_pins(rule.end, after.x, target_v);
    const AdmmSettings admm{settings_.iterations, settings_.tolerance, settings_.stage_solver};
    std::optional<StageContact> contact;
    const double k = rule_.extrapolation;
    const double begin = rule.end - fraction;
    if (contact_) contact = contact_->prepare(rule, begin, rule.end, k);
    const AdmmResult result = solver_.solve(stage, before.x, admm, cancelled, after.x, to_.dual,
                                            contact ? &*contact : nullptr);
    if (result.cancelled) return false;
    record(result);
    after.v = (after.x - stage.x_p) / stage.h;
    after.a = (after.v - stage.v_p) / stage.h;
    for (int i = 0; i < system_.point_count(); ++i) {
      if (!system_.pinned[i]) continue;
      after.v.col(i) = target_v.col(i);
      after.a.col(i) = (after.v.col(i) - before.v.col(i)) / (fraction * dt_);
    }
    if (contact_) {
      const Stopwatch watch(report_.ms_contact);
      settle(rule, begin, before, *contact, after);
    }
    if (!after.x.allFinite())
      throw SimulationError("the step at " + std::to_string(from_.time) +
                            " s did not stay finite; raise substeps or use backwardeuler.");
    return true;
  }

  // With extrapolation, velocities settle at the end of the step.
  void settle(const StageRule& rule, double begin, const Motion& before, StageContact& contact,
              Motion& after) {
    const double k = rule_.extrapolation;
    if (k == 1) {
      contact_->finish_stage(rule, begin, k, before, solver_, contact, after);
      return;
    }
    Motion end{start_.x + k * (after.x - start_.x), start_.v + k * (after.v - start_.v), after.a};
    contact_->finish_stage(rule, begin, k, before, solver_, contact, end);
    settled_v_ = end.v;
  }

  // Targets at a fraction of the step. A midpoint stage is placed so that its extrapolation hits
  // the target at the end of the step exactly.
  void place_pins(double fraction, Points& x, Points& v) const {
    if (rule_.extrapolation == 1) {
      system_.place_pins(from_.time + fraction * dt_, x, v);
    } else {
      system_.place_pins(from_.time + dt_, x, v);
      for (const auto& set : system_.pins)
        for (int i : set.points) {
          x.col(i) = start_.x.col(i) + (x.col(i) - start_.x.col(i)) / rule_.extrapolation;
          v.col(i) = start_.v.col(i) + (v.col(i) - start_.v.col(i)) / rule_.extrapolation;
        }
    }
    for (int i = 0; i < system_.point_count(); ++i)
      if (system_.mass[i] == 0) x.col(i) = start_.x.col(i);  // in no tet
  }

  void record(const AdmmResult& result) {
    report_.iterations += result.iterations;
    report_.primal_residual = std::max(report_.primal_residual, result.primal_residual);
    report_.dual_residual = std::max(report_.dual_residual, result.dual_residual);
    report_.converged = report_.converged && result.converged;
    has_converged_ = has_converged_ && result.converged;
    is_lost_ = is_lost_ || (!result.converged && !(result.primal_residual < kUnsolved));
    report_.ms_local += result.ms_local;
    report_.ms_global += result.ms_global;
    report_.ms_contact += result.ms_contact;
  }

  // Trapezoidal rule between two instants; force is that at `before`, then at `after`.
  void book_segment(bool ledger, double tau, const Motion& before, const Motion& after,
                    Points& force) {
    book_drag(0.5 * tau, before.v);
    book_drag(0.5 * tau, after.v);
    if (solver_.is_damped()) {
      power_before_.swap(power_);
      solver_.dissipation(after.x, after.v, power_);
      // The first velocities need not suit the damping, which then ends them within the step.
      if (from_.steps == 0) power_before_ = power_;
      // Exact where the rate changes linearly from one instant to the other.
      for (std::size_t t = 0; t < power_.size(); ++t)
        power_before_[t] =
            (power_before_[t] + power_[t] + std::sqrt(power_before_[t] * power_[t])) / 3;
      if (contact_) use_mean_rates(tau, before, after);
      book_damping(tau, power_before_);
    }
    if (!ledger) return;
    const Points next = reaction_at(to_.dual, after);
    to_.work += pin_work(system_, 0.5 * (force + next), before.x, after.x);
    force = next;
  }

  // Velocities that contact changed at an instant are not those that damping saw: there it is the
  // way between the instants that counts.
  void use_mean_rates(double tau, const Motion& before, const Motion& after) {
    std::vector<double> mean;
    const std::vector<char>& jumped = contact_->changed_points();
    for (std::size_t t = 0; t < power_.size(); ++t)
      for (int corner : system_.terms.tets[t]) {
        if (!jumped[corner]) continue;
        if (mean.empty()) solver_.dissipation(after.x, (after.x - before.x) / tau, mean);
        power_before_[t] = mean[t];
        break;
      }
  }

  void book_midpoint(bool ledger, const Motion& middle) {
    book_drag(dt_, middle.v);
    if (solver_.is_damped()) {
      solver_.dissipation(middle.x, middle.v, power_);
      book_damping(dt_, power_);
    }
    if (!ledger) return;
    const Points force = reaction_at(to_.dual, middle);
    to_.work += rule_.extrapolation * pin_work(system_, force, start_.x, middle.x);
  }

  // At the end of a stage with these duals.
  Points reaction_at(const std::vector<double>& dual, const Motion& motion) {
    Points internal = solver_.dual_gradient(dual);
    solver_.add_laplacian_gradient(motion.x, motion.v, internal);
    return reaction(system_, motion, internal, settings_.gravity);
  }

  void book_drag(double tau, const Points& v) {
    if (system_.tet_drag.empty()) return;
    dissipated_.resize(system_.tet_drag.size(), 0.0);
    double sum = 0;
    for (std::size_t t = 0; t < dissipated_.size(); ++t) {
      double squared = 0;
      for (int corner : system_.terms.tets[t]) squared += v.col(corner).squaredNorm();
      const double power = 0.25 * system_.tet_drag[t] * squared;
      dissipated_[t] += tau * power;
      sum += power;
    }
    to_.dissipated += tau * sum;
  }

  void book_damping(double tau, const std::vector<double>& power) {
    dissipated_.resize(power.size(), 0.0);
    double sum = 0;
    for (std::size_t t = 0; t < power.size(); ++t) {
      dissipated_[t] += tau * power[t];
      sum += power[t];
    }
    to_.dissipated += tau * sum;
  }

  void finish(const Motion& last) {
    const double k = rule_.extrapolation;
    to_.x = k == 1 ? last.x : Points(from_.x + k * (last.x - from_.x));
    to_.v = k == 1 ? last.v : Points(from_.v + k * (last.v - from_.v));
    to_.a = last.a;
    to_.x_previous = from_.x;
    to_.v_previous = from_.v;
    if (contact_) finish_contact();
    to_.previous_dt = dt_;
    to_.time = from_.time + dt_;
    ++to_.steps;
    system_.place_pins(to_.time, to_.x, to_.v);
    to_.work += pin_kinetic(system_, to_.v) - pin_kinetic(system_, from_.v);
    to_.work += external_work(system_, from_.x, to_.x);
    report_.dissipated.resize(system_.terms.tets.size(), 0.0);
    for (std::size_t t = 0; t < dissipated_.size(); ++t) report_.dissipated[t] += dissipated_[t];
  }

  void finish_contact() {
    if (settled_v_.size() != 0) to_.v = settled_v_;
    to_.x_previous = start_.x;
    to_.v_previous = start_.v;
    contact_->limit_energy(from_, to_);
    to_.contact = contact_->memory();
    to_.work += contact_->energy().work;
    to_.dissipated += contact_->energy().dissipated;
    const ContactReport& step = contact_->report();
    report_.contact.contacts = step.contacts;
    report_.contact.impulse += step.impulse;
    report_.contact.normal_impulse += step.normal_impulse;
    report_.contact.friction_use = std::max(report_.contact.friction_use, step.friction_use);
  }

  const System& system_;
  const SolverSettings& settings_;
  double dt_;
  const State& from_;
  IntegratorRule rule_;
  bool is_careful_, has_converged_ = true;
  bool is_lost_ = false;
  AdmmSolver& solver_;
  StepReport& report_;
  Motion start_;
  std::optional<StepContact> contact_;
  Points settled_v_;  // velocities at the end of an extrapolated step, empty without contact
  State to_;
  std::vector<double> power_, power_before_, dissipated_;  // of each tet's damping, W and J
};

}  // namespace

State initial_state(const System& system, const Vec3& gravity, AdmmSolver& solver) {
  State state;
  state.x = system.initial_x;
  state.v = system.initial_v;
  state.a = -solver.force_gradient(state.x, state.v);
  for (int i = 0; i < system.point_count(); ++i) {
    if (system.pinned[i]) {
      state.a.col(i).setZero();
      continue;
    }
    state.a.col(i) = (state.a.col(i) - system.drag[i] * state.v.col(i)) / system.mass[i] + gravity;
  }
  state.dual.assign(solver.dual_size(), 0.0);
  const Measurement m = measure(system, state.x, state.v, gravity, -1);
  state.initial_energy = m.kinetic + m.elastic + m.gravitational;
  return state;
}

std::optional<State> take_step(const System& system, const SolverSettings& settings, double dt,
                               const State& from, const std::function<bool()>& cancelled,
                               AdmmSolver& solver, StepReport& report,
                               std::optional<Measurement>& measured) {
  const StepReport before = report;
  try {
    Step step(system, settings, dt, from, solver, report);
    if (!step.run(cancelled)) return std::nullopt;
    const double allowed = step.may_make_energy();
    const bool is_lost = step.is_lost();
    State to = step.take();
    if (!is_lost && !makes_energy(system, settings.gravity, allowed, from, to, measured)) return to;
  } catch (const SimulationError&) {
    // A second try is worth more than the reason.
  }
  const int spent = report.iterations - before.iterations;
  report = before;
  measured.reset();
  Step second(system, settings, dt, from, solver, report, true);
  if (!second.run(cancelled)) return std::nullopt;
  report.iterations += spent;
  report.converged = false;
  return second.take();
}

}  // namespace dashpot
