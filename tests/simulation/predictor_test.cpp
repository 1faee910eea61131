#include "solver/simulation/predictor.h"

#include <gtest/gtest.h>

#include "tests/support/bodies.h"

namespace dashpot {
namespace {

constexpr double kTau = 0.1;

class PredictorTest : public testing::Test {
 protected:
  PredictorTest() : model_(make_scene(make_body(box_mesh({2, 1, 1}, {1, 0.5, 0.5}), {}), {})) {
    now_.x = model_.initial_x;
    now_.v = Points::Zero(3, now_.x.cols());
    now_.v.row(0).setConstant(2);
    now_.a = Points::Zero(3, now_.x.cols());
    now_.a.row(1).setConstant(-10);
  }
  // Stretches along x by `rate` per second (per second squared).
  Points stretching(double rate) const {
    Points field = Points::Zero(3, now_.x.cols());
    field.row(0) = rate * now_.x.row(0);
    return field;
  }

  SimulationModel model_;
  Motion now_;
};

TEST_F(PredictorTest, FollowsTheMotionToSecondOrder) {
  const Points guess = Predictor{false, false, false}(model_, now_, kTau);
  for (Eigen::Index i = 0; i < guess.cols(); ++i)
    EXPECT_LT((guess.col(i) - now_.x.col(i) - Vec3(0.2, -0.05, 0)).norm(), 1e-15);
}

TEST_F(PredictorTest, OfADampedBodyDoesNotBelieveForcesThatTearIt) {
  now_.a = stretching(1000);
  const Points along = now_.x + kTau * now_.v;
  EXPECT_EQ((Predictor{false, true, false}(model_, now_, kTau)), along);
  EXPECT_NE((Predictor{false, false, false}(model_, now_, kTau)), along) << "undamped: it does";
}

TEST_F(PredictorTest, OfADampedBodyDoesNotBelieveVelocitiesThatTearItEither) {
  now_.v = stretching(-50);
  now_.a.setZero();
  EXPECT_EQ((Predictor{false, true, false}(model_, now_, kTau)), now_.x);
}

TEST_F(PredictorTest, ThatIsCarefulStaysOnTheSideOfEveryColliderWhereTheBodyIs) {
  EXPECT_EQ((Predictor{true, false, true}(model_, now_, kTau)), now_.x);
  EXPECT_NE((Predictor{true, false, false}(model_, now_, kTau)), now_.x);
}

}  // namespace
}  // namespace dashpot
