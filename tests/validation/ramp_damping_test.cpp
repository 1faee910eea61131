#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "solver/simulation/simulation.h"
#include "tests/support/runge_kutta.h"
#include "tests/validation/damped_bodies.h"

namespace dashpot {
namespace {

constexpr double kColumnModulus = 1e5, kColumnDensity = 1000, kDampingSeconds = 0.02;
constexpr int kColumnCells = 8;
constexpr double kTwoPeriods = 0.8;  // s, nearly

// Displacement whose strain is `amplitude` at the fixed end.
double first_column_mode(double amplitude, double x) {
  return amplitude * 2 / M_PI * std::sin(M_PI / 2 * x);
}

// A column of length 1 m, fixed at x = 0, that vibrates along itself: at Poisson's ratio 0 every
// cell is stretched along x only.
class RampedColumn {
 public:
  RampedColumn(RampMode mode, std::vector<RampKey> keys, double amplitude, double reference = 1) {
    Body body = make_body(box_mesh({kColumnCells, 1, 1}, {1, 0.1, 0.1}),
                          {Material::kCorotated, kColumnModulus, 0});
    set_damping(body, DampingModel::kStretchRate, kDampingSeconds, 1, reference);
    body.fields.set("dampingrampmode", static_cast<int>(mode), "body");
    body.damping_ramp = std::make_shared<const Ramp>(std::move(keys), "body");
    body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9));
    for (int i = 0; i < body.mesh.point_count(); ++i)
      body.position(0, i) += first_column_mode(amplitude, body.mesh.rest(0, i));
    SolverSettings settings = exact_settings(Integrator::kTrBdf2);
    settings.gravity.setZero();
    settings.tolerance = 1e-7;
    scene_ = make_scene(body, settings);
  }

  // Mean elongation of the free end after two periods.
  double end() const {
    constexpr int kSteps = 200;
    Simulation simulation(scene_);
    for (int k = 0; k < kSteps; ++k) simulation.advance(kTwoPeriods / kSteps);
    const Points& rest = scene_.bodies[0].mesh.rest;
    double sum = 0;
    for (Eigen::Index i = 0; i < rest.cols(); ++i)
      if (rest(0, i) > 1 - 1e-9) sum += simulation.state().x(0, i) - 1;
    return sum / 4;
  }

 private:
  Scene scene_;
};

// The same column as a chain of masses and springs with dashpots, by the classical Runge-Kutta
// rule. multiplier(stretch, rate) is that of one cell.
template <class Multiplier>
double chain_end(double amplitude, const Multiplier& multiplier) {
  using Vector = Eigen::Array<double, kColumnCells + 1, 1>;
  const double mass = kColumnDensity / kColumnCells;  // per area; half of it at the end
  const auto acceleration = [&](const Vector& u, const Vector& v) {
    Vector force = Vector::Zero();
    for (int c = 0; c < kColumnCells; ++c) {
      const double strain = (u[c + 1] - u[c]) * kColumnCells,
                   rate = (v[c + 1] - v[c]) * kColumnCells;
      const double stress =
          kColumnModulus * (strain + multiplier(1 + strain, rate) * kDampingSeconds * rate);
      force[c] += stress;
      force[c + 1] -= stress;
    }
    Vector a = force / mass;
    a[0] = 0;
    a[kColumnCells] *= 2;
    return a;
  };
  constexpr int kFine = 8000;
  const double dt = kTwoPeriods / kFine;
  Vector u, v = Vector::Zero();
  for (int c = 0; c <= kColumnCells; ++c)
    u[c] = first_column_mode(amplitude, static_cast<double>(c) / kColumnCells);
  for (int k = 0; k < kFine; ++k) runge_kutta_step(dt, acceleration, u, v);
  return u[kColumnCells];
}

const std::vector<RampKey> kDampsTheDeformed = {{0.7, 1.0}, {1.0, 0.05}, {1.3, 1.0}};
const std::vector<RampKey> kDampsNearRest = {{0.7, 0.05}, {1.0, 1.0}, {1.3, 0.05}};

