#include "solver/simulation/energy_repair.h"

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "solver/contact/contact_time_stepper.h"

namespace dashpot {
namespace {

constexpr int kMostHalvings = 12;

struct PointsOfBody {
  int first, count;
};

PointsOfBody points_of(const SimulationModel& model, int body) {
  return {model.point_offset[body], model.point_offset[body + 1] - model.point_offset[body]};
}

bool is_pinned(const SimulationModel& model, int body) {
  return std::any_of(model.pins.begin(), model.pins.end(),
                     [&](const auto& set) { return set.body == body && !set.points.empty(); });
}

// The free flight of the rigid body that has the mass and the momenta of this one.
void fly_rigidly(const StepStart& start, int body, Motion& motion) {
  const auto [first, count] = points_of(start.model, body);
  const Measurement& m = start.measured[body];
  const Vec3& gravity = start.settings.gravity;
  double mass = 0;
  Mat3 inertia = Mat3::Zero();
  for (int i = first; i < first + count; ++i) {
    const Vec3 arm = start.from.x.col(i) - m.center_of_mass;
    mass += start.model.mass[i];
    inertia += start.model.mass[i] * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
  }
  const Vec3 velocity = m.linear_momentum / mass;
  const Vec3 spin = inertia.ldlt().solve(m.angular_momentum);
  const double angle = spin.norm() * start.dt;
  const Mat3 turn = angle > 0 ? Eigen::AngleAxisd(angle, spin.normalized()).toRotationMatrix()
                              : Mat3(Mat3::Identity());
  const Vec3 way = start.dt * velocity + 0.5 * start.dt * start.dt * gravity;
  for (int i = first; i < first + count; ++i) {
    const Vec3 arm = turn * (start.from.x.col(i) - m.center_of_mass);
    motion.x.col(i) = m.center_of_mass + way + arm;
    motion.v.col(i) = velocity + start.dt * gravity + spin.cross(arm);
  }
}

// Whether the body may be put back to where it was: not if it is on its way out of a collider,
// unless that has torn it. A collider that has moved into that place meanwhile pushes it out in the
// next step.
bool may_go_back(const StepStart& start, const EnergyBalance& balance, int body) {
  constexpr double kDeep = 1e-3;  // in parts of the size of a tet
  constexpr double kTorn = 2;     // times as far stretched as before
  const double size = start.model.elements.size();
  return !balance.flows()[body].touched ||
         balance.after()[body].max_stretch > kTorn * start.measured[body].max_stretch ||
         deepest_penetration(start.model.contact, start.from.time, start.from.x) < kDeep * size;
}

// Bodies between which nothing passes stay so where they were, all of them.
void go_back_together(const StepStart& start, int body, EnergyBalance& balance, State& to) {
  const std::vector<int> bodies = balance.group_of(body);
  if (std::any_of(bodies.begin(), bodies.end(), [&](int b) {
        return start.model.has_moving_pins(b) || !may_go_back(start, balance, b);
      }))
    return;
  for (const int b : bodies) {
    const auto [first, count] = points_of(start.model, b);
    to.x.middleCols(first, count) = start.from.x.middleCols(first, count);
    to.v.middleCols(first, count).setZero();
    balance.measure_again(b, to);
  }
}

}  // namespace

void repair_energy(const StepStart& start, int body, EnergyBalance& balance, State& to) {
  const auto [first, count] = points_of(start.model, body);
  const bool touched = balance.flows()[body].touched;
  const auto potential = [&] {
    return balance.after()[body].elastic + balance.after()[body].gravitational;
  };
  if (potential() > balance.bound(body) && balance.flows()[body].paired) {
    go_back_together(start, body, balance, to);
  } else if (potential() > balance.bound(body) && may_go_back(start, balance, body)) {
    Motion safe{start.from.x, Points::Zero(3, start.from.x.cols()), {}};
    if (!touched && !is_pinned(start.model, body)) fly_rigidly(start, body, safe);
    const Points x = to.x.middleCols(first, count), v = to.v.middleCols(first, count);
    double share = 1;
    for (int k = 1; potential() > balance.bound(body) && k <= kMostHalvings; ++k) {
      share = k == kMostHalvings ? 0 : 0.5 * share;
      to.x.middleCols(first, count) = (1 - share) * safe.x.middleCols(first, count) + share * x;
      to.v.middleCols(first, count) = (1 - share) * safe.v.middleCols(first, count) + share * v;
      balance.measure_again(body, to);
    }
  }
  balance.limit(body, to);
  to.a.middleCols(first, count).setZero();
  to.previous_dt = 0;
}

}  // namespace dashpot
