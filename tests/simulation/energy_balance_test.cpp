#include "solver/simulation/energy_balance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/simulation/energies.h"
#include "solver/simulation/energy_repair.h"
#include "tests/support/bodies.h"
#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

// Two bars, of which the first may be pinned, that move at random.
class Balance : public testing::Test {
 protected:
  explicit Balance(bool pinned = false) {
    scene_.settings.gravity = {0, -9.81, 0};
    for (const char* name : {"one", "two"}) {
      Body body = make_body(box_mesh({3, 1, 1}, {0.6, 0.2, 0.2}), {}, name);
      body.velocity = random_.points(body.mesh.point_count());
      if (pinned) body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9));
      scene_.bodies.push_back(body);
    }
    system_ = std::make_unique<SimulationModel>(scene_);
    from_.x = system_->initial_x;
    from_.v = system_->initial_v;
    from_.a = Points::Zero(3, from_.x.cols());
    to_ = from_;
    flows_.resize(2);
  }

  std::vector<Measurement> measured(const State& state) const {
    return measure_bodies(*system_, state.x, state.v, scene_.settings.gravity);
  }
  EnergyBalance balance() const {
    return {*system_, scene_.settings.gravity, measured(from_), flows_, to_};
  }
  StepStart start() const { return {*system_, scene_.settings, 1.0 / 24, from_, measured(from_)}; }
  double energy(int body) const { return total_energy(measured(to_)[body]); }

  RandomNumbers random_{3};
  Scene scene_;
  std::unique_ptr<SimulationModel> system_;
  State from_, to_;
  std::vector<BodyFlow> flows_;
};

class PinnedBalance : public Balance {
 protected:
  PinnedBalance() : Balance(true) {}
};

TEST_F(Balance, ExcessIsOfOneBodyAgainstWhatItHad) {
  to_.v.leftCols(system_->point_offset[1]) *= std::sqrt(1.1);
  const double kinetic = measured(from_)[0].kinetic;
  EXPECT_NEAR(balance().excess(0), 0.1, 1e-4);
  EXPECT_LE(balance().excess(1), 0);
  flows_[0].work = 0.1 * kinetic;
  EXPECT_NEAR(balance().excess(0), 0, 1e-6);
}

// What rises has not been given the energy that it needs for that.
TEST_F(Balance, ARiseIsNoEnergyThatThereWas) {
  to_.x.row(1).array() += 1e3;
  EXPECT_GT(balance().excess(0), 100);
}

TEST_F(Balance, BodiesInContactKeepTheLawWithTheirDampingAndTheirMeanMotion) {
  to_.v *= std::sqrt(1.05);
  flows_[0] = {0, 0.02, 0, true, false};
  EnergyBalance limited = balance();
  const Vec3 momentum = measured(to_)[0].linear_momentum;
  EXPECT_EQ(limited.limit_touching({}, to_), Vec3::Zero());
  EXPECT_NEAR(energy(0) + 0.02, total_energy(measured(from_)[0]), 1e-9);
  EXPECT_LT((measured(to_)[0].linear_momentum - momentum).norm(), 1e-9);
  EXPECT_GT(limited.taken(0), 0.04);
  EXPECT_EQ(limited.taken(1), 0);  // does not touch
}

// Two bodies that flew apart: more than their vibration is too much.
TEST_F(Balance, WhatNothingHoldsLosesItsSpinBeforeItsMomentum) {
  to_.v.colwise() += Vec3(3, 0, 0);
  from_.v = to_.v;
  to_.v = 1.2 * (from_.v.colwise() - Vec3(3, 0, 0)).eval();
  to_.v.colwise() += Vec3(3, 0, 0);
  for (BodyFlow& flow : flows_) flow = {0, 0, 0, true, false, 0, false, true};
  const Vec3 momentum = measured(to_)[0].linear_momentum + measured(to_)[1].linear_momentum;
  EnergyBalance limited = balance();
  limited.limit_touching({}, to_);
  const std::vector<Measurement> after = measured(to_), before = measured(from_);
  EXPECT_LE(total_energy(after[0]) + total_energy(after[1]),
            total_energy(before[0]) + total_energy(before[1]) + 1e-9);
  EXPECT_LT((after[0].linear_momentum + after[1].linear_momentum - momentum).norm(),
            1e-12 * momentum.norm());
}

