#pragma once

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <cmath>
#include <random>
#include <string>

#include "solver/base/types.h"
#include "solver/dissipation/damped_prox.h"
#include "solver/elasticity/material.h"
#include "solver/elasticity/neohookean.h"

namespace dashpot {

// F = Q S with a rotation Q; written with Eigen only.
struct Polar {
  Mat3 rotation, stretch;

  explicit Polar(const Mat3& F) {
    const Eigen::JacobiSVD<Mat3> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat3 u = svd.matrixU(), v = svd.matrixV();
    Vec3 s = svd.singularValues();
    if (u.determinant() < 0) {
      u.col(2) *= -1;
      s[2] *= -1;
    }
    if (v.determinant() < 0) {
      v.col(2) *= -1;
      s[2] *= -1;
    }
    rotation = u * v.transpose();
    stretch = v * s.asDiagonal() * v.transpose();
  }
};

inline Mat3 green_strain(const Mat3& F) {
  return 0.5 * (F.transpose() * F - Mat3::Identity());
}

// How the sample elements are deformed.
enum class Shape { kStretched, kCompressed, kRotated, kInverted };
constexpr Shape kAllShapes[] = {Shape::kStretched, Shape::kCompressed, Shape::kRotated,
                                Shape::kInverted};

class RandomShapes {
 public:
  explicit RandomShapes(unsigned seed) : random_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  double normal() { return normal_(random_); }
  Mat3 noise(double size) {
    Mat3 a;
    for (int k = 0; k < 9; ++k) a(k) = size * normal();
    return a;
  }
  Mat3 rotation() {
    return Eigen::Quaterniond(normal(), normal(), normal(), normal()).normalized().matrix();
  }
  Mat3 shape(Shape kind) {
    Vec3 s;
    switch (kind) {
      case Shape::kStretched:
        s = Vec3(uniform(1.3, 2.0), uniform(1.0, 1.25), uniform(0.7, 0.95));
        break;
      case Shape::kCompressed:
        s = Vec3(uniform(0.75, 0.9), uniform(0.5, 0.7), uniform(0.3, 0.45));
        break;
      case Shape::kRotated:
        s = Vec3(uniform(1.02, 1.1), uniform(0.97, 1.01), uniform(0.9, 0.96));
        break;
      case Shape::kInverted:
        s = Vec3(uniform(1.0, 1.3), uniform(0.7, 0.95), uniform(-0.4, -0.1));
        break;
    }
    return rotation() * s.asDiagonal() * rotation().transpose();
  }

 private:
  std::mt19937 random_;
  std::normal_distribution<double> normal_;
};

// R' of a power law (damping.h) with the quadratic R: its derivative with respect to R is
// (R / reference)^((p - 1) / 2).
inline double power_law(double dissipation, double exponent, double reference) {
  const double q = 0.5 * (exponent + 1);
  return std::pow(reference, 1 - q) * std::pow(dissipation, q) / q;
}

// Any smooth or kinked function of F, minimised by BFGS with central differences.
template <class Function>
Mat3 minimise(const Function& f, Mat3 F) {
  using Vec9 = Eigen::Matrix<double, 9, 1>;
  using Mat9 = Eigen::Matrix<double, 9, 9>;
  const auto gradient = [&](const Mat3& at) {
    Vec9 g;
    for (int k = 0; k < 9; ++k) {
      constexpr double kStep = 1e-6;
      Mat3 plus = at, minus = at;
      plus(k) += kStep;
      minus(k) -= kStep;
      g[k] = (f(plus) - f(minus)) / (2 * kStep);
    }
    return g;
  };
  Mat9 inverse = 0.1 * Mat9::Identity();
  Vec9 g = gradient(F);
  double value = f(F);
  for (int iteration = 0; iteration < 400; ++iteration) {
    Vec9 step = -inverse * g;
    if (step.dot(g) >= 0) {
      inverse = 0.1 * Mat9::Identity();
      step = -inverse * g;
    }
    double t = 1;
    Mat3 next = F;
    double next_value = value;
    for (; t > 1e-14; t *= 0.5) {
      next = F + t * Eigen::Map<const Mat3>(step.data());
      next_value = f(next);
      if (next_value <= value + 1e-4 * t * step.dot(g)) break;
    }
    if (t <= 1e-14 || value - next_value < 1e-15 * std::abs(value)) break;
    const Vec9 g_next = gradient(next), y = g_next - g, s = t * step;
    const double sy = s.dot(y);
    if (sy > 1e-14) {
      const Mat9 left = Mat9::Identity() - s * y.transpose() / sy;
      inverse = left * inverse * left.transpose() + s * s.transpose() / sy;
    }
    F = next;
    g = g_next;
    value = next_value;
  }
  return F;
}

// The lowest minimum found from many starts.
template <class Function>
double brute_force_minimum(const Function& f, const std::vector<Mat3>& starts,
                           RandomShapes& random) {
  double lowest = 1e300;
  for (const Mat3& start : starts)
    for (int k = 0; k < 4; ++k) {
      const Mat3 end = minimise(f, start + random.noise(k == 0 ? 0.0 : 0.1 * k));
      lowest = std::min(lowest, f(end));
    }
  return lowest;
}

}  // namespace dashpot
