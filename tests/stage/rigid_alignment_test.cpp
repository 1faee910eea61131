#include "solver/stage/rigid_alignment.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "tests/stage/elastic_samples.h"

namespace dashpot {
namespace {

const Vec3 kBoxSize(1, 0.5, 0.4);

// A box, far from the origin, that inertia wants elsewhere, turned by some 60 degrees and deformed.
class RigidAlignmentTest : public testing::Test {
 protected:
  // Pins the points at these corners of the box (fractions of its size).
  void set_up(const std::vector<Vec3>& pins) {
    Body body = make_body(box_mesh({3, 2, 2}, kBoxSize), {});
    Pin pin;
    for (int i = 0; i < body.mesh.point_count(); ++i)
      for (const Vec3& corner : pins)
        if ((Vec3(body.mesh.rest.col(i)) - corner.cwiseProduct(kBoxSize)).norm() < 1e-9)
          pin.points.push_back(i);
    ASSERT_EQ(pin.points.size(), pins.size());
    if (!pins.empty()) body.pins.push_back(pin);
    const Points rest = body.mesh.rest;
    system_ = std::make_unique<SimulationModel>(make_scene(std::move(body), {}));
    order_.position.resize(system_->mass.size());
    for (const bool pinned : {false, true})
      for (std::size_t i = 0; i < system_->mass.size(); ++i)
        if ((system_->pinned[i] != 0) == pinned) {
          order_.position[i] = order_.count();
          order_.point.push_back(static_cast<int>(i));
          order_.free_count += pinned ? 0 : 1;
        }
    const Mat3 turn = Eigen::AngleAxisd(1.0, Vec3(1, 2, -1).normalized()).toRotationMatrix();
    RandomNumbers random(5);
    const Points noise = random.points(static_cast<int>(rest.cols()));
    for (const int point : order_.point) {
      const Vec3 p = rest.col(point);
      add(before_, p + Vec3(100, 0, 0));
      add(target_, turn * p + Vec3(100.2, 0.3, 0) + 0.1 * noise.col(point));
    }
    for (int k = 0; k < order_.free_count; ++k)
      weight_.push_back(1e3 * system_->mass[order_.point[k]]);
    x_ = before_;
    RigidAlignment(connected_pieces(system_->elements.connectivity(), order_))
        .align(target_, weight_, x_);
  }

  static void add(std::vector<double>& values, const Vec3& p) {
    values.insert(values.end(), {p.x(), p.y(), p.z(), 0.0});
  }
  static Vec3 at(const std::vector<double>& values, int k) { return Vec3::Map(&values[4 * k]); }

  // What the pull of inertia still does about a point.
  Vec3 torque(const Vec3& pivot) const {
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < order_.free_count; ++k)
      sum += weight_[k] * (at(x_, k) - pivot).cross(at(target_, k) - at(x_, k));
    return sum;
  }

  void expect_same_shape() const {
    for (int a = 0; a < order_.count(); ++a)
      for (int b = 0; b < a; ++b)
        EXPECT_NEAR((at(x_, a) - at(x_, b)).norm(), (at(before_, a) - at(before_, b)).norm(),
                    1e-13);
  }

  std::unique_ptr<SimulationModel> system_;
  VertexOrder order_;
  std::vector<double> before_, x_, target_, weight_;
};

constexpr double kTorqueRounding = 1e-11;  // N m, of some 100

TEST_F(RigidAlignmentTest, AFreePieceIsInBalanceAfterwardsAndKeepsItsShape) {
  set_up({});
  expect_same_shape();
  Vec3 force = Vec3::Zero();
  for (int k = 0; k < order_.free_count; ++k) force += weight_[k] * (at(target_, k) - at(x_, k));
  EXPECT_LT(force.norm(), 1e-9);
  EXPECT_LT(torque(at(x_, 0)).norm(), 100 * kTorqueRounding);
  EXPECT_GT((at(x_, 0) - at(before_, 0)).norm(), 0.1);
}

TEST_F(RigidAlignmentTest, APieceTurnsAboutItsOnePinnedPoint) {
  set_up({{0, 0, 0}});
  expect_same_shape();
  const int pin = order_.free_count;
  EXPECT_EQ(at(x_, pin), at(before_, pin));
  EXPECT_LT(torque(at(x_, pin)).norm(), 100 * kTorqueRounding);
}

TEST_F(RigidAlignmentTest, APieceTurnsAboutTheLineOfItsPinnedPoints) {
  set_up({{0, 0, 0}, {0, 0.5, 0}, {0, 1, 0}});
  expect_same_shape();
  const int pin = order_.free_count;
  const Vec3 axis = (at(x_, pin + 1) - at(x_, pin)).normalized();
  EXPECT_NEAR(axis.dot(torque(at(x_, pin))), 0, 100 * kTorqueRounding);
  EXPECT_GT((at(x_, 0) - at(before_, 0)).norm(), 0.01);
}

TEST_F(RigidAlignmentTest, APieceThatIsHeldByThreePointsStays) {
  set_up({{0, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  EXPECT_EQ(x_, before_);
}

}  // namespace
}  // namespace dashpot
