#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "solver/simulation/simulation.h"
#include "tests/validation/damped_bodies.h"

namespace dashpot {
namespace {

class EveryDamping : public testing::TestWithParam<DampingModel> {};
INSTANTIATE_TEST_SUITE_P(Models, EveryDamping, testing::ValuesIn(kAllDampingModels),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST_P(EveryDamping, LeavesFreeFallExact) {
  for (double seconds : {1e-3, 0.1, 10.0})
    for (double exponent : {0.0, 1.0, 2.0}) {
      Body body = make_body(box_mesh({2, 2, 2}, {0.5, 0.4, 0.3}), {});
      set_damping(body, GetParam(), seconds, exponent);
      const Vec3 speed(1, 4, -2);
      body.velocity.colwise() = speed;
      const Points start = body.position;
      Simulation simulation(make_scene(body, {}));
      for (int f = 0; f < 12; ++f) simulation.advance(1.0 / 24);
      const Vec3 moved = 0.5 * speed + 0.125 * Vec3(0, -9.81, 0);
      EXPECT_LT(((simulation.state().x - start).colwise() - moved).cwiseAbs().maxCoeff(), 1e-12)
          << seconds << " s, exponent " << exponent;
      EXPECT_LT(simulation.measure().energy.dissipated, 1e-9);
    }
}

// A free beam, stretched and bent at the start, that spins for 5 s.
struct Spun {
  double angular_momentum, energy, dissipated, lost;  // fractions of those at the start
};

Spun spin(DampingModel model, double seconds, bool conserve) {
  Body body = make_body(box_mesh({8, 2, 2}, {1, 0.25, 0.25}), {Material::kNeoHookean, 1e5, 0.4});
  if (model != DampingModel::kNone) set_damping(body, model, seconds);
  const Vec3 center(0.5, 0.125, 0.125);
  body.position = Vec3(1.05, 0.985, 0.985).asDiagonal() * (body.position.colwise() - center);
  body.velocity = affine_velocity(body.position, Vec3::Zero(), {0, 0, 6}, Mat3::Zero());
  SolverSettings settings;
  settings.gravity.setZero();
  settings.conserve_angular = conserve;
  settings.iterations = 1000;
  settings.tolerance = 1e-6;
  Simulation simulation(make_scene(body, settings));
  const FrameReport start = simulation.measure();
  FrameReport end;
  for (int f = 0; f < 240; ++f) {
    end = simulation.advance(1.0 / 48);
    EXPECT_FALSE(end.has(Status::kBudgetExhausted)) << name(model);
    for (double energy : simulation.dissipation()) EXPECT_GE(energy, 0);
  }
  const Spun spun{end.all.angular_momentum.norm() / start.all.angular_momentum.norm(),
                  end.energy.total / start.energy.total, end.energy.dissipated / start.energy.total,
                  end.energy.lost / start.energy.total};
  std::cout << "  " << name(model) << (conserve ? "" : ", not conserving")
            << ": L/L0 = " << spun.angular_momentum << ", E/E0 = " << spun.energy << ", dissipated "
            << spun.dissipated << ", lost " << spun.lost << "\n";
  return spun;
}

// Brown et al. 2018 Fig. 7, over 5 s.
TEST(SpinningBeamDamped, KeepsItsAngularMomentumUnlessRayleighIsNotCorrected) {
  const Spun undamped = spin(DampingModel::kNone, 0, true);
  const double drift = std::abs(undamped.angular_momentum - 1);
  for (DampingModel model : kAllDampingModels) {
    const Spun damped = spin(model, 0.01, true);
    EXPECT_LT(std::abs(damped.angular_momentum - 1), drift + 0.01) << name(model);
    EXPECT_GT(damped.dissipated, 0.01) << name(model);
  }
  for (DampingModel model : {DampingModel::kRayleigh, DampingModel::kRayleighLagged})
    EXPECT_LT(spin(model, 0.01, false).angular_momentum, 0.8) << name(model);
}

// A column that vibrates along itself: one mode of frequency w, whose strain is uniaxial.
class Column {
 public:
  Column(DampingModel model, double seconds, int cells, double exponent = 1, double reference = 1) {
    Body body = make_body(box_mesh({cells, 1, 1}, {1, 0.1, 0.1}), {Material::kCorotated, 1e5, 0});
    set_damping(body, model, seconds, exponent, reference);
    body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9));
    for (int i = 0; i < body.mesh.point_count(); ++i)
      body.position(0, i) += kAmplitude * std::sin(M_PI / 2 * body.mesh.rest(0, i));
    scene_ = make_scene(body, exact_settings(Integrator::kTrBdf2));
    scene_.settings.gravity.setZero();
    scene_.settings.tolerance = 1e-7;
    // Of the lumped chain: the mass has half a cell more than the ends of a continuous one.
    omega_ = 2 * cells * std::sqrt(1e5 / 1000) * std::sin(M_PI / (4 * cells));
  }

  double omega() const { return omega_; }

  // Decay rate of the amplitude, from the displacement of the free end at its extremes.
  double decay(double dt) const {
    Simulation simulation(scene_);
    const Points rest = scene_.bodies[0].mesh.rest;
    Eigen::Index tip = 0;
    rest.row(0).maxCoeff(&tip);
    const auto amplitude = [&] {
      const double u = simulation.state().x(0, tip) - rest(0, tip);
      const double v = simulation.state().v(0, tip) / omega_;
      return std::hypot(u, v);
    };
    const int steps = static_cast<int>(std::lround(2 * M_PI / (omega_ * dt)));
    // The first period is left to whatever is not the mode.
    for (int k = 0; k < steps; ++k) simulation.advance(dt);
    const double first = amplitude(), begin = simulation.state().time;
    for (int k = 0; k < 2 * steps; ++k) simulation.advance(dt);
    return std::log(first / amplitude()) / (simulation.state().time - begin);
  }

 private:
  static constexpr double kAmplitude = 1e-4;
  Scene scene_;
  double omega_ = 0;
};

// At Poisson's ratio 0 the stiffness of a uniaxial stretch is E, and rayleigh and principalstrain
// damp the mode by beta w^2 / 2: the logarithmic decrement of beta w / 2 per radian.
TEST(LogarithmicDecrement, IsHalfBetaOmega) {
  for (DampingModel model : {DampingModel::kRayleigh, DampingModel::kPrincipalStrain})
    for (int cells : {6, 8, 12}) {
      const Column column(model, 4e-3, cells), undamped(DampingModel::kNone, 0, cells);
      const double w = column.omega();
      for (double angle : {0.05, 0.1, 0.2}) {
        if (cells != 8 && angle != 0.1) continue;
        const double dt = angle / w;
        const double decay = column.decay(dt), numerical = undamped.decay(dt);
        const double expected = 0.5 * 4e-3 * w * w;
        std::cout << "  " << name(model) << ", " << cells << " cells, w dt = " << angle
                  << ": decay " << decay << " 1/s, beta w^2 / 2 = " << expected
                  << ", of the integrator alone " << numerical << "\n";
        EXPECT_NEAR(decay, expected, 0.02 * expected);
      }
    }
}

}  // namespace
}  // namespace dashpot
