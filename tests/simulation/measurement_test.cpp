#include <gtest/gtest.h>

#include "solver/simulation/simulation.h"
#include "tests/support/bodies.h"
#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

// The box [0,2]x[0,1]x[0,1] of 500 kg/m^3: 1000 kg.
Body block() {
  Body body = make_body(box_mesh({2, 1, 1}, {2, 1, 1}), {}, "block");
  body.fields.set("massdensity", 500, "block");
  return body;
}

TEST(Measurement, OfABodyInTranslation) {
  Body body = block();
  body.velocity.colwise() = Vec3(1, 2, 2);
  const FrameReport report = Simulation(make_scene(body, {})).measure();
  EXPECT_NEAR(report.all.kinetic, 0.5 * 1000 * 9, 1e-9);
  EXPECT_NEAR(report.all.gravitational, 1000 * 9.81 * 0.5, 1e-9);
  EXPECT_NEAR(report.all.elastic, 0, 1e-9);
  EXPECT_LT((report.all.linear_momentum - Vec3(1000, 2000, 2000)).norm(), 1e-9);
  EXPECT_LT(report.all.angular_momentum.norm(), 1e-9);
  EXPECT_LT((report.all.center_of_mass - Vec3(1, 0.5, 0.5)).norm(), 1e-12);
  EXPECT_NEAR(report.energy.total, report.all.kinetic + report.all.gravitational, 1e-9);
  EXPECT_NEAR(report.energy.lost, 0, 1e-9);
}

TEST(Measurement, AngularMomentumIsAboutTheCentreOfMassWhereverItIs) {
  Body body = block();
  body.velocity = affine_velocity(body.position, {1, 0.5, 0.5}, {0, 0, 2}, Mat3::Zero());
  const FrameReport here = Simulation(make_scene(body, {})).measure();
  body.position.colwise() += Vec3(30, -20, 10);
  body.velocity.colwise() += Vec3(5, 6, 7);
  const FrameReport there = Simulation(make_scene(body, {})).measure();
  EXPECT_GT(here.all.angular_momentum.z(), 100);
  EXPECT_LT((here.all.angular_momentum - there.all.angular_momentum).norm(), 1e-8);
  // A rotating rigid body: twice the kinetic energy is omega L.
  EXPECT_NEAR(2 * here.all.kinetic, 2 * here.all.angular_momentum.z(), 1e-9);
}

TEST(Measurement, StretchesAndElasticEnergyOfAnAffineDeformation) {
  Body body = block();
  const Mat3 stretch = Vec3(1.5, 0.8, 1.1).asDiagonal();
  body.position = stretch * body.position;
  for (Material m : kAllMaterials) {
    body.fields.set("material", static_cast<int>(m), "block");
    const FrameReport report = Simulation(make_scene(body, {})).measure();
    EXPECT_NEAR(report.all.max_stretch, 1.5, 1e-12);
    EXPECT_NEAR(report.all.min_stretch, 0.8, 1e-12);
    const double expected = 2 * energy_density(m, stretch, lame_parameters(1e5, 0.4));
    EXPECT_NEAR(report.all.elastic, expected, 1e-9 * expected) << name(m);
  }
}

TEST(Measurement, OfEachBodyAndOfAll) {
  Scene scene = make_scene(block(), {});
  scene.bodies.push_back(block());
  scene.bodies[1].name = "other";
  scene.bodies[1].velocity.colwise() = Vec3(1, 0, 0);
  scene.bodies[1].position *= 1.1;
  const FrameReport report = Simulation(scene).measure();
  ASSERT_EQ(report.bodies.size(), 2u);
  EXPECT_NEAR(report.bodies[0].kinetic, 0, 1e-12);
  EXPECT_NEAR(report.bodies[1].kinetic, 500, 1e-9);
  EXPECT_NEAR(report.all.kinetic, 500, 1e-9);
  EXPECT_NEAR(report.bodies[0].elastic, 0, 1e-9);
  EXPECT_NEAR(report.all.elastic, report.bodies[1].elastic, 1e-9);
  EXPECT_NEAR(report.all.max_stretch, 1.1, 1e-12);
  EXPECT_NEAR(report.all.min_stretch, 1, 1e-12);
}

