#include "standalone/bench/seed_tables.h"

namespace dashpot {
namespace {

// Brown et al. count energy terms. Where damping has terms of its own, half of them are tets.
std::vector<PublishedScene> brown_2018() {
  const std::string table = "Brown et al. 2018, Table 2";
  const auto trbdf2 = Integrator::kTrBdf2;
  const auto corotated = Material::kCorotated;
  const auto none = DampingModel::kNone, power = DampingModel::kStretchRate;
  constexpr double kDt = 0.04;
  return {
      {table, "Terrain", 2278, 16574, 8287, 72, kDt, trbdf2, corotated, none, 1, 0, 7.3, 4.2, 3050},
      {table, "Drape", 1522, 11657, 0, 33, kDt, trbdf2, corotated, none, 1, 0, 1.0, 13.1, 1032},
      {table, "Ball", 642, 2423, 2423, 35, kDt, trbdf2, corotated, none, 1, 0, 0.6, 1.4, 164},
      {table, "Power law p=0", 2435, 20654, 10327, 52, kDt, trbdf2, corotated, power, 0, 0, 1.0,
       3.0, 491},
      {table, "Power law p=2", 2435, 18926, 9463, 5, kDt, trbdf2, corotated, power, 2, 0, 9.9,
       133.7, 1727},
      {table, "Dragon", 5388, 35878, 17939, 11, kDt, trbdf2, corotated,
       DampingModel::kPrincipalStrain, 1, 0, 77.0, 13.8, 2622},
  };
}

// Ten projective-dynamics iterations; the table has no step, its figures have up to 33 ms.
std::vector<PublishedScene> li_2018() {
  const std::string table = "Li et al. 2018, Table 1";
  const auto midpoint = Integrator::kMidpoint;
  const auto arap = Material::kArap;
  const auto none = DampingModel::kNone;
  constexpr double kDt = 0.033, kLaplacian = 5e-4;
  constexpr int kIterations = 10;
  return {
      {table, "ribbon", 549, 728, 0, kIterations, kDt, midpoint, arap, none, 1, kLaplacian, 0, 0,
       10},
      {table, "bar", 738, 1920, 1920, kIterations, kDt, midpoint, arap, none, 1, kLaplacian, 0, 0,
       43},
      {table, "penguin", 1979, 6915, 6915, kIterations, kDt, midpoint, arap, none, 1, kLaplacian, 0,
       0, 151},
      {table, "dummy", 4492, 16890, 16890, kIterations, kDt, midpoint, arap, none, 1, kLaplacian, 0,
       0, 674},
      {table, "pig", 5122, 16505, 16505, kIterations, kDt, midpoint, arap, none, 1, kLaplacian, 0,
       0, 486},
      {table, "hair", 1900, 600, 0, kIterations, kDt, Integrator::kBackwardEuler, arap, none, 1,
       kLaplacian, 0, 0, 43},
  };
}

std::vector<PublishedScene> overby_2017() {
  const std::string table = "Overby et al. 2017, Table 2";
  const auto euler = Integrator::kBackwardEuler;
  const auto neohookean = Material::kNeoHookean, arap = Material::kArap;
  const auto none = DampingModel::kNone;
  return {
      {table, "Armadillo", 919, 2761, 2761, 7, 0.08, euler, neohookean, none, 1, 0, 2.6, 0.82, 35},
      {table, "Bunny", 777, 2510, 2510, 10, 0.04, euler, neohookean, none, 1, 0, 2.9, 0.8, 38},
      {table, "Flag", 1251, 2400, 0, 20, 0.04, euler, arap, none, 1, 0, 0.68, 0.63, 28},
      {table, "Horse", 962, 3221, 3221, 13, 0.04, euler, arap, none, 1, 0, 0.69, 2.3, 49},
      {table, "Torus", 798, 4130, 4130, 30, 0.02, euler, neohookean, none, 1, 0, 4.1, 2.7, 281},
      {table, "Cloth pile", 4559, 14394, 0, 20, 0.02, euler, arap, none, 1, 0, 9.2, 10.8, 165},
      {table, "Wrinkles", 7257, 17677, 0, 40, 0.02, euler, arap, none, 1, 0, 48, 32, 3733},
      {table, "Shirt", 1933, 3599, 0, 40, 0.04, euler, arap, none, 1, 0, 0.43, 2.1, 160},
      {table, "Untwist, low", 367, 1562, 1562, 20, 0.04, euler, arap, none, 1, 0, 0.57, 0.26, 17},
      {table, "Untwist, medium", 868, 4170, 4170, 20, 0.04, euler, arap, none, 1, 0, 1.5, 0.81, 47},
      {table, "Untwist, high", 1727, 9031, 9031, 20, 0.04, euler, arap, none, 1, 0, 3.4, 1.9, 107},
      {table, "Untwist, neo-Hookean", 1727, 9031, 9031, 20, 0.04, euler, neohookean, none, 1, 0,
       10.8, 2.0, 633},
  };
}

}  // namespace

const std::vector<PublishedScene>& published_scenes() {
  static const std::vector<PublishedScene> scenes = [] {
    std::vector<PublishedScene> all = brown_2018();
    for (const auto& more : {li_2018(), overby_2017()})
      all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return scenes;
}

}  // namespace dashpot
