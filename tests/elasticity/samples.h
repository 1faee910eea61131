#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>
#include <vector>

#include "solver/base/types.h"
#include "solver/elasticity/arap.h"
#include "solver/elasticity/corotated.h"
#include "solver/elasticity/material.h"
#include "solver/elasticity/neohookean.h"
#include "solver/elasticity/stvk.h"

namespace dashpot {

using AllMaterials = ::testing::Types<Corotated, NeoHookean, Stvk, Arap>;

template <class Model>
struct MaterialName;
template <>
struct MaterialName<Corotated> {
  static constexpr Material kValue = Material::kCorotated;
};
template <>
struct MaterialName<NeoHookean> {
  static constexpr Material kValue = Material::kNeoHookean;
};
template <>
struct MaterialName<Stvk> {
  static constexpr Material kValue = Material::kStvk;
};
template <>
struct MaterialName<Arap> {
  static constexpr Material kValue = Material::kArap;
};

inline std::vector<Lame<double>> sample_materials() {
  std::vector<Lame<double>> samples;
  for (const double poisson_ratio : {0.0, 0.3, 0.45, 0.495})
    samples.push_back(lame_parameters(2.5, poisson_ratio));
  return samples;
}

class RandomStates {
 public:
  explicit RandomStates(unsigned seed) : random_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  double normal() { return normal_(random_); }

  Mat3 rotation() {
    return Eigen::Quaterniond(normal(), normal(), normal(), normal()).normalized().matrix();
  }

  // Stretched, compressed, collapsed and inverted, sorted or not.
  Stretches<double> stretches() {
    return {uniform(-1.0, 3.0), uniform(-0.5, 2.0), uniform(-1.0, 1.5)};
  }

  // Random, rotated, stretched or inverted, but away from the only kink of isotropic energies of
  // signed stretches: s_2 = -s_3, where it is arbitrary which of the two is called negative.
  Mat3 deformation() {
    const double a = uniform(0.8, 2.5), b = uniform(0.4, 0.75), c = uniform(-0.35, 0.3);
    return rotation() * Vec3(a, b, c).asDiagonal() * rotation().transpose();
  }

 private:
  std::mt19937 random_;
  std::normal_distribution<double> normal_;
};

}  // namespace dashpot
