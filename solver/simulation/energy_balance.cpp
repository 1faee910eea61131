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
// Of all vibration.
constexpr double kAlmost = 1 - 1e-9;

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

// What a collider pushes leaves it with twice its velocity at most.
void EnergyBalance::doubt_work(double dt) {
  for (const Bodies& bodies : groups()) {
    if (are_driven(bodies) || model_.external_force.cols() != 0) continue;
    double fastest = 0, work = 0, given = 0, mass = 0, deformed = 0;
    for (const int b : bodies) {
      fastest = std::max(fastest, flows_[b].driven);
      work += flows_[b].work;
      given += std::max(0.0, flows_[b].work);
      deformed += std::max(0.0, after_[b].elastic - before_[b].elastic);
      for (int i = model_.point_offset[b]; i < model_.point_offset[b + 1]; ++i)
        mass += model_.mass[i];
    }
    const double carried = mass * fastest * (2 * fastest + gravity_.norm() * dt);
    const double doubted = work - deformed - carried;
    if (!(doubted > 0)) continue;
    const double share = std::min(1.0, doubted / given);
    for (const int b : bodies) flows_[b].work -= share * std::max(0.0, flows_[b].work);
  }
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

bool EnergyBalance::is_free(const Bodies& bodies) const {
  return std::all_of(bodies.begin(), bodies.end(), [&](int b) {
    return !flows_[b].leans && std::none_of(model_.pins.begin(), model_.pins.end(),
                                            [&](const auto& set) { return set.body == b; });
  });
}

// What damping took is known by a quadrature, which is far off where it ends motion within a step:
// momenta are not given for it.
// From what is not rigid motion if that is enough; else, of bodies that nothing holds, from all but
// the motion of their centre if that is; else from all motion. Bodies that nothing holds have one
// rigid motion together. Returns the momentum that goes with it.
Vec3 EnergyBalance::take(const Bodies& bodies, double energy, double law, const PointMask& of,
                         State& to) {
  using Kept = PointsInMotion::Kept;
  const bool free = is_free(bodies);
  std::vector<PointsInMotion> parts;
  const auto add_part = [&](const Bodies& part) {
    parts.emplace_back(model_.mass, to.x, to.v, points_of(part, of));
  };
  if (free) {
    add_part(bodies);
  } else {
    for (const int body : bodies) add_part({body});
  }
  const auto available = [&](Kept kept) {
    double sum = 0;
    for (const PointsInMotion& part : parts) sum += part.kinetic_besides(kept);
    return sum;
  };
  Kept kept = Kept::kRigid;
  if (free) energy = std::max(law, std::min(energy, kAlmost * available(kept)));
  if (energy >= available(kept)) kept = free ? Kept::kMean : Kept::kNothing;
  if (energy >= available(kept)) kept = Kept::kNothing;
  if (free && kept == Kept::kNothing &&
      energy - available(Kept::kMean) < kNoiseOfMotion * available(kept))
    kept = Kept::kMean;
  if (!(available(kept) > 0)) return Vec3::Zero();
  const double share = std::sqrt(std::max(0.0, 1 - energy / available(kept)));
  Vec3 momentum = Vec3::Zero();
  for (const PointsInMotion& part : parts) {
    part.slow_down(share, kept, model_.pinned, to.v);
    if (kept == Kept::kNothing) momentum += (1 - share) * part.momentum();
  }
  for (const int body : bodies) {
    const double before = after_[body].kinetic;
    measure_again(body, to);
    taken_[body] += std::max(0.0, before - after_[body].kinetic);
  }
  return momentum;
}

// Those that touched each other together, others alone.
std::vector<EnergyBalance::Bodies> EnergyBalance::groups() const {
  std::map<int, Bodies> groups;
  for (int b = 0; b < model_.body_count(); ++b)
    groups[flows_[b].group < 0 ? b : flows_[b].group].push_back(b);
  std::vector<Bodies> result;
  result.reserve(groups.size());
  for (auto& [number, bodies] : groups) result.push_back(std::move(bodies));
  return result;
}

EnergyBalance::Bodies EnergyBalance::group_of(int body) const {
  Bodies bodies;
  for (int b = 0; b < model_.body_count(); ++b)
    if (b == body || (flows_[b].group >= 0 && flows_[b].group == flows_[body].group))
      bodies.push_back(b);
  return bodies;
}

bool EnergyBalance::are_driven(const Bodies& bodies) const {
  return std::any_of(bodies.begin(), bodies.end(),
                     [&](int b) { return model_.has_moving_pins(b); });
}

// What the body has more than the law allows, J.
double EnergyBalance::surplus(int body) const {
  return total_energy(after_[body]) - total_energy(before_[body]) - flows_[body].work;
}

double EnergyBalance::surplus_with_damping(int body) const {
  return surplus(body) + flows_[body].damped;
}

// What bodies of a group gave each other is known by a quadrature: as much more as the law asks.
void EnergyBalance::share_work(const Bodies& bodies,
                               double (EnergyBalance::*surplus_of)(int) const) {
  double lacking = 0, left = 0;
  for (const int b : bodies) {
    const double own = (this->*surplus_of)(b);
    (own > 0 ? lacking : left) += std::abs(own);
  }
  if (!(lacking > 0) || !(left > 0)) return;
  const double share = std::min(1.0, lacking / left);
  for (const int b : bodies) {
    const double own = (this->*surplus_of)(b);
    flows_[b].work += own > 0 ? own * std::min(1.0, left / lacking) : own * share;
  }
}

Vec3 EnergyBalance::limit_touching(const PointMask& of, State& to) {
  constexpr double kRounding = 1e-12;
  Vec3 momentum = Vec3::Zero();
  for (const Bodies& bodies : groups()) {
    const bool touches = std::any_of(bodies.begin(), bodies.end(),
                                     [&](int b) { return flows_[b].touched || flows_[b].let_go; });
    if (!touches || are_driven(bodies)) continue;
    double more = 0, law = 0, scale = 0;
    for (const int b : bodies) {
      more += surplus_with_damping(b);
      law += surplus(b);
      scale += std::abs(total_energy(before_[b])) + after_[b].kinetic;
    }
    if (more > kRounding * scale) momentum += take(bodies, more, law, of, to);
    share_work(bodies, &EnergyBalance::surplus_with_damping);
  }
  return momentum;
}

void EnergyBalance::limit(int body, State& to) {
  const Bodies bodies = group_of(body);
  const double more = surplus(body);
  if (!are_driven(bodies) && more > 0) take(bodies, more, more, {}, to);
}

void EnergyBalance::settle_work() {
  for (const Bodies& bodies : groups()) {
    const auto driven = std::find_if(bodies.begin(), bodies.end(),
                                     [&](int b) { return model_.has_moving_pins(b); });
    if (driven != bodies.end()) {
      double more = 0;
      for (const int b : bodies) more += surplus(b);
      flows_[*driven].work += std::max(0.0, more);
    }
    share_work(bodies, &EnergyBalance::surplus);
    // What is thrown out of a collider has no more motion than it had, but is where it is.
    for (const int b : bodies)
      if (flows_[b].sunk) flows_[b].work += std::max(0.0, surplus(b));
  }
}

void EnergyBalance::close(int body) {
  BodyFlow& flow = flows_[body];
  const double left =
      std::max(0.0, total_energy(before_[body]) + flow.work - total_energy(after_[body]) +
                        (flow.met || flow.touched ? 0 : kQuadrature * exchanged(body)));
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
