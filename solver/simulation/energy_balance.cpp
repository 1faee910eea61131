#include "solver/simulation/energy_balance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dashpot {
namespace {

// Smooth motion is stepped, and its damping summed up, with errors of this size and of either sign,
// in parts of the energy there was.
constexpr double kQuadrature = 1e-4;

}  // namespace

EnergyBalance::EnergyBalance(const SimulationModel& model, const Vec3& gravity,
                             std::vector<Measurement> before, std::vector<BodyFlow> flows,
                             const State& to)
    : model_(model),
      gravity_(gravity),
      before_(std::move(before)),
      after_(measure_bodies(model, to.x, to.v, gravity)),
      flows_(std::move(flows)),
      taken_(flows_.size(), 0.0) {}

double EnergyBalance::bound(int body) const {
  return total_energy(before_[body]) + std::max(0.0, flows_[body].work);
}

void EnergyBalance::forget_work(int body) {
  flows_[body].work = std::min(flows_[body].work, 0.0);
}

void EnergyBalance::measure_again(int body, const State& to) {
  after_[body] = measure(model_, to.x, to.v, gravity_, body);
}

// From vibration if that is enough, else from all motion. Returns the momentum that goes with it.
Vec3 EnergyBalance::take(int body, double energy, const PointMask& of, State& to) {
  double mass = 0, kinetic = 0;
  Vec3 momentum = Vec3::Zero();
  std::vector<int> points;
  for (int i = model_.point_offset[body]; i < model_.point_offset[body + 1]; ++i)
    if (of.empty() || of[i]) points.push_back(i);
  for (const int i : points) {
    mass += model_.mass[i];
    momentum += model_.mass[i] * to.v.col(i);
    kinetic += 0.5 * model_.mass[i] * to.v.col(i).squaredNorm();
  }
  if (!(kinetic > 0)) return Vec3::Zero();
  const Vec3 mean = momentum / mass;
  const double vibration = kinetic - 0.5 * mass * mean.squaredNorm();
  const bool enough = energy < vibration;
  const double available = enough ? vibration : kinetic;
  const double share = std::sqrt(std::max(0.0, 1 - energy / available));
  const Vec3 around = enough ? mean : Vec3::Zero().eval();
  for (const int i : points)
    if (!model_.pinned[i]) to.v.col(i) = around + share * (to.v.col(i) - around);
  const double before = after_[body].kinetic;
  measure_again(body, to);
  taken_[body] += before - after_[body].kinetic;
  return enough ? Vec3::Zero().eval() : Vec3((1 - share) * momentum);
}

Vec3 EnergyBalance::limit_touching(const PointMask& of, State& to) {
  constexpr double kRounding = 1e-12;
  Vec3 momentum = Vec3::Zero();
  for (int b = 0; b < model_.body_count(); ++b) {
    const bool touches = flows_[b].touched || flows_[b].let_go;
    if (!touches || model_.has_moving_pins(b)) continue;
    // What it gave to another body is gone.
    const double more =
        total_energy(after_[b]) + flows_[b].damped - bound(b) - std::min(0.0, flows_[b].work);
    if (!(more > kRounding * (std::abs(total_energy(before_[b])) + after_[b].kinetic))) continue;
    momentum += take(b, more, of, to);
  }
  return momentum;
}

void EnergyBalance::limit(int body, State& to) {
  const double more = total_energy(after_[body]) - bound(body);
  if (more > 0) take(body, more, {}, to);
}

void EnergyBalance::close(int body) {
  BodyFlow& flow = flows_[body];
  const double left =
      std::max(0.0, total_energy(before_[body]) + flow.work - total_energy(after_[body]) +
                        (flow.touched ? 0 : kQuadrature * exchanged(body)));
  flow.damped = std::min(flow.damped, left);
  const double rest = left - flow.damped;
  // What stages in contact lose went into it; the work of moving pins is a quadrature.
  const bool is_known = (flow.touched || flow.let_go) && !model_.has_moving_pins(body);
  flow.rubbed = is_known ? rest : std::min(flow.rubbed, rest);
}

// What there was to give, J. A rise against gravity is none of it.
double EnergyBalance::exchanged(int body) const {
  const Measurement& before = before_[body];
  return before.kinetic + before.elastic + std::abs(flows_[body].work) +
         std::max(0.0, before.gravitational - after_[body].gravitational) + noise(body);
}

// What strains of 1e-5 store is noise of the iterations, and grows no further by itself.
double EnergyBalance::noise(int body) const {
  constexpr double kNoise = 1e-10;
  return kNoise * (model_.stiffness_of[body] + std::abs(total_energy(before_[body])) +
                   std::abs(after_[body].gravitational));
}

double EnergyBalance::excess(int body) const {
  const double made = total_energy(after_[body]) - bound(body) - noise(body);
  return std::isfinite(made) ? made / exchanged(body) : std::numeric_limits<double>::infinity();
}

}  // namespace dashpot
