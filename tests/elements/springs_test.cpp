// Springs between points: against the analytic oscillator, and their law against brute force.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solver/base/error.h"
#include "solver/elements/spring_law.h"
#include "solver/simulation/simulation.h"
#include "tests/support/bodies.h"
#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

constexpr double kMass = 2, kStiffness = 300, kLength = 0.5;  // kg, N/m, m

// Points along x, each `length` from the one before, with a spring between neighbours.
Body chain(int points, double mass, double stiffness, double damping, double length = kLength) {
  Body body;
  body.name = "chain";
  body.mesh.rest = Points::Zero(3, points);
  for (int i = 0; i < points; ++i) body.mesh.rest(0, i) = i * length;
  body.position = body.mesh.rest;
  body.velocity = Points::Zero(3, points);
  body.point_mass.assign(static_cast<std::size_t>(points), mass);
  for (int i = 0; i + 1 < points; ++i) {
    body.springs.edges.push_back({i, i + 1});
    body.springs.stiffness.push_back(stiffness);
    body.springs.damping.push_back(damping);
  }
  return body;
}

Scene scene_of(Body body) {
  Scene scene;
  scene.settings.gravity.setZero();
  scene.settings.tolerance = 1e-10;
  scene.settings.iterations = 500;
  scene.bodies.push_back(std::move(body));
  return scene;
}

// A mass on a spring that is fixed at the other end, pulled by 0.1 m and let go.
Scene oscillator(double damping) {
  Body body = chain(2, kMass, kStiffness, damping);
  body.pins.push_back({{0}, nullptr});
  body.position(0, 1) += 0.1;
  return scene_of(std::move(body));
}

double exact_pull(double damping, double time) {
  const double decay = damping / (2 * kMass);
  const double frequency = std::sqrt(kStiffness / kMass - decay * decay);
  return 0.1 * std::exp(-decay * time) *
         (std::cos(frequency * time) + decay / frequency * std::sin(frequency * time));
}

double error_at(double damping, SolverChoice choice, int steps) {
  constexpr double kSeconds = 1.0;
  Scene scene = oscillator(damping);
  scene.settings.stage_solver = choice;
  Simulation simulation(scene);
  double worst = 0;
  for (int s = 1; s <= steps; ++s) {
    simulation.advance(kSeconds / steps);
    const double pull = simulation.state().x(0, 1) - kLength;
    worst = std::max(worst, std::abs(pull - exact_pull(damping, s * kSeconds / steps)));
  }
  return worst;
}

TEST(Springs, SwingLikeTheAnalyticOscillatorToSecondOrder) {
  for (const double damping : {0.0, 5.0, 20.0})
    for (const SolverChoice choice : {SolverChoice::kAutomatic, SolverChoice::kAdmm}) {
      const double coarse = error_at(damping, choice, 100), fine = error_at(damping, choice, 200);
      EXPECT_LT(fine, 2e-4) << damping;
      EXPECT_NEAR(coarse / fine, 4, 0.5) << damping;
    }
}

TEST(Springs, HangWhereTheWeightStretchesThem) {
  Body body = chain(4, kMass, kStiffness, 60);
  body.pins.push_back({{0}, nullptr});
  Scene scene = scene_of(std::move(body));
  scene.settings.gravity = Vec3(9.81, 0, 0);
  scene.settings.integrator = Integrator::kBackwardEuler;
  Simulation simulation(scene);
  for (int f = 0; f < 400; ++f) simulation.advance(1.0 / 24);
  double expected = 0;
  for (int i = 1; i < 4; ++i) {
    expected += kLength + (4 - i) * kMass * 9.81 / kStiffness;
    EXPECT_NEAR(simulation.state().x(0, i), expected, 1e-6) << i;
  }
}

// Two masses that swing along the spring, turn about each other and drift.
TEST(Springs, KeepMomentaAndWhatTheyLoseIsDissipated) {
  Body body = chain(2, kMass, kStiffness, 3);
  body.velocity.col(0) = Vec3(-0.5, -1, 0.2);
  body.velocity.col(1) = Vec3(0.7, 1.5, 0.2);
  Scene scene = scene_of(std::move(body));
  Simulation simulation(scene);
  const Measurement before = simulation.measure().all;
  double last = before.kinetic + before.elastic, dissipated = 0;
  for (int f = 0; f < 200; ++f) {
    const FrameReport report = simulation.advance(0.005);
    EXPECT_LE(report.energy.total - last, 1e-6 * last);
    EXPECT_GE(report.energy.dissipated, dissipated);
    last = report.energy.total;
    dissipated = report.energy.dissipated;
  }
  const FrameReport after = simulation.measure();
  EXPECT_LT((after.all.linear_momentum - before.linear_momentum).norm(), 1e-9);
  EXPECT_LT((after.all.angular_momentum - before.angular_momentum).norm(),
            1e-3 * before.angular_momentum.norm());
  EXPECT_GT(dissipated, 0.05);
  EXPECT_NEAR(dissipated, before.kinetic + before.elastic - after.energy.total, 0.03 * dissipated);
}