TEST(FrameStatus, InvertedElementsAreCountedAndMarked) {
  Body body = block();
  EXPECT_FALSE(Simulation(make_scene(body, {})).measure().has(Status::kInvertedElements));
  body.position.row(0) *= -1;
  const FrameReport report = Simulation(make_scene(body, {})).measure();
  EXPECT_TRUE(report.has(Status::kInvertedElements));
  EXPECT_EQ(report.all.inverted, 12);
  EXPECT_NEAR(report.all.min_stretch, -1, 1e-12);
}

Body struck_body() {
  RandomNumbers random(2);
  Body body = make_body(box_mesh({3, 2, 2}, {0.9, 0.4, 0.4}), {Material::kNeoHookean, 1e6, 0.45});
  body.velocity = 10 * random.points(body.mesh.point_count());
  body.contact.self_contact = false;  // it would hit itself, and that takes stages of its own
  return body;
}

// Two stages; the same with eight times the budget if so few iterations made energy or cost much of
// it; then one stage of backward Euler, or three short ones.
void expect_whole_budgets(const FrameReport& report, int iterations) {
  EXPECT_EQ(report.iterations % iterations, 0) << report.iterations;
  EXPECT_GE(report.iterations, 2 * iterations);
  EXPECT_LE(report.iterations, (2 + 16 + 1 + 3) * iterations);
}

TEST(FrameStatus, AnExhaustedBudgetIsMarkedWithItsResiduals) {
  SolverSettings settings;
  settings.iterations = 2;
  settings.tolerance = 1e-6;
  const FrameReport report = Simulation(make_scene(struck_body(), settings)).advance(1.0 / 24);
  EXPECT_TRUE(report.has(Status::kBudgetExhausted));
  expect_whole_budgets(report, settings.iterations);
  EXPECT_GT(report.primal_residual, 1e-6);
  EXPECT_GT(report.dual_residual, 0);
}

TEST(FrameStatus, AConvergedFrameIsNotMarked) {
  SolverSettings settings;
  settings.iterations = 5000;
  settings.tolerance = 1e-6;
  const FrameReport report = Simulation(make_scene(struck_body(), settings)).advance(1.0 / 24);
  EXPECT_FALSE(report.has(Status::kBudgetExhausted));
  EXPECT_LE(report.primal_residual, 1e-6);
  EXPECT_LE(report.dual_residual, 1e-6);
  EXPECT_LT(report.iterations, 5000);
}

// Tolerance 0 asks for the whole budget and no more: that is no trouble.
TEST(FrameStatus, ToleranceZeroSpendsTheBudgetWithoutComplaint) {
  SolverSettings settings;
  settings.iterations = 7;
  settings.tolerance = 0;
  const FrameReport report = Simulation(make_scene(struck_body(), settings)).advance(1.0 / 24);
  EXPECT_FALSE(report.has(Status::kBudgetExhausted));
  expect_whole_budgets(report, settings.iterations);
}

TEST(FrameStatus, EveryStatusHasARemedy) {
  for (Status s : {Status::kBudgetExhausted, Status::kInvertedElements, Status::kCancelled,
                   Status::kTakenAgain, Status::kTangled})
    EXPECT_EQ(remedy(s).back(), '.');
  EXPECT_NE(remedy(Status::kBudgetExhausted).find("iterations"), std::string::npos);
  EXPECT_NE(remedy(Status::kInvertedElements).find("substeps"), std::string::npos);
  EXPECT_NE(remedy(Status::kTakenAgain).find("substeps"), std::string::npos);
  EXPECT_EQ(remedy(Status::kNone), "");
}

// The sentence says how wrong and what to set, and what it says is enough.
TEST(FrameStatus, TheRemedyOfAnUnsolvedStageIsTheNumberOfIterationsThatSolvesIt) {
  SolverSettings settings;
  settings.iterations = 10;
  const Scene scene = make_scene(struck_body(), settings);
  const FrameReport report = Simulation(scene).advance(1.0 / 24);
  ASSERT_TRUE(report.has(Status::kBudgetExhausted));
  const std::string sentence = remedy(Status::kBudgetExhausted, report, settings);
  EXPECT_NE(sentence.find("the 10 iterations of a stage left a mismatch of"), std::string::npos);
  EXPECT_NE(sentence.find("times the tolerance"), std::string::npos);
  const std::size_t at = sentence.find("set iterations = ");
  ASSERT_NE(at, std::string::npos) << sentence;
  Scene better = scene;
  better.settings.iterations = std::stoi(sentence.substr(at + 17));
  EXPECT_LE(better.settings.iterations, 100) << sentence;
  EXPECT_FALSE(Simulation(better).advance(1.0 / 24).has(Status::kBudgetExhausted)) << sentence;
}

