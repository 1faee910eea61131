#include "solver/base/svd3.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "solver/base/lane_pair.h"

namespace dashpot {
namespace {

struct Svd {
  Mat3 u, v;
  Vec3 sigma;

  explicit Svd(const Mat3& F) {
    Matrix3<double> lane_u, lane_v;
    std::array<double, 3> s;
    signed_svd(to_matrix3(F), lane_u, s, lane_v);
    u = to_eigen(lane_u);
    v = to_eigen(lane_v);
    sigma = Vec3(s.data());
  }
};

class RandomMatrices {
 public:
  Mat3 rotation() {
    return Eigen::Quaterniond(normal(), normal(), normal(), normal()).normalized().matrix();
  }
  Mat3 with_singular_values(const Vec3& s) {
    return rotation() * s.asDiagonal() * rotation().transpose();
  }
  Mat3 dense() {
    return Mat3::NullaryExpr([&] { return normal(); });
  }
  double normal() { return normal_(random_); }
  double uniform() { return uniform_(random_); }

 private:
  std::mt19937 random_{3};
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_{0.0, 1.0};
};

void expect_valid(const Mat3& F) {
  const Svd svd(F);
  ASSERT_LE((svd.u * svd.u.transpose() - Mat3::Identity()).norm(), 1e-13) << F;
  ASSERT_LE((svd.v * svd.v.transpose() - Mat3::Identity()).norm(), 1e-13) << F;
  ASSERT_GT(svd.u.determinant(), 0.0) << F;
  ASSERT_GT(svd.v.determinant(), 0.0) << F;
  ASSERT_GE(svd.sigma[0], svd.sigma[1]) << F;
  ASSERT_GE(svd.sigma[1], std::abs(svd.sigma[2])) << F;
  ASSERT_LE((svd.u * svd.sigma.asDiagonal() * svd.v.transpose() - F).norm(), 1e-13 * F.norm()) << F;
}

void expect_all_valid(const std::function<Mat3(RandomMatrices&)>& make) {
  RandomMatrices random;
  for (int trial = 0; trial < 20000; ++trial) ASSERT_NO_FATAL_FAILURE(expect_valid(make(random)));
}

TEST(SignedSvd, ReconstructsRandomMatrices) {
  expect_all_valid([](RandomMatrices& random) { return random.dense(); });
}

TEST(SignedSvd, SingularValuesAgreeWithEigen) {
  RandomMatrices random;
  for (int trial = 0; trial < 2000; ++trial) {
    const Mat3 F = random.dense();
    const Vec3 expected = Eigen::JacobiSVD<Mat3>(F).singularValues();
    ASSERT_LE((Svd(F).sigma.cwiseAbs() - expected).norm(), 1e-14 * expected[0]);
  }
}

TEST(SignedSvd, OnlyTheLastSingularValueOfAnInvertedMatrixIsNegative) {
  RandomMatrices random;
  for (int trial = 0; trial < 2000; ++trial) {
    const Mat3 F = random.dense();
    ASSERT_EQ(Svd(F).sigma[2] < 0.0, F.determinant() < 0.0);
  }
}

TEST(SignedSvd, HandlesNearlyEqualSingularValues) {
  expect_all_valid([](RandomMatrices& random) {
    Vec3 s;
    for (double& x : s) x = 1.0 + std::pow(10.0, -16.0 * random.uniform()) * random.normal();
    return random.with_singular_values(s);
  });
}

TEST(SignedSvd, HandlesSmallDeviationsFromTheIdentity) {
  expect_all_valid([](RandomMatrices& random) {
    return Mat3(Mat3::Identity() + std::pow(10.0, -16.0 * random.uniform()) * random.dense());
  });
}

TEST(SignedSvd, HandlesSingularValuesOfAllMagnitudes) {
  expect_all_valid([](RandomMatrices& random) {
    Vec3 s;
    for (double& x : s) x = std::pow(10.0, -16.0 * random.uniform());
    return random.with_singular_values(s);
  });
}

TEST(SignedSvd, HandlesASmallPairNextToALargeSingularValue) {
  expect_all_valid([](RandomMatrices& random) {
    return random.with_singular_values(Vec3(1.0, 1e-8 * random.normal(), 1e-8 * random.normal()));
  });
}

TEST(SignedSvd, HandlesRankTwo) {
  expect_all_valid([](RandomMatrices& random) {
    Mat3 F = random.dense();
    F.col(1) = F.col(0) - 2.0 * F.col(2);
    return F;
  });
}

TEST(SignedSvd, HandlesRankOne) {
  expect_all_valid([](RandomMatrices& random) {
    const Mat3 a = random.dense();
    return Mat3(a.col(0) * a.row(1));
  });
}

TEST(SignedSvd, HandlesSmallIntegersWithManyCoincidences) {
  expect_all_valid(
      [](RandomMatrices& random) { return Mat3((1.5 * random.dense()).array().round()); });
}

TEST(SignedSvd, OfZeroIsTheIdentity) {
  const Svd svd(Mat3::Zero());
  EXPECT_EQ(svd.u, Mat3::Identity());
  EXPECT_EQ(svd.v, Mat3::Identity());
  EXPECT_EQ(svd.sigma, Vec3::Zero());
}

TEST(SignedSvd, DoesNotDependOnThePowerOfTwoOfTheScale) {
  RandomMatrices random;
  for (int trial = 0; trial < 1000; ++trial) {
    const Mat3 F = random.dense();
    const Svd reference(F);
    for (const double scale : {std::ldexp(1.0, -300), std::ldexp(1.0, 20), std::ldexp(1.0, 300)}) {
      const Svd scaled(F * scale);
      ASSERT_EQ(scaled.u, reference.u);
      ASSERT_EQ(scaled.v, reference.v);
      ASSERT_EQ(scaled.sigma, reference.sigma * scale);
    }
  }
}

TEST(SignedSvd, IsAccurateForHugeAndTinyMatrices) {
  for (const double scale : {1e-8, 1e6, 1e-200, 1e200}) {
    RandomMatrices random;
    for (int trial = 0; trial < 1000; ++trial)
      ASSERT_NO_FATAL_FAILURE(expect_valid(scale * random.dense()));
  }
}

// As in a loop whose matrices change little by little, for as long as one wishes.
TEST(SignedSvd, FromTheAxesBeforeIsAsAccurate) {
  for (const double change : {1.0, 1e-2, 1e-5, 1e-9, 0.0}) {
    RandomMatrices random;
    for (int trial = 0; trial < 20; ++trial) {
      Mat3 F = trial % 2 ? random.dense() : Mat3(Mat3::Identity() + 1e-3 * random.dense());
      Matrix3<double> u, v = identity3<double>();
      std::array<double, 3> s;
      for (int step = 0; step < 200; ++step) {
        F += change * random.dense();
        signed_svd_from(to_matrix3(F), u, s, v);
        const Mat3 U = to_eigen(u), V = to_eigen(v);
        const Vec3 sigma(s.data());
        ASSERT_LE((U * sigma.asDiagonal() * V.transpose() - F).norm(), 2e-13 * F.norm()) << F;
        ASSERT_LE((U * U.transpose() - Mat3::Identity()).norm(), 1e-13);
        ASSERT_LE((V * V.transpose() - Mat3::Identity()).norm(), 2e-13);
        ASSERT_GT(U.determinant() * V.determinant(), 0.0);
        ASSERT_LE((sigma - Svd(F).sigma).norm(), 1e-13 * F.norm());
      }
    }
  }
}

TEST(SignedSvd, APairHasTheBitsOfItsElementsAlone) {
  RandomMatrices random;
  for (int trial = 0; trial < 2000; ++trial) {
    Matrix3<Lane> a, b, u_a, v_a, u_b, v_b;
    Matrix3<LanePair> pair, u, v;
    std::array<Lane, 3> s_a, s_b;
    std::array<LanePair, 3> s;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        a.m[i][j] = make_lane([&](int lane) { return random.normal() * std::pow(0.01, lane); });
        b.m[i][j] = make_lane([&](int lane) { return (i == j) + 1e-6 * lane * random.normal(); });
        pair.m[i][j] = {a.m[i][j], b.m[i][j]};
      }
    signed_svd(a, u_a, s_a, v_a);
    signed_svd(b, u_b, s_b, v_b);
    signed_svd(pair, u, s, v);
    for (int lane = 0; lane < kLanes; ++lane)
      for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(s[i].a[lane], s_a[i][lane]);
        ASSERT_EQ(s[i].b[lane], s_b[i][lane]);
        for (int j = 0; j < 3; ++j) {
          ASSERT_EQ(u.m[i][j].a[lane], u_a.m[i][j][lane]);
          ASSERT_EQ(u.m[i][j].b[lane], u_b.m[i][j][lane]);
          ASSERT_EQ(v.m[i][j].a[lane], v_a.m[i][j][lane]);
          ASSERT_EQ(v.m[i][j].b[lane], v_b.m[i][j][lane]);
        }
      }
  }
}

TEST(SignedSvd, EachLaneHasTheBitsOfItsElementAlone) {
  RandomMatrices random;
  for (int trial = 0; trial < 5000; ++trial) {
    // Lane mates that need very different numbers of sweeps.
    const std::array<Mat3, kLanes> elements = {
        random.dense(), Mat3(Mat3::Identity() + 1e-9 * random.dense()), Mat3::Zero(),
        random.with_singular_values(Vec3(1.0, 1e-6, 1e-7 * random.normal()))};
    Matrix3<Lane> F, u, v;
    std::array<Lane, 3> sigma;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        F.m[i][j] = make_lane([&](int lane) { return elements[lane](i, j); });
    signed_svd(F, u, sigma, v);
    for (int lane = 0; lane < kLanes; ++lane) {
      const Svd alone(elements[lane]);
      for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(sigma[i][lane], alone.sigma[i]);
        for (int j = 0; j < 3; ++j) {
          ASSERT_EQ(u.m[i][j][lane], alone.u(i, j));
          ASSERT_EQ(v.m[i][j][lane], alone.v(i, j));
        }
      }
    }
  }
}

}  // namespace
}  // namespace dashpot
