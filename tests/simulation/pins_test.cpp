#include <gtest/gtest.h>

#include "solver/simulation/simulation.h"
#include "tests/support/bodies.h"
#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

class Pins : public testing::TestWithParam<Integrator> {};

INSTANTIATE_TEST_SUITE_P(Integrators, Pins, testing::ValuesIn(kAllIntegrators),
                         [](const auto& info) { return std::string(name(info.param)); });

std::shared_ptr<RigidMotion> shaking() {
  auto motion = std::make_shared<RigidMotion>();
  motion->angular_velocity = {0, 3, 1};
  motion->pivot = {0.1, 0.2, 0.3};
  motion->amplitude = {0, 0.07, 0.02};
  motion->frequency = 3.3;
  return motion;
}

Points columns(const Points& points, const std::vector<int>& which) {
  Points out(3, static_cast<Eigen::Index>(which.size()));
  for (std::size_t k = 0; k < which.size(); ++k)
    out.col(static_cast<Eigen::Index>(k)) = points.col(which[k]);
  return out;
}

// Not near the target: on it.
TEST_P(Pins, AreOnTheirTargetsToTheLastBit) {
  Body body = make_body(box_mesh({3, 2, 2}, {0.9, 0.4, 0.4}), {});
  body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9));
  body.pins.push_back(pin_slab(body.mesh, 0, 0.89, 1, shaking()));
  for (const int substeps : {1, 3}) {
    SolverSettings settings;
    settings.integrator = GetParam();
    settings.substeps = substeps;
    Simulation simulation(make_scene(body, settings));
    for (int f = 0; f < 12; ++f) {
      simulation.advance(1.0 / 24);
      const State& state = simulation.state();
      const auto& still = body.pins[0].points;
      EXPECT_EQ(columns(state.x, still), columns(body.position, still));
      EXPECT_EQ(columns(state.v, still).norm(), 0);
      const auto& moving = body.pins[1].points;
      Points x, v;
      body.pins[1].motion->targets(state.time, columns(body.position, moving), x, v);
      EXPECT_EQ(columns(state.x, moving), x) << "frame " << f;
      EXPECT_EQ(columns(state.v, moving), v) << "frame " << f;
    }
  }
}

TEST_P(Pins, ThatDoNotStartOnTheirTargetsArePlacedThere) {
  Body body = make_body(box_mesh({2, 1, 1}, {0.9, 0.4, 0.4}), {});
  SampledMotion motion;
  motion.times = {0, 1};
  body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9));
  motion.positions.assign(2, columns(body.position, body.pins[0].points));
  motion.positions[0].array() += 0.05;
  motion.positions[1].array() += 0.15;
  body.pins[0].motion = std::make_shared<SampledMotion>(motion);
  SolverSettings settings;
  settings.integrator = GetParam();
  const Simulation simulation(make_scene(body, settings));
  EXPECT_EQ(columns(simulation.state().x, body.pins[0].points), motion.positions[0]);
}

// All pins move alike, so that the whole body must: rigid motion costs no force.
TEST_P(Pins, CarryTheBodyAlong) {
  Body body = make_body(box_mesh({3, 2, 2}, {0.9, 0.4, 0.4}), {});
  const auto motion = std::make_shared<RigidMotion>();
  motion->velocity = {1, 2, 3};
  body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9, motion));
  body.velocity.colwise() = motion->velocity;
  SolverSettings settings;
  settings.integrator = GetParam();
  settings.gravity.setZero();
  Simulation simulation(make_scene(body, settings));
  for (int f = 0; f < 12; ++f) simulation.advance(1.0 / 24);
  const Points expected = body.position.colwise() + 0.5 * motion->velocity;
  EXPECT_LT((simulation.state().x - expected).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_P(Pins, EverythingMayBePinned) {
  Body body = make_body(box_mesh({1, 1, 1}, {1, 1, 1}), {});
  body.pins.push_back(pin_slab(body.mesh, 0, -1, 2));
  SolverSettings settings;
  settings.integrator = GetParam();
  Simulation simulation(make_scene(body, settings));
  const FrameReport report = simulation.advance(1.0 / 24);
  EXPECT_EQ(simulation.state().x, body.position);
  EXPECT_FALSE(report.has(Status::kBudgetExhausted));
}

TEST_P(Pins, PointsInNoTetStayWhereTheyAre) {
  const TetMesh box = box_mesh({2, 1, 1}, {2, 1, 1});
  Points rest(3, box.rest.cols() + 2);
  rest << box.rest, Vec3(5, 6, 7), Vec3(0.3, 0.3, 0.3);
  Body body = make_body(make_tet_mesh(rest, box.tets, "box"), {});
  body.velocity.setConstant(3);
  SolverSettings settings;
  settings.integrator = GetParam();
  Simulation simulation(make_scene(body, settings));
  for (int f = 0; f < 5; ++f) {
    simulation.advance(1.0 / 24);
    EXPECT_EQ(simulation.state().x.rightCols(2), rest.rightCols(2));
    EXPECT_EQ(simulation.state().v.rightCols(2).norm(), 0);
  }
  const int last_of_box = static_cast<int>(box.rest.cols()) - 1;
  EXPECT_GT((simulation.state().x - rest).col(last_of_box).norm(), 0.1);
}

}  // namespace
}  // namespace dashpot