TEST(FrameStatus, InvertedTetsAreCounted) {
  SolverSettings settings;
  Trouble trouble;
  trouble.inverted = 1;
  EXPECT_EQ(remedy(Status::kInvertedElements, trouble, settings),
            "1 tet is inside out; set substeps = 2, or use a stiffer body.");
}

TEST(FrameStatus, SurfacesThatIntersectAreCountedAndPlaced) {
  SolverSettings settings;
  FrameReport report;
  report.contact.ignored = 12;
  report.contact.ignored_place = Vec3(0.25, -1, 123.456);
  EXPECT_EQ(remedy(Status::kTangled, report, settings),
            "surfaces intersect in 12 places, the first of them [0.25, -1, 123.5], and do not feel "
            "each other there until they are apart; set untangle = true to push them apart.");
  settings.untangle = true;
  EXPECT_EQ(remedy(Status::kTangled, report, settings).find("untangle"), std::string::npos);
}

TEST(FrameStatus, OfSeveralTangledFramesTheWorstIsTold) {
  FrameReport few, many;
  few.contact.ignored = 1;
  many.contact.ignored = 3;
  many.contact.ignored_place = Vec3(1, 2, 3);
  Trouble trouble;
  for (const FrameReport* report : {&few, &many, &few}) trouble.add(*report);
  EXPECT_EQ(trouble.ignored, 3);
  EXPECT_EQ(trouble.ignored_place, Vec3(1, 2, 3));
}

// Two pieces in one mesh, each with its own moduli, are two bodies.
TEST(ElementValues, PiecesOfOneMeshBehaveLikeBodiesOfTheirOwn) {
  const Elastic kinds[] = {{Material::kNeoHookean, 2e4, 0.2}, {Material::kCorotated, 2e5, 0.45}};
  const TetMesh box = box_mesh({2, 2, 2}, {0.4, 0.4, 0.4});
  const int points = box.point_count(), tets = box.tet_count();
  Points rest(3, 2 * points);
  rest << box.rest, box.rest.colwise() + Vec3(1, 0, 0);
  std::vector<Tet> both = box.tets;
  for (Tet tet : box.tets) {
    for (int& p : tet) p += points;
    both.push_back(tet);
  }
  Body pair = make_body(make_tet_mesh(rest, both, "pair"), {});
  const auto set = [&](const char* token, double first, double second) {
    std::vector<double> values(tets, first);
    values.resize(2 * tets, second);
    pair.fields.set_per_element(token, values, "pair");
  };
  set("material", static_cast<double>(kinds[0].material), static_cast<double>(kinds[1].material));
  set("youngsmodulus", kinds[0].youngs, kinds[1].youngs);
  set("poissonratio", kinds[0].poisson, kinds[1].poisson);
  set("massdensity", 700, 1300);
  set("massdamping", 0, 4);
  const Points shove = affine_velocity(box.rest, {0.2, 0.2, 0.2}, {3, 1, 0}, 2 * Mat3::Identity());
  pair.velocity << shove, shove;

  const SolverSettings settings = exact_settings(Integrator::kTrBdf2);
  Simulation together(make_scene(pair, settings));
  for (int f = 0; f < 5; ++f) together.advance(1.0 / 24);
  for (int k = 0; k < 2; ++k) {
    Body single = make_body(box, kinds[k]);
    single.fields.set("massdensity", k ? 1300 : 700, "single");
    single.fields.set("massdamping", k ? 4 : 0, "single");
    single.position.row(0).array() += k;
    single.velocity = shove;
    Simulation alone(make_scene(single, settings));
    const Points start = alone.state().x;
    for (int f = 0; f < 5; ++f) alone.advance(1.0 / 24);
    const Points difference = together.state().x.middleCols(k * points, points) - alone.state().x;
    EXPECT_LT(difference.norm(), 1e-9 * (alone.state().x - start).norm()) << "piece " << k;
  }
}

}  // namespace
}  // namespace dashpot
