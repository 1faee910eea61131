#include "solver/elements/element_diagnostics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <Eigen/LU>
#include <cmath>
#include <set>

#include "solver/base/error.h"
#include "solver/simulation/simulation.h"
#include "tests/simulation/lively_scene.h"
#include "tests/support/bodies.h"

namespace dashpot {
namespace {

using testing::HasSubstr;

constexpr double kYoungs = 3e5, kPoisson = 0.3;

std::vector<double> diagnostic(const Simulation& simulation, const char* token) {
  return simulation.evaluate({&find_element_diagnostic(token)}).front();
}

// A box of twelve tets, all deformed by F.
Simulation deformed_box(Material material, const Mat3& F) {
  Body body = make_body(box_mesh({2, 1, 1}, {0.4, 0.3, 0.2}), {material, kYoungs, kPoisson});
  body.position = F * body.mesh.rest;
  return Simulation(make_scene(body, {}));
}

// Principal Cauchy stresses by the textbook, for stretches of 0.5 and more.
Vec3 principal_stress(Material material, const Vec3& s) {
  const Lame<double> lame = lame_parameters(kYoungs, kPoisson);
  const double J = s.prod();
  Vec3 piola;
  for (int i = 0; i < 3; ++i) {
    if (material == Material::kCorotated)
      piola[i] = 2 * lame.mu * (s[i] - 1) + lame.lambda * (s.sum() - 3);
    if (material == Material::kNeoHookean)
      piola[i] = lame.mu * (s[i] - 1 / s[i]) + lame.lambda * std::log(J) / s[i];
    if (material == Material::kStvk)
      piola[i] = s[i] * (lame.mu * (s[i] * s[i] - 1) + lame.lambda * (s.squaredNorm() - 3) / 2);
    if (material == Material::kArap) piola[i] = 2 * lame.mu * (s[i] - 1);
  }
  return piola.cwiseProduct(s) / J;
}

void expect_all_near(const std::vector<double>& values, double expected, double tolerance) {
  EXPECT_EQ(values.size(), 12u);
  for (const double value : values) EXPECT_NEAR(value, expected, tolerance);
}

TEST(ElementDiagnostics, OfAUniaxialStretch) {
  const Vec3 stretches(1.5, 0.8, 0.8);
  for (const Material material : kAllMaterials) {
    SCOPED_TRACE(name(material));
    const Simulation simulation = deformed_box(material, Mat3(stretches.asDiagonal()));
    const Vec3 sigma = principal_stress(material, stretches);
    expect_all_near(diagnostic(simulation, "stress"), std::abs(sigma[0] - sigma[1]), 1e-8);
    expect_all_near(diagnostic(simulation, "strain"), 0.5, 1e-13);
  }
}

TEST(ElementDiagnostics, StrainIsThatOfTheDirectionThatChangesMost) {
  for (const Vec3& stretches : {Vec3(0.6, 1.3, 1.1), Vec3(1.1, 1.4, 0.7), Vec3(1, 1, 0.6)}) {
    const Simulation simulation = deformed_box(Material::kNeoHookean, Mat3(stretches.asDiagonal()));
    expect_all_near(diagnostic(simulation, "strain"), 0.4, 1e-13);
  }
}

TEST(ElementDiagnostics, OfSimpleShear) {
  const double g = 0.7;
  Mat3 F = Mat3::Identity();
  F(0, 1) = g;
  const Simulation simulation = deformed_box(Material::kNeoHookean, F);
  const double mu = lame_parameters(kYoungs, kPoisson).mu;
  expect_all_near(diagnostic(simulation, "stress"), mu * g * std::sqrt(g * g + 3), 1e-8);
  expect_all_near(diagnostic(simulation, "strain"), g / 2 + std::sqrt(1 + g * g / 4) - 1, 1e-13);
}

// J^-1 P F^T as matrices instead of principal values.
TEST(ElementDiagnostics, StressIsVonMisesOfTheCauchyStress) {
  Mat3 F;
  F << 1.1, 0.4, -0.2, 0.1, 0.8, 0.3, -0.3, 0.2, 1.2;
  for (const Material material : kAllMaterials) {
    SCOPED_TRACE(name(material));
    const Lame<double> lame = lame_parameters(kYoungs, kPoisson);
    const Mat3 cauchy = first_piola(material, F, lame) * F.transpose() / F.determinant();
    const Mat3 deviator = cauchy - cauchy.trace() / 3 * Mat3::Identity();
    expect_all_near(diagnostic(deformed_box(material, F), "stress"),
                    std::sqrt(1.5) * deviator.norm(), 1e-7);
  }
}

TEST(ElementDiagnostics, RigidMotionIsNoDeformation) {
  const Mat3 rotation = Eigen::AngleAxisd(2.1, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  for (const Material material : kAllMaterials) {
    SCOPED_TRACE(name(material));
    const Simulation at_rest = deformed_box(material, Mat3::Identity());
    const Simulation turned = deformed_box(material, rotation);
    expect_all_near(diagnostic(turned, "stress"), 0, 1e-14 * kYoungs);
    expect_all_near(diagnostic(turned, "strain"), 0, 1e-14);
    expect_all_near(diagnostic(turned, "energy"), 0, 1e-14 * kYoungs);
    const auto before = diagnostic(at_rest, "quality"), after = diagnostic(turned, "quality");
    for (std::size_t t = 0; t < before.size(); ++t) EXPECT_NEAR(before[t], after[t], 1e-14);
  }
}

TEST(ElementDiagnostics, EnergiesAddUpToThoseOfTheReport) {
  Simulation simulation(lively_scene(Integrator::kTrBdf2, {2, 3, 2}));
  simulation.advance(1.0 / 24);
  const FrameReport report = simulation.measure();
  const std::vector<double> energy = diagnostic(simulation, "energy");
  const auto first = static_cast<std::size_t>(simulation.tet_offset(1));
  const auto last = static_cast<std::size_t>(simulation.tet_offset(2));
  double all = 0, middle = 0;
  for (std::size_t t = 0; t < energy.size(); ++t) {
    all += energy[t];
    if (t >= first && t < last) middle += energy[t];
  }
  EXPECT_NEAR(all, report.all.elastic, 1e-12 * all);
  EXPECT_NEAR(middle, report.bodies[1].elastic, 1e-12 * all);
}

Simulation regular_tet(const Mat3& F) {
  Points corners(3, 4);
  corners << 1, 1, -1, -1, 1, -1, 1, -1, 1, -1, -1, 1;
  Body body = make_body(make_tet_mesh(corners, {{0, 1, 2, 3}}, "tet"), {});
  body.position = F * body.mesh.rest;
  return Simulation(make_scene(body, {}));
}

TEST(ElementDiagnostics, QualityIsOneForARegularTetZeroForAFlatOneAndNegativeInsideOut) {
  const auto quality = [](const Vec3& stretches) {
    return diagnostic(regular_tet(Mat3(stretches.asDiagonal())), "quality").front();
  };
  EXPECT_NEAR(quality({1, 1, 1}), 1, 1e-14);
  EXPECT_NEAR(quality({7, 7, 7}), 1, 1e-14) << "size does not matter";
  EXPECT_NEAR(quality({1, 1, 0}), 0, 1e-14);
  EXPECT_NEAR(quality({1, -1, 1}), -1, 1e-14);
  EXPECT_LT(quality({1, 1, 0.1}), 0.5);
  EXPECT_GT(quality({1, 1, 0.1}), 0);
}

TEST(ElementDiagnostics, AreFiniteHoweverATetIsCrushed) {
  for (const Vec3& s : {Vec3(0, 0, 0), Vec3(1, 1, 0), Vec3(1, 0, 0), Vec3(1, 1, 1e-200),
                        Vec3(1, 1, -1), Vec3(-1, -1, -1), Vec3(3, 2, -1e-9), Vec3(1e12, 1, 1)})
    for (const Material material : kAllMaterials) {
      const Simulation simulation = deformed_box(material, Mat3(s.asDiagonal()));
      for (const ElementDiagnostic& declared : element_diagnostics())
        for (const double value : diagnostic(simulation, declared.token))
          EXPECT_TRUE(std::isfinite(value))
              << declared.token << " " << name(material) << " " << s.transpose();
    }
}

TEST(ElementDiagnostics, StressOfAnInvertedTetIsThatOfItsMirroredForces) {
  const Simulation simulation = deformed_box(Material::kArap, Vec3(1, 1, -1).asDiagonal());
  // P = 2 mu (0, 0, -2), sigma = P s / |J|
  expect_all_near(diagnostic(simulation, "stress"), 4 * lame_parameters(kYoungs, kPoisson).mu,
                  1e-8);
}

std::vector<std::vector<double>> all_with_threads(int threads) {
  const tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(threads);
  std::vector<const ElementDiagnostic*> all;
  for (const ElementDiagnostic& diagnostic : element_diagnostics()) all.push_back(&diagnostic);
  const Simulation simulation(lively_scene(Integrator::kTrBdf2, {6, 6, 5}));
  return arena.execute([&] { return simulation.evaluate(all); });
}

TEST(ElementDiagnostics, DissipationIsThatOfTheLastFrame) {
  Body body = make_body(box_mesh({2, 1, 1}, {0.4, 0.3, 0.2}), {});
  body.fields.set("dampingmodel", 1, "body");
  body.fields.set("dampingshear", 100, "body");
  body.fields.set("massdamping", 3, "body");
  body.velocity = body.mesh.rest;
  Simulation simulation(make_scene(body, {}));
  EXPECT_THAT(diagnostic(simulation, "dissipation"), testing::Each(0.0));
  double before = 0;
  for (int f = 0; f < 2; ++f) {
    const double total = simulation.advance(1.0 / 24).energy.dissipated;
    double sum = 0;
    for (const double energy : diagnostic(simulation, "dissipation")) sum += energy;
    EXPECT_GT(sum, 0);
    EXPECT_NEAR(sum, total - before, 1e-12 * total);
    before = total;
  }
}

TEST(ElementDiagnostics, DoNotDependOnTheNumberOfThreads) {
  const auto one = all_with_threads(1);
  EXPECT_EQ(all_with_threads(2), one);
  EXPECT_EQ(all_with_threads(4), one);
}

TEST(ElementDiagnostics, AreDeclaredWithAHelpTextAndATokenOfTheirOwn) {
  std::set<std::string> tokens;
  for (const ElementDiagnostic& diagnostic : element_diagnostics()) {
    EXPECT_TRUE(tokens.insert(diagnostic.token).second) << diagnostic.token;
    EXPECT_GT(std::string(diagnostic.help).size(), 10u) << diagnostic.token;
    EXPECT_EQ(&find_element_diagnostic(diagnostic.token), &diagnostic);
  }
  EXPECT_THAT(tokens, testing::IsSupersetOf({"stress", "strain", "energy", "quality"}));
}

TEST(ElementDiagnostics, AnUnknownTokenIsRefusedWithTheChoices) {
  try {
    find_element_diagnostic("pressure");
    FAIL() << "it was found";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'pressure'"));
    EXPECT_THAT(error.what(), HasSubstr("stress, strain, energy, quality"));
  }
}

}  // namespace
}  // namespace dashpot
