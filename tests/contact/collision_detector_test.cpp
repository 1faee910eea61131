#include "solver/contact/collision_detector.h"

#include <gtest/gtest.h>

#include "solver/contact/plane_shape.h"

namespace dashpot {
namespace {

// Sites at given heights over a floor at y = 0.
struct HeightSites {
  std::vector<double> before;
  Points x_p;
  CollisionDetector detector;
  ColliderKinematics stage;

  explicit HeightSites(const std::vector<double>& heights)
      : x_p(3, static_cast<Eigen::Index>(heights.size())),
        detector(floor(), sites(heights.size())) {
    for (std::size_t i = 0; i < heights.size(); ++i) {
      x_p.col(static_cast<Eigen::Index>(i)) = Vec3(0.1 * static_cast<double>(i), heights[i], 0);
      before.insert(before.end(), {0.1 * static_cast<double>(i), heights[i], 0, 0});
    }
    stage.h = stage.end = 0.01;
    stage.motion.resize(1);
  }
  static std::vector<Collider> floor() {
    return {{"floor", std::make_shared<PlaneShape>(Vec3::Zero(), Vec3::UnitY()), 0.5, 0}};
  }
  static std::vector<ContactVertex> sites(std::size_t count) {
    std::vector<ContactVertex> all(count);
    for (std::size_t i = 0; i < count; ++i) {
      all[i].point = static_cast<int>(i);
      all[i].vertex = static_cast<int>(4 * i);
    }
    return all;
  }
  std::vector<double> moved(double by) const {
    std::vector<double> x = before;
    for (std::size_t i = 1; i < x.size(); i += 4) x[i] += by;
    return x;
  }
};

TEST(CollisionDetector, WatchesOnlyWhatMayGetThere) {
  HeightSites h({1.0, 0.15, 0.02, 0.0, -0.1});
  h.detector.begin(h.stage, h.before, h.moved(-0.08), h.x_p, {});
  std::vector<int> sites;
  for (const Contact& row : h.detector.contacts()) sites.push_back(row.site);
  EXPECT_EQ(sites, (std::vector<int>{1, 2, 3, 4})) << "within twice the way of the guess";
}

TEST(CollisionDetector, FindsWhatWentFurtherThanTheGuess) {
  HeightSites h({1.0, 0.02});
  h.detector.begin(h.stage, h.before, h.moved(-0.01), h.x_p, {});
  ASSERT_EQ(h.detector.contacts().size(), 1U);
  EXPECT_FALSE(h.detector.extend(h.moved(-0.5)));
  EXPECT_TRUE(h.detector.extend(h.moved(-1.5)));
  EXPECT_EQ(h.detector.contacts().size(), 2U);
  EXPECT_EQ(h.detector.contacts()[0].site, 0) << "in order of sites";
  EXPECT_FALSE(h.detector.extend(h.moved(-1.5))) << "once";
}

TEST(CollisionDetector, KeepsTheForcesOfWhatTouched) {
  HeightSites h({0.0, 5.0});
  Contact known;
  known.site = 1;
  known.force = Vec3(1, 2, 3);
  h.detector.begin(h.stage, h.before, h.before, h.x_p, {known});
  ASSERT_EQ(h.detector.contacts().size(), 2U);
  EXPECT_EQ(h.detector.contacts()[1].force, Vec3(1, 2, 3));
  EXPECT_TRUE(h.detector.contacts()[1].held);
  EXPECT_FALSE(h.detector.contacts()[0].held);
}

// Friction holds a point where the collider carries it, not where it was.
TEST(CollisionDetector, RestsOnAMovingCollider) {
  HeightSites h({0.0});
  h.stage.motion[0].end.translation = Vec3(0.02, 0.01, 0);
  h.stage.motion[0].past.add(1, RigidPose{});
  h.detector.begin(h.stage, h.before, h.before, h.x_p, {});
  h.detector.update(h.before);
  const Contact& row = h.detector.contacts().at(0);
  EXPECT_TRUE(row.near);
  EXPECT_NEAR(row.plane.offset, 0.01, 1e-15);
  EXPECT_NEAR((row.plane.rest - Vec3(0.02, 0.01, 0)).norm(), 0, 1e-15);
}

TEST(RigidPose, ComposedMotionsHaveTheVelocityOfTheirPlaces) {
  const auto pose = [](double t) {
    RigidPose inner, outer;
    inner.translation = Vec3(0.3, 0, 0.1) * t;
    inner.velocity = Vec3(0.3, 0, 0.1);
    outer.angular_velocity = Vec3(0.2, -1, 0.5);
    outer.rotation =
        Eigen::AngleAxisd(outer.angular_velocity.norm() * t, outer.angular_velocity.normalized())
            .toRotationMatrix();
    return compose(outer, inner);
  };
  const Vec3 own(0.4, -0.2, 0.7);
  constexpr double kTime = 0.6, kEps = 1e-6;
  const Vec3 rate =
      (pose(kTime + kEps).to_world(own) - pose(kTime - kEps).to_world(own)) / (2 * kEps);
  const RigidPose now = pose(kTime);
  EXPECT_LT((now.velocity_at(now.to_world(own)) - rate).norm(), 1e-8);
  EXPECT_LT((now.to_own(now.to_world(own)) - own).norm(), 1e-14);
}

}  // namespace
}  // namespace dashpot
