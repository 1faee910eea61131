#include "solver/simulation/scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "solver/base/error.h"
#include "solver/simulation/simulation.h"
#include "tests/support/bodies.h"

namespace dashpot {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Scene good_scene() {
  Body body = make_body(box_mesh({2, 1, 1}, {2, 1, 1}), {}, "jelly");
  body.pins.push_back({{0, 1}, nullptr});
  return make_scene(body, {});
}

TEST(CheckScene, AcceptsAGoodScene) {
  EXPECT_NO_THROW(check_scene(good_scene()));
}

struct BadScene {
  std::string label;
  std::function<void(Scene&)> damage;
  std::vector<std::string> words;  // that the sentence must contain
};

void PrintTo(const BadScene& bad, std::ostream* out) {
  *out << bad.label;
}

const std::vector<BadScene>& bad_scenes() {
  const double nan = std::nan("");
  static const std::vector<BadScene> all = {
      {"NoBody", [](Scene& s) { s.bodies.clear(); }, {"no body"}},
      {"TwoBodiesOfOneName",
       [](Scene& s) { s.bodies.push_back(s.bodies[0]); },
       {"'jelly'", "rename"}},
      {"NoTets", [](Scene& s) { s.bodies[0].mesh.tets.clear(); }, {"'jelly'", "no tets"}},
      {"TooFewPositions",
       [](Scene& s) { s.bodies[0].position.conservativeResize(3, 5); },
       {"'jelly'", "12 points"}},
      {"TooFewVelocities",
       [](Scene& s) { s.bodies[0].velocity.conservativeResize(3, 5); },
       {"'jelly'", "12 points"}},
      {"FrictionOfTheBodyOutOfRange",
       [](Scene& s) { s.bodies[0].contact.friction = -1; },
       {"'jelly'", "friction = -1"}},
      {"TooFewNoContactPoints",
       [](Scene& s) {
         s.bodies[0].no_contact_points = {1, 0};
       },
       {"'jelly'", "nocontact"}},
      {"PieceOutOfRange",
       [](Scene& s) {
         s.bodies[0].piece.assign(12, 0);
         s.bodies[0].piece[3] = 2;
         s.bodies[0].pieces.resize(2);
       },
       {"'jelly'", "no piece 2"}},
      {"PiecesWithoutPoints",
       [](Scene& s) { s.bodies[0].pieces.resize(2); },
       {"'jelly'", "in a piece"}},
      {"NoContactWithNobody",
       [](Scene& s) { s.bodies[0].no_contact = {"shirt"}; },
       {"'jelly'", "nocontact names 'shirt'"}},
      {"PositionNotFinite",
       [nan](Scene& s) { s.bodies[0].position(1, 7) = nan; },
       {"'jelly'", "point 7"}},
      {"VelocityNotFinite",
       [](Scene& s) { s.bodies[0].velocity(2, 3) = INFINITY; },
       {"'jelly'", "point 3"}},
      {"PinOutOfRange",
       [](Scene& s) { s.bodies[0].pins[0].points.push_back(12); },
       {"'jelly'", "point 12", "does not exist"}},
      {"PinNegative",
       [](Scene& s) { s.bodies[0].pins[0].points.push_back(-1); },
       {"'jelly'", "point -1", "does not exist"}},
      {"PinnedTwiceByOnePin",
       [](Scene& s) { s.bodies[0].pins[0].points.push_back(1); },
       {"'jelly'", "point 1", "twice"}},
      {"PinnedTwiceByTwoPins",
       [](Scene& s) {
         s.bodies[0].pins.push_back({{4, 0}, nullptr});
       },
       {"'jelly'", "point 0", "twice"}},
      {"TooFewElementValues",
       [](Scene& s) {
         s.bodies[0].fields.set_per_element("youngsmodulus", {1e5, 1e5, 1e5}, "x");
       },
       {"'jelly'", "youngsmodulus", "3 values", "12 tets"}},
      {"TooManyElementValues",
       [](Scene& s) {
         s.bodies[0].fields.set_per_element("massdamping", std::vector<double>(13, 1.0), "x");
       },
       {"'jelly'", "massdamping", "13 values", "12 tets"}},
      {"NoSubsteps", [](Scene& s) { s.settings.substeps = 0; }, {"substeps", "0"}},
      {"NoIterations", [](Scene& s) { s.settings.iterations = 0; }, {"iterations", "0"}},
      {"ToleranceNotFinite", [nan](Scene& s) { s.settings.tolerance = nan; }, {"tolerance"}},
      {"TimescaleNegative", [](Scene& s) { s.settings.timescale = -1; }, {"timescale", "-1"}},
      {"LaplacianDampingNegative",
       [](Scene& s) { s.settings.laplacian_damping = -0.1; },
       {"laplaciandamping", "-0.1"}},
      {"GravityNotFinite", [nan](Scene& s) { s.settings.gravity.y() = nan; }, {"gravity"}},
  };
  return all;
}

class CheckBadScene : public testing::TestWithParam<BadScene> {};

INSTANTIATE_TEST_SUITE_P(Scenes, CheckBadScene, testing::ValuesIn(bad_scenes()),
                         [](const auto& info) { return info.param.label; });

TEST_P(CheckBadScene, IsRefusedInOneSentenceThatNamesIt) {
  Scene scene = good_scene();
  GetParam().damage(scene);
  try {
    const Simulation simulation(scene);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    for (const std::string& word : GetParam().words) EXPECT_THAT(error.what(), HasSubstr(word));
    EXPECT_THAT(error.what(), testing::Not(HasSubstr("\n")));
  }
}

TEST(ElementFields, GiveTheDeclaredDefaultUntilSet) {
  ElementFields fields;
  EXPECT_EQ(fields.get("youngsmodulus", 0), 1e5);
  fields.set("youngsmodulus", 3e4, "x");
  EXPECT_EQ(fields.get("youngsmodulus", 0), 3e4);
  EXPECT_EQ(fields.get("youngsmodulus", 99), 3e4);
  fields.set_per_element("youngsmodulus", {1e4, 2e4, 3e4}, "x");
  EXPECT_EQ(fields.expand("youngsmodulus", 3), (std::vector<double>{1e4, 2e4, 3e4}));
  EXPECT_EQ(fields.expand("massdensity", 2), (std::vector<double>{1000, 1000}));
}

TEST(ElementFields, RefuseAValueOutOfRangeAndKeepTheOldOne) {
  ElementFields fields;
  fields.set("poissonratio", 0.3, "x");
  EXPECT_THROW(fields.set("poissonratio", 0.5, "body 'jelly'"), InputError);
  EXPECT_EQ(fields.get("poissonratio", 0), 0.3);
}

TEST(ElementFields, NameTheElementWhoseValueIsOutOfRange) {
  ElementFields fields;
  try {
    fields.set_per_element("youngsmodulus", {1e5, 1e5, -4}, "body 'jelly'");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("body 'jelly'"), HasSubstr("tet 2"), HasSubstr("-4"),
                                    HasSubstr("youngsmodulus")));
  }
}

}  // namespace
}  // namespace dashpot
