#include "solver/contact/friction_prox.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

ContactPlane floor_plane(double friction) {
  ContactPlane plane;
  plane.normal = Vec3(1, 2, -0.5).normalized();
  plane.offset = 0.3;
  plane.rest = Vec3(0.1, -0.2, 0.4);
  plane.friction = friction;
  return plane;
}

TEST(FrictionProx, IsNothingInFrontOfThePlane) {
  const ContactPlane plane = floor_plane(0.5);
  const Vec3 free = (plane.offset + 1e-9) * plane.normal;
  EXPECT_EQ(contact_force(plane, free, 0.1), Vec3::Zero());
}

TEST(FrictionProx, PushesOntoThePlaneWithoutFriction) {
  const ContactPlane plane = floor_plane(0);
  const Vec3 free(0.3, -0.9, 0.2);
  const double compliance = 0.02;
  const Vec3 force = contact_force(plane, free, compliance);
  EXPECT_NEAR(plane.normal.dot(free + compliance * force), plane.offset, 1e-15);
  EXPECT_NEAR(plane.normal.cross(force).norm(), 0, 1e-12);
}

// The force minimises |y - free|^2 / (2c) + mu f_n |T (y - rest)| on the plane, with f_n its own
// normal part: any other place along the plane is worse.
TEST(FrictionProx, MinimisesTheObjectiveOfAPoint) {
  RandomNumbers random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const ContactPlane plane = floor_plane(random.between(0, 2));
    const double c = random.between(0.01, 2);
    const Vec3 free = Vec3(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
    if (plane.normal.dot(free) >= plane.offset) continue;
    const Vec3 force = contact_force(plane, free, c);
    const double pressure = plane.normal.dot(force);
    const Mat3 along = Mat3::Identity() - plane.normal * plane.normal.transpose();
    const auto objective = [&](const Vec3& y) {
      return (y - free).squaredNorm() / (2 * c) +
             plane.friction * pressure * (along * (y - plane.rest)).norm();
    };
    const Vec3 best = free + c * force;
    EXPECT_NEAR(plane.normal.dot(best), plane.offset, 1e-12);
    for (int k = 0; k < 20; ++k) {
      const Vec3 other = best + along * Vec3(random.between(-0.1, 0.1), random.between(-0.1, 0.1),
                                             random.between(-0.1, 0.1));
      EXPECT_GE(objective(other), objective(best) - 1e-12);
    }
  }
}

TEST(FrictionProx, SticksExactlyInsideTheConeAndSlidesOnIt) {
  ContactPlane plane = floor_plane(0.5);
  const Mat3 along = Mat3::Identity() - plane.normal * plane.normal.transpose();
  const Vec3 slip = along * Vec3(0.04, 0.01, 0.03);
  const Vec3 on_plane = along * plane.rest + plane.offset * plane.normal;
  const Vec3 deep = on_plane + slip - 0.2 * plane.normal;      // 0.5 * 0.2 holds the slip
  const Vec3 shallow = on_plane + slip - 0.01 * plane.normal;  // 0.5 * 0.01 does not
  const Vec3 held = contact_force(plane, deep, 1), sliding = contact_force(plane, shallow, 1);
  EXPECT_LT((along * (deep + held - plane.rest)).norm(), 1e-16);
  EXPECT_GT((along * (shallow + sliding - plane.rest)).norm(), 0.01);
  EXPECT_NEAR((along * sliding).norm(), 0.5 * plane.normal.dot(sliding), 1e-15);
}

}  // namespace
}  // namespace dashpot