// Brown et al. 2018 Fig. 12, as an equation. Two of the three stretches are 1: max sees the value
// at rest too.
TEST(RampDamping, FollowsTheEquationOfItsMultiplier) {
  for (const auto& keys : {kDampsTheDeformed, kDampsNearRest})
    for (double amplitude : {0.3, 0.02}) {
      const Ramp ramp(keys, "test");
      const auto own = [&](double s, double /*rate*/) { return ramp.value(s); };
      const auto largest = [&](double s, double /*rate*/) {
        return std::max(ramp.value(s), ramp.value(1));
      };
      const double u = RampedColumn(RampMode::kPerStrain, keys, amplitude).end();
      const double u_max = RampedColumn(RampMode::kMax, keys, amplitude).end();
      std::cout << "  from " << amplitude << " m to " << u << " m, expected "
                << chain_end(amplitude, own) << " m; max " << u_max << " m, expected "
                << chain_end(amplitude, largest) << " m\n";
      EXPECT_NEAR(u, chain_end(amplitude, own), 0.005 * amplitude);
      EXPECT_NEAR(u_max, chain_end(amplitude, largest), 0.005 * amplitude);
    }
}

TEST(RampDamping, FollowsTheEquationOfItsRate) {
  const std::vector<RampKey> keys = {{0, 0.1}, {1, 2.0}};
  const Ramp ramp(keys, "test");
  for (double reference : {2.0, 0.5}) {
    const double expected = chain_end(
        0.2, [&](double /*s*/, double rate) { return ramp.value(std::abs(rate) / reference); });
    const double u = RampedColumn(RampMode::kPerRate, keys, 0.2, reference).end();
    std::cout << "  reference " << reference << "/s: " << u << " m, expected " << expected
              << " m\n";
    EXPECT_NEAR(u, expected, 0.005 * 0.2);
  }
}

class RampedModels : public testing::TestWithParam<DampingModel> {};
INSTANTIATE_TEST_SUITE_P(Models, RampedModels, testing::ValuesIn(kAllDampingModels),
                         [](const auto& info) { return std::string(name(info.param)); });

// Every mode, with every model: converges at default settings, takes energy in every frame, keeps
// the books and leaves spin alone.
TEST_P(RampedModels, TakeEnergyAndNothingElse) {
  for (RampMode mode : {RampMode::kMax, RampMode::kPerStrain, RampMode::kPerRate}) {
    Body body = make_body(box_mesh({4, 2, 2}, {1, 0.5, 0.5}), {Material::kNeoHookean, 2e4, 0.4});
    set_damping(body, GetParam(), 0.05, 1, 5);
    body.fields.set("dampingrampmode", static_cast<int>(mode), "body");
    const Vec3 center(0.5, 0.25, 0.25);
    body.position = Vec3(1.3, 0.9, 0.9).asDiagonal() * (body.position.colwise() - center);
    body.velocity = affine_velocity(body.position, Vec3::Zero(), {0, 1, 6}, Mat3::Zero());
    SolverSettings settings;
    settings.gravity.setZero();
    settings.substeps = 4;
    Simulation simulation(make_scene(body, settings));
    const FrameReport start = simulation.measure();
    FrameReport end;
    double dissipated = 0;
    for (int f = 0; f < 24; ++f) {
      end = simulation.advance(1.0 / 24);
      EXPECT_FALSE(end.has(Status::kBudgetExhausted)) << "frame " << f;
      EXPECT_GE(end.energy.dissipated, dissipated);
      dissipated = end.energy.dissipated;
    }
    EXPECT_GT(dissipated, 0.02 * start.energy.total);
    EXPECT_LT(std::abs(end.energy.lost), 0.02 * start.energy.total);
    EXPECT_NEAR(end.all.angular_momentum.norm(), start.all.angular_momentum.norm(),
                0.01 * start.all.angular_momentum.norm());
  }
}

}  // namespace
}  // namespace dashpot
