// The dialogs as Houdini would build them from our script.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "GAS/GAS_SubSolver.h"
#include "solver/host/node_parameters.h"
#include "tests/sop_plugin/network.h"
#include "tests/support/parameters.h"

namespace dashpot {
namespace {

using ::testing::HasSubstr;

std::map<std::string, PRM_Template> by_name(const PRM_Template* parm) {
  std::map<std::string, PRM_Template> result;
  for (; !parm->name.empty(); ++parm) {
    EXPECT_EQ(result.count(parm->name), 0u) << parm->name << " is there twice";
    result[parm->name] = *parm;
  }
  return result;
}

std::map<std::string, PRM_Template> sop_dialog() {
  return by_name(Network().type().templates());
}

TEST(Dialog, HasEveryDeclaredParameterUnderTheNameOfTheSceneFile) {
  const auto dialog = sop_dialog();
  for (const Parameter& p : parameters()) {
    ASSERT_EQ(dialog.count(p.token), 1u) << p.token;
    const PRM_Template& parm = dialog.at(p.token);
    EXPECT_EQ(parm.help, p.help);
    EXPECT_THAT(parm.label, HasSubstr(p.label));
    if (p.type == ParameterType::kRamp) {
      EXPECT_EQ(std::stod(parm.defaults[0]), p.ramp.size()) << p.token;
    } else if (p.type == ParameterType::kVector3) {
      for (int c = 0; c < 3; ++c) EXPECT_EQ(std::stod(parm.defaults[c]), p.vector[c]) << p.token;
    } else {
      EXPECT_EQ(std::stod(parm.defaults[0]), p.number) << p.token;
    }
    ASSERT_EQ(parm.menu.size(), p.menu.size()) << p.token;
    for (std::size_t i = 0; i < p.menu.size(); ++i) EXPECT_EQ(parm.menu[i].first, p.menu[i].token);
  }
}

TEST(Dialog, NodeParametersAreThoseOfHoudinisOwnSolvers) {
  const auto dialog = sop_dialog();
  for (const char* token :
       {"startframe", "resimulate", "autoresim", "cacheenabled", "cachemaxsize", "outputstress"})
    EXPECT_EQ(dialog.count(token), 1u) << token;
  EXPECT_NE(dialog.at("resimulate").callback, nullptr);
  EXPECT_EQ(dialog.at("startframe").folder, "Simulation");
  EXPECT_EQ(dialog.at("dampingmodel").folder, "Damping");
}

TEST(Dialog, TheDopHasNoGravityOfItsOwnAndAPathForColliders) {
  if (SIM_DataFactory::all().empty()) initializeSIM(nullptr);
  const auto dialog = by_name(SIM_DataFactory::all().front()->description()->templates);
  EXPECT_EQ(dialog.count("gravity"), 0u);
  EXPECT_EQ(dialog.at("geo").defaults[0], "Geometry");
  EXPECT_EQ(dialog.at("colliderpath").type, "oppath");
  for (const Parameter& p : parameters())
    EXPECT_EQ(dialog.count(p.token), p.token == "gravity" ? 0u : 1u) << p.token;
}

TEST(Dialog, RulesNameParametersAndItemsThatExist) {
  const auto dialog = sop_dialog();
  for (const auto& [name, parm] : dialog) {
    std::istringstream words(parm.disable_when);
    std::string word;
    while (words >> word) {
      if (word == "{" || word == "}") continue;
      ASSERT_EQ(dialog.count(word), 1u) << name << ": " << word;
      std::string comparison, value;
      words >> comparison >> value;
      EXPECT_TRUE(comparison == "==" || comparison == "!=") << name;
      const PRM_Template& other = dialog.at(word);
      if (other.menu.empty()) continue;
      bool known = false;
      for (const auto& item : other.menu) known = known || item.first == value;
      EXPECT_TRUE(known) << name << ": " << word << " has no item " << value;
    }
  }
  EXPECT_EQ(dialog.at("dampingshear").disable_when, "{ dampingmodel != strainrate }");
}

TEST(Dialog, SlidersThatEndAtALimitAreHard) {
  const auto dialog = sop_dialog();
  EXPECT_EQ(dialog.at("substeps").range, "1! 10");
  EXPECT_EQ(dialog.at("youngsmodulus").range, "1000 10000000");
  EXPECT_EQ(dialog.at("poissonratio").range, "0! 0.49");
}

TEST(Dialog, EveryParameterOfTheDialogReachesTheSolver) {
  // Turning any of them to another value must count as an edit: another simulation.
  for (const Parameter& p : parameters()) {
    Network network;
    network.connect(0, [](GU_Detail& detail, double) {
      const Scene scene = bar_scene();
      for (Eigen::Index i = 0; i < scene.bodies[0].position.cols(); ++i)
        detail.add_point(scene.bodies[0].position(0, i), scene.bodies[0].position(1, i),
                         scene.bodies[0].position(2, i));
      for (const Tet& tet : scene.bodies[0].mesh.tets)
        detail.add_primitive(GEO_PRIMTETRAHEDRON, {tet[0], tet[1], tet[2], tet[3]});
    });
    network.solver().set_parm("autoresim", 0);
    // A ramp that is off is not looked at.
    if (p.type == ParameterType::kRamp) network.solver().set_parm("dampingrampmode", 1);
    network.cook(2);
    EXPECT_THAT(network.warnings(), ::testing::IsEmpty());
    if (p.type == ParameterType::kRamp)
      network.solver().set_ramp(p.token, {{0, 2, 1}, {1, 1, 1}});
    else
      network.solver().set_parm(p.token, other_number(p));
    network.cook(2);
    EXPECT_THAT(network.errors(), ::testing::IsEmpty()) << p.token;
    ASSERT_EQ(network.warnings().size(), 1u) << p.token;
    EXPECT_THAT(network.warnings()[0], HasSubstr("Auto Reset")) << p.token;
  }
}

}  // namespace
}  // namespace dashpot
