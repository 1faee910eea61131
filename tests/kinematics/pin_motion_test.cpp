#include "solver/kinematics/pin_motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

struct Target {
  Points x, v;
};

Target at(const PinMotion& motion, double time, const Points& initial) {
  Target target;
  motion.targets(time, initial, target.x, target.v);
  return target;
}

RigidMotion everything() {
  RigidMotion motion;
  motion.velocity = {1, 2, 3};
  motion.angular_velocity = {0.5, -2, 1};
  motion.pivot = {0.3, 0.2, 0.1};
  motion.amplitude = {0, 0.4, -0.2};
  motion.frequency = 1.7;
  motion.start = 0.25;
  motion.end = 1.5;
  return motion;
}

SampledMotion samples() {
  RandomNumbers random(1);
  SampledMotion motion;
  motion.times = {0, 0.5, 0.75, 2};
  for (int k = 0; k < 4; ++k) motion.positions.push_back(random.points(5));
  return motion;
}

void expect_velocity_is_the_slope(const PinMotion& motion, const Points& initial, double time) {
  constexpr double kStep = 1e-5;
  const Points slope =
      (at(motion, time + kStep, initial).x - at(motion, time - kStep, initial).x) / (2 * kStep);
  EXPECT_LT((at(motion, time, initial).v - slope).norm(), 1e-6) << "at " << time << " s";
}

TEST(RigidMotion, VelocityIsTheSlopeOfThePosition) {
  RandomNumbers random(2);
  const Points initial = random.points(5);
  for (const double time : {-1.0, 0.1, 0.3, 0.9, 1.4, 1.6, 9.0})
    expect_velocity_is_the_slope(everything(), initial, time);
}

TEST(RigidMotion, HoldsStillBeforeItsStartAndAfterItsEnd) {
  RandomNumbers random(3);
  const Points initial = random.points(5);
  const RigidMotion motion = everything();
  EXPECT_LT((at(motion, 0.2, initial).x - initial).norm(), 1e-15);
  EXPECT_EQ(at(motion, 0.2, initial).v.norm(), 0);
  EXPECT_EQ(at(motion, 7, initial).x, at(motion, 1.5, initial).x);
  EXPECT_EQ(at(motion, 7, initial).v.norm(), 0);
}

TEST(RigidMotion, TurnsAboutThePivotAndKeepsDistances) {
  RandomNumbers random(4);
  const Points initial = random.points(5);
  RigidMotion motion;
  motion.pivot = {1, 2, 3};
  motion.angular_velocity = {0, 0, 3.141592653589793};
  const Points half_turn = at(motion, 1, initial).x;
  for (int i = 0; i < 5; ++i) {
    const Vec3 p = initial.col(i);
    EXPECT_LT((half_turn.col(i) - Vec3(2 - p.x(), 4 - p.y(), p.z())).norm(), 1e-14);
  }
}

TEST(SampledMotion, PassesThroughItsSamplesAndIsLinearBetween) {
  const SampledMotion motion = samples();
  const Points none(3, 5);
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_LT((at(motion, motion.times[k], none).x - motion.positions[k]).norm(), 1e-15);
  const Points middle = 0.5 * (motion.positions[1] + motion.positions[2]);
  EXPECT_LT((at(motion, 0.625, none).x - middle).norm(), 1e-15);
}

TEST(SampledMotion, VelocityIsTheSlopeOfThePosition) {
  const SampledMotion motion = samples();
  for (const double time : {-0.5, 0.25, 0.6, 1.0, 2.5})
    expect_velocity_is_the_slope(motion, Points(3, 5), time);
}

TEST(SampledMotion, ArrivesAtTheLastSampleMoving) {
  const SampledMotion motion = samples();
  const Points slope = (motion.positions[3] - motion.positions[2]) / 1.25;
  EXPECT_LT((at(motion, 2, Points(3, 5)).v - slope).norm(), 1e-14);
}

TEST(SampledMotion, SamplesAddedLaterChangeNothingBeforeThem) {
  const SampledMotion all = samples();
  SampledMotion growing = all;
  growing.times.resize(3);
  growing.positions.resize(3);
  for (const double time : {0.0, 0.3, 0.5, 0.75, 0.75 - 1e-14, 0.75 + 1e-14}) {
    EXPECT_EQ(at(growing, time, Points(3, 5)).x, at(all, time, Points(3, 5)).x) << time;
    EXPECT_EQ(at(growing, time, Points(3, 5)).v, at(all, time, Points(3, 5)).v) << time;
  }
}

std::uint64_t fingerprint(const PinMotion& motion) {
  Hash hash;
  motion.fingerprint(hash);
  return hash.value();
}

TEST(RigidMotion, FingerprintChangesWithEveryMember) {
  const std::uint64_t original = fingerprint(everything());
  EXPECT_EQ(fingerprint(everything()), original);
  const std::function<void(RigidMotion&)> edits[] = {
      [](RigidMotion& m) { m.velocity.x() += 1e-9; },
      [](RigidMotion& m) { m.angular_velocity.y() += 1e-9; },
      [](RigidMotion& m) { m.pivot.z() += 1e-9; },
      [](RigidMotion& m) { m.amplitude.x() += 1e-9; },
      [](RigidMotion& m) { m.frequency += 1e-9; },
      [](RigidMotion& m) { m.start += 1e-9; },
      [](RigidMotion& m) { m.end += 1e-9; }};
  for (const auto& edit : edits) {
    RigidMotion motion = everything();
    edit(motion);
    EXPECT_NE(fingerprint(motion), original);
  }
}

TEST(SampledMotion, FingerprintChangesWithTimesAndPositions) {
  const std::uint64_t original = fingerprint(samples());
  SampledMotion later = samples(), elsewhere = samples();
  later.times[3] += 1e-9;
  elsewhere.positions[2](1, 4) += 1e-9;
  EXPECT_NE(fingerprint(later), original);
  EXPECT_NE(fingerprint(elsewhere), original);
}

}  // namespace
}  // namespace dashpot