// The gradient of what measure() sums, by differences.
TEST(Springs, ForceIsTheGradientOfTheEnergy) {
  Body body = chain(5, kMass, kStiffness, 0);
  RandomNumbers random(3);
  for (int i = 0; i < 5; ++i)
    for (int d = 0; d < 3; ++d) body.position(d, i) += 0.2 * random.next();
  const Scene scene = scene_of(body);
  const Points a = Simulation(scene).state().a;
  const auto energy = [&](int d, int i, double by) {
    Scene moved = scene;
    moved.bodies[0].position(d, i) += by;
    return Simulation(moved).measure().energy.elastic;
  };
  constexpr double kBy = 1e-6;
  for (int i = 0; i < 5; ++i)
    for (int d = 0; d < 3; ++d)
      EXPECT_NEAR(-kMass * a(d, i), (energy(d, i, kBy) - energy(d, i, -kBy)) / (2 * kBy), 1e-5);
}

// No point nearby is better than the prox.
TEST(Springs, ProxIsTheMinimumOfItsObjective) {
  using Law = SpringLaw<true>;
  RandomNumbers random(7);
  for (int trial = 0; trial < 200; ++trial) {
    SpringShape shape{};
    SpringBlock block{};
    shape.stiffness = broadcast<Lane>(1 + random.next() * 0.9);
    shape.damping = broadcast<Lane>(0.5 + 0.5 * random.next());
    block.stiffness = broadcast<Lane>(0.5 + 0.4 * random.next());
    block.past = broadcast<Lane>(1 + random.next());
    block.inverse_h = broadcast<Lane>(3);
    Law::Gradient p;
    for (int r = 0; r < 3; ++r) p.m[r][0] = broadcast<Lane>(2 * random.next());
    const auto objective = [&](const Vec3& f) {
      const double s = f.norm(), k = shape.stiffness[0], w = block.stiffness[0];
      const Vec3 target(p.m[0][0][0], p.m[1][0][0], p.m[2][0][0]);
      return 0.5 * k * (s - 1) * (s - 1) +
             0.5 * shape.damping[0] * 3 * std::pow(s - block.past[0], 2) +
             0.5 * w * (f - target).squaredNorm();
    };
    const Law::Gradient best = Law::prox({shape, block}, p, nullptr);
    const Vec3 f(best.m[0][0][0], best.m[1][0][0], best.m[2][0][0]);
    for (int k = 0; k < 50; ++k) {
      const Vec3 near = f + 0.3 * Vec3(random.next(), random.next(), random.next());
      EXPECT_GE(objective(near), objective(f) - 1e-12);
    }
  }
}

TEST(Springs, CarryABodyOfTets) {
  Body body = make_body(box_mesh({2, 2, 2}, {0.4, 0.4, 0.4}), {Material::kNeoHookean, 1e6, 0.3});
  const int hook = body.mesh.point_count();
  const Vec3 top = body.mesh.rest.col(hook - 1);
  for (Points* points : {&body.mesh.rest, &body.position, &body.velocity})
    points->conservativeResize(3, hook + 1);
  body.mesh.rest.col(hook) = body.position.col(hook) = top + Vec3(0, 0.3, 0);
  body.velocity.col(hook).setZero();
  body.pins.push_back({{hook}, nullptr});
  body.springs = {{{hook, hook - 1}}, {5000}, {300}};
  Scene scene = scene_of(std::move(body));
  scene.settings.gravity = Vec3(0, -9.81, 0);
  scene.settings.integrator = Integrator::kBackwardEuler;
  scene.settings.tolerance = 1e-6;
  Simulation simulation(scene);
  for (int f = 0; f < 300; ++f) simulation.advance(1.0 / 24);
  const double mass = 0.064 * 1000;
  const double length =
      (simulation.state().x.col(hook) - simulation.state().x.col(hook - 1)).norm();
  EXPECT_NEAR(length, 0.3 + mass * 9.81 / 5000, 2e-3);
}

TEST(Springs, WithoutMassOrLengthAreRefusedInASentence) {
  const auto complaint = [](Body body) -> std::string {
    try {
      Simulation simulation(scene_of(std::move(body)));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  Body light = chain(2, kMass, kStiffness, 0);
  light.point_mass[1] = 0;
  EXPECT_EQ(complaint(light),
            "body 'chain', spring 0: point 1 has no mass; give it a point attribute mass above 0, "
            "or pin it.");
  Body folded = chain(2, kMass, kStiffness, 0, 0.0);
  EXPECT_EQ(complaint(folded),
            "body 'chain', spring 0: its ends are in one place at rest; move one of them.");
  Body slack = chain(2, kMass, std::numeric_limits<double>::quiet_NaN(), 0);
  EXPECT_EQ(complaint(slack),
            "body 'chain', spring 0: stiffness must be above 0 and damping not below, both "
            "finite.");
  Body stray = chain(2, kMass, kStiffness, 0);
  stray.springs.edges[0][1] = 2;
  EXPECT_EQ(complaint(stray), "body 'chain', spring 0: point 2 does not exist.");
}

}  // namespace
}  // namespace dashpot