// What one of two has more than contact is known to have given it, the other gave.
TEST_F(Balance, WorkBetweenBodiesIsSettledAsTheLawAsks) {
  const int first = system_->point_offset[1];
  to_.v.leftCols(first) *= std::sqrt(1.1);
  to_.v.rightCols(to_.v.cols() - first) *= std::sqrt(0.5);
  for (BodyFlow& flow : flows_) flow = {0, 0, 0, true, false, 0, false, true};
  EnergyBalance settled = balance();
  settled.settle_work();
  const double given = 0.1 * measured(from_)[0].kinetic;
  EXPECT_NEAR(settled.flows()[0].work, given, 1e-9);
  EXPECT_NEAR(settled.flows()[1].work, -given, 1e-9);
}

TEST_F(Balance, DampingAndFrictionTakeNoMoreThanLeft) {
  to_.v.leftCols(system_->point_offset[1]) *= std::sqrt(0.9);
  const double left = 0.1 * measured(from_)[0].kinetic;
  flows_[0] = {0, 0.4 * left, 5 * left, true, false};
  EnergyBalance closed = balance();
  closed.close(0);
  EXPECT_DOUBLE_EQ(closed.flows()[0].damped, 0.4 * left);
  EXPECT_NEAR(closed.flows()[0].rubbed, 0.6 * left, 1e-9);

  flows_[0] = {0, 5 * left, 0, true, false};
  EnergyBalance damped = balance();
  damped.close(0);
  EXPECT_NEAR(damped.flows()[0].damped, left, 1e-9);
}

TEST_F(Balance, AHitTakesWhatIsMissing) {
  to_.v.leftCols(system_->point_offset[1]) *= std::sqrt(0.9);
  const double left = 0.1 * measured(from_)[0].kinetic;
  flows_[0] = {0, 0.3 * left, 0.2 * left, true, true};
  EnergyBalance closed = balance();
  closed.close(0);
  EXPECT_NEAR(closed.flows()[0].rubbed, 0.7 * left, 1e-9);
}

// Where only velocities are too large, shapes stay.
TEST_F(Balance, RepairScalesVelocitiesFirst) {
  to_.v *= 3;
  EnergyBalance repaired = balance();
  repair_energy(start(), 0, repaired, to_);
  EXPECT_EQ(to_.x, from_.x);
  EXPECT_LE(energy(0), total_energy(measured(from_)[0]) * (1 + 1e-12));
  EXPECT_EQ(to_.previous_dt, 0);
  EXPECT_EQ(to_.v.rightCols(1), 3 * from_.v.rightCols(1));  // the other body's
}

// A free body whose shape holds too much ends on the way of the rigid body: with its momenta.
TEST_F(Balance, RepairOfAShapeLeadsToTheRigidMotion) {
  const int first = system_->point_offset[1];
  to_.x.leftCols(first) += 0.3 * random_.points(first);
  EnergyBalance repaired = balance();
  ASSERT_GT(repaired.excess(0), 1);
  repair_energy(start(), 0, repaired, to_);
  const Measurement before = measured(from_)[0], after = measured(to_)[0];
  EXPECT_LE(total_energy(after), total_energy(before) + 1e-9);
  EXPECT_GT(after.kinetic, 0);
  double mass = 0;
  for (int i = 0; i < first; ++i) mass += system_->mass[i];
  const Vec3 fallen = before.linear_momentum / mass / 24 + scene_.settings.gravity / (2 * 24 * 24);
  EXPECT_LT((after.center_of_mass - before.center_of_mass - fallen).norm(), 0.02);
}

TEST_F(PinnedBalance, RepairOfAShapeLeadsBackToRest) {
  const int first = system_->point_offset[1];
  for (int i = 0; i < first; ++i)
    if (!system_->pinned[i]) to_.x.col(i) += 0.5 * random_.vector();
  from_.v.setZero();
  to_.v.setZero();
  EnergyBalance repaired = balance();
  repair_energy(start(), 0, repaired, to_);
  EXPECT_LE(energy(0), total_energy(measured(from_)[0]) + 1e-9);
  for (const auto& set : system_->pins)
    for (const int i : set.points) EXPECT_EQ(to_.x.col(i), from_.x.col(i));
}

}  // namespace
}  // namespace dashpot
