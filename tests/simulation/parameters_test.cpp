#include "solver/simulation/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "solver/base/error.h"
#include "solver/base/words.h"
#include "solver/elasticity/material.h"
#include "solver/simulation/scene.h"
#include "tests/support/bodies.h"

namespace dashpot {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string error_of(const Parameter& declaration, double value) {
  try {
    check_number(declaration, value, "body 'jelly'");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Parameters, TokensAreUniqueAndLowerCase) {
  std::set<std::string> seen;
  for (const Parameter& p : parameters()) {
    EXPECT_TRUE(seen.insert(p.token).second) << p.token << " is declared twice";
    EXPECT_FALSE(p.token.empty());
    for (char c : p.token) EXPECT_TRUE(c >= 'a' && c <= 'z') << p.token;
    std::set<std::string> items;
    for (const MenuItem& item : p.menu) {
      EXPECT_TRUE(items.insert(item.token).second) << p.token << " offers " << item.token;
      EXPECT_FALSE(item.label.empty());
      for (char c : item.token) EXPECT_TRUE((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'));
    }
  }
}

TEST(Parameters, EachHasALabelAndAHelpSentence) {
  for (const Parameter& p : parameters()) {
    EXPECT_FALSE(p.label.empty()) << p.token;
    ASSERT_GT(p.help.size(), 20u) << p.token;
    EXPECT_EQ(p.help.back(), '.') << p.token;
  }
}

TEST(Parameters, DefaultsAreAccepted) {
  for (const Parameter& p : parameters()) {
    if (p.type == ParameterType::kVector3)
      EXPECT_TRUE(p.vector.allFinite()) << p.token;
    else
      EXPECT_EQ(error_of(p, p.number), "") << p.token;
  }
}

TEST(Parameters, SlidersOfferOnlyValuesThatAreAccepted) {
  for (const Parameter& p : parameters()) {
    if (p.type == ParameterType::kMenu || p.type == ParameterType::kVector3) continue;
    EXPECT_LT(p.slider_min, p.slider_max) << p.token;
    EXPECT_EQ(error_of(p, p.slider_min), "") << p.token;
    EXPECT_EQ(error_of(p, p.slider_max), "") << p.token;
  }
}

TEST(Parameters, OnlyMenusHaveChoices) {
  for (const Parameter& p : parameters())
    EXPECT_EQ(p.type == ParameterType::kMenu, !p.menu.empty()) << p.token;
}

TEST(Parameters, MenusAreInTheOrderOfTheEnums) {
  for (Material m : kAllMaterials)
    EXPECT_EQ(menu_index(parameter("material"), name(m), ""), static_cast<int>(m));
  for (Integrator i : kAllIntegrators)
    EXPECT_EQ(menu_index(parameter("integrator"), name(i), ""), static_cast<int>(i));
  EXPECT_EQ(parameter("material").menu.size(), std::size(kAllMaterials));
  EXPECT_EQ(parameter("integrator").menu.size(), std::size(kAllIntegrators));
}

TEST(Parameters, SettingsStartWithTheDeclaredDefaults) {
  const SolverSettings settings;
  EXPECT_EQ(settings.integrator, Integrator::kTrBdf2);
  EXPECT_EQ(settings.substeps, parameter("substeps").number);
  EXPECT_EQ(settings.timescale, parameter("timescale").number);
  EXPECT_EQ(settings.gravity, parameter("gravity").vector);
  EXPECT_EQ(settings.iterations, parameter("iterations").number);
  EXPECT_EQ(settings.tolerance, parameter("tolerance").number);
}

TEST(Parameters, LookUpByToken) {
  EXPECT_EQ(find_parameter("nosuchthing"), nullptr);
  EXPECT_THROW(parameter("nosuchthing"), std::logic_error);
  EXPECT_EQ(find_parameter("poissonratio"), &parameter("poissonratio"));
}

TEST(Parameters, BoundsAreExactlyAsDeclared) {
  for (const Parameter& p : parameters()) {
    if (p.type == ParameterType::kVector3 || p.type == ParameterType::kRamp) continue;
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(error_of(p, p.min).empty(), !p.min_excluded) << p.token;
    EXPECT_NE(error_of(p, std::nextafter(p.min, -infinity)), "") << p.token;
    EXPECT_EQ(error_of(p, p.max).empty(), !p.max_excluded) << p.token;
    EXPECT_NE(error_of(p, std::nextafter(p.max, infinity)), "") << p.token;
    EXPECT_NE(error_of(p, infinity), "") << p.token;
    EXPECT_NE(error_of(p, std::nan("")), "") << p.token;
  }
}

TEST(Parameters, ErrorsNameTheOwnerTheTokenTheValueAndTheRange) {
  EXPECT_THAT(error_of(parameter("poissonratio"), 0.5),
              AllOf(HasSubstr("body 'jelly'"), HasSubstr("poissonratio"), HasSubstr("0.5"),
                    HasSubstr("from 0 to below 0.5")));
  EXPECT_THAT(error_of(parameter("youngsmodulus"), -3),
              AllOf(HasSubstr("youngsmodulus"), HasSubstr("-3"), HasSubstr("above 0")));
  EXPECT_THAT(error_of(parameter("iterations"), 2.5), HasSubstr("whole number"));
  EXPECT_THAT(error_of(parameter("massdensity"), std::nan("")), HasSubstr("finite"));
}

TEST(Parameters, AnUnknownChoiceListsTheChoices) {
  try {
    menu_index(parameter("material"), "rubber", "body 'jelly'");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("body 'jelly'"), HasSubstr("rubber"),
                                    HasSubstr("corotated, neohookean, stvk or arap")));
  }
}

TEST(NearestWord, FindsASlipOfThePen) {
  const std::vector<std::string> words = {"youngsmodulus", "poissonratio", "massdensity", "pin"};
  EXPECT_EQ(nearest_word("youngmodulus", words), "youngsmodulus");
  EXPECT_EQ(nearest_word("possionratio", words), "poissonratio");
  EXPECT_EQ(nearest_word("pins", words), "pin");
  EXPECT_EQ(nearest_word("massdensity", words), "massdensity");
  EXPECT_EQ(nearest_word("youngs", words), "youngsmodulus");
  EXPECT_EQ(nearest_word("Young_s-Modulus", words), "youngsmodulus");
  EXPECT_EQ(nearest_word("density", words), "massdensity");
}

TEST(NearestWord, IsSilentWhenNothingIsNear) {
  EXPECT_EQ(nearest_word("friction", {"youngsmodulus", "poissonratio"}), "");
  EXPECT_EQ(nearest_word("anything", {}), "");
}

}  // namespace
}  // namespace dashpot
