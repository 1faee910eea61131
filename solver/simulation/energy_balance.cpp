#include "solver/simulation/energy_balance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "solver/simulation/points_in_motion.h"

namespace dashpot {
namespace {

// Smooth motion is stepped, and its damping summed up, with errors of this size and of either sign,
// in parts of the energy there was.
constexpr double kQuadrature = 1e-4;
// What bodies that fly together have too much of, in parts of their kinetic energy, before their
// momenta are touched.
constexpr double kNoiseOfMotion = 1e-6;

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

std::vector<int> EnergyBalance::points_of(const Bodies& bodies, const PointMask& of) const {
  std::vector<int> points;
  for (const int body : bodies)
    for (int i = model_.point_offset[body]; i < model_.point_offset[body + 1]; ++i)
      if (of.empty() || of[i]) points.push_back(i);
  return points;
}

// From what is not rigid motion if that is enough, else from all motion: of free bodies from what
// is not rigid motion of all of them. Returns the momentum that goes with it.
Vec3 EnergyBalance::take(const Bodies& bodies, double energy, const PointMask& of, State& to) {
  const bool leans =
      std::any_of(bodies.begin(), bodies.end(), [&](int b) { return flows_[b].leans; });
  std::vector<PointsInMotion> parts;
  for (const int body : leans ? bodies : Bodies{-1})
    parts.emplace_back(model_.mass, to.x, to.v, points_of(leans ? Bodies{body} : bodies, of));
  double vibration = 0, kinetic = 0;
  for (const PointsInMotion& part : parts) {
    vibration += part.vibration();
    kinetic += part.kinetic();
  }
  if (!(kinetic > 0)) return Vec3::Zero();
  const bool is_noise = energy - vibration < kNoiseOfMotion * kinetic;
  const bool enough = energy < vibration || (!leans && is_noise);
  const double share = std::sqrt(std::max(0.0, 1 - energy / (enough ? vibration : kinetic)));
  Vec3 momentum = Vec3::Zero();
  for (const PointsInMotion& part : parts) {
    part.slow_down(share, enough, model_.pinned, to.v);
    if (!enough) momentum += (1 - share) * part.momentum();
  }
  for (const int body : bodies) {
    const double before = after_[body].kinetic;
    measure_again(body, to);
    taken_[body] += std::max(0.0, before - after_[body].kinetic);
  }
  return momentum;
}

// Bodies in contact that may be limited, together with those that they touched.
std::vector<EnergyBalance::Bodies> EnergyBalance::touching_groups() const {
  std::map<int, Bodies> groups;
  for (int b = 0; b < model_.body_count(); ++b)
    if (flows_[b].touched || flows_[b].let_go)
      groups[flows_[b].group < 0 ? b : flows_[b].group].push_back(b);
  std::vector<Bodies> result;
  for (auto& [number, bodies] : groups)
    if (std::none_of(bodies.begin(), bodies.end(),
                     [&](int b) { return model_.has_moving_pins(b); }))
      result.push_back(std::move(bodies));
  return result;
}

// What the body has more than the law allows if it also gave what it did, J.
double EnergyBalance::surplus(int body) const {
  return total_energy(after_[body]) + flows_[body].damped - total_energy(before_[body]) -
         flows_[body].work;
}

// What bodies of a group gave each other is known by a quadrature: as much more as the law asks.
void EnergyBalance::share_work(const Bodies& bodies) {
  double lacking = 0, left = 0;
  for (const int b : bodies) (surplus(b) > 0 ? lacking : left) += std::abs(surplus(b));
  if (!(lacking > 0) || !(left > 0)) return;
  const double share = std::min(1.0, lacking / left);
  for (const int b : bodies) {
    const double own = surplus(b);
    flows_[b].work += own > 0 ? own * std::min(1.0, left / lacking) : own * share;
  }
}

Vec3 EnergyBalance::limit_touching(const PointMask& of, State& to) {
  constexpr double kRounding = 1e-12;
  Vec3 momentum = Vec3::Zero();
  for (const Bodies& bodies : touching_groups()) {
    double more = 0, scale = 0;
    for (const int b : bodies) {
      more += surplus(b);
      scale += std::abs(total_energy(before_[b])) + after_[b].kinetic;
    }
    if (more > kRounding * scale) momentum += take(bodies, more, of, to);
    share_work(bodies);
  }
  return momentum;
}

void EnergyBalance::limit(int body, State& to) {
  const double more = total_energy(after_[body]) - bound(body);
  if (more > 0) take({body}, more, {}, to);
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
