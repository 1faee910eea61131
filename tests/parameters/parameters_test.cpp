#include "solver/parameters/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "solver/base/error.h"
#include "solver/base/words.h"
#include "solver/elasticity/material.h"
#include "solver/parameters/collider_coefficients.h"
#include "solver/parameters/declaration.h"
#include "solver/parameters/declarations.h"
#include "tests/support/bodies.h"
#include "tests/support/parameters.h"

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
  EXPECT_EQ(parameter("integrator").number, static_cast<int>(Integrator::kTrBdf2));
  EXPECT_EQ(parameter("gravity").vector, Vec3(0, -9.81, 0));
  EXPECT_EQ(parameter("conserveangular").number, 1);
  for (const Parameter& p : solver_parameters()) {
    EXPECT_EQ(p.setting.get(settings).number, p.number) << p.token;
    EXPECT_EQ(p.setting.get(settings).vector, p.vector) << p.token;
  }
}

// Converts to whatever a member is.
struct AnyValue {
  template <class T>
  operator T() const;
};

template <class... Values>
auto is_initialized_by(int) -> decltype(SolverSettings{std::declval<Values>()...}, true) {
  return true;
}
template <class...>
bool is_initialized_by(long) {
  return false;
}

// How many members there are: as many as a list in braces may have values.
template <class... Values>
std::size_t member_count() {
  if constexpr (sizeof...(Values) < 100)
    if (is_initialized_by<Values..., AnyValue>(0)) return member_count<Values..., AnyValue>();
  return sizeof...(Values);
}

TEST(Parameters, EverySettingIsDeclared) {
  EXPECT_EQ(member_count(), solver_parameters().size())
      << "a member of SolverSettings has no entry in solver_parameters.cpp";
}

SolverSettings with_other(const Parameter& p) {
  SolverSettings settings;
  p.setting.set({other_number(p), Vec3::Constant(other_number(p))}, settings);
  return settings;
}

TEST(Parameters, EachSettingHasAMemberOfItsOwn) {
  for (const Parameter& p : solver_parameters())
    for (const Parameter& q : solver_parameters()) {
      const ParameterValue before = q.setting.get(SolverSettings());
      const ParameterValue after = q.setting.get(with_other(p));
      const bool same = before.number == after.number && before.vector == after.vector;
      EXPECT_EQ(same, p.token != q.token) << p.token << ", " << q.token;
    }
}

TEST(Parameters, EverySettingIsCheckedAndHashed) {
  const auto hash_of = [](const SolverSettings& settings) {
    Hash hash;
    hash_settings(settings, hash);
    return hash.value();
  };
  check_settings(SolverSettings(), "simulation");
  for (const Parameter& p : solver_parameters()) {
    EXPECT_NE(hash_of(with_other(p)), hash_of(SolverSettings())) << p.token;
    check_settings(with_other(p), "simulation");
    if (p.type == ParameterType::kBool) continue;  // has no third value
    SolverSettings settings;
    p.setting.set({p.max + 1, Vec3(0, 0, std::nan(""))}, settings);
    EXPECT_THROW(check_settings(settings, "simulation"), InputError) << p.token;
  }
}

TEST(Parameters, EveryCoefficientOfCollidersIsCheckedAndHashed) {
  const auto hash_of = [](const Collider& collider) {
    Hash hash;
    hash_coefficients(collider, hash);
    return hash.value();
  };
  const Collider usual = default_coefficients();
  EXPECT_EQ(usual.friction, 0.5);
  check_coefficients(usual, "collider 'floor'");
  for (const Parameter& p : collider_parameters()) {
    Collider other = usual;
    p.coefficient.set({other_number(p)}, other);
    EXPECT_EQ(p.coefficient.get(other).number, other_number(p)) << p.token;
    EXPECT_NE(hash_of(other), hash_of(usual)) << p.token;
    p.coefficient.set({p.max + 1}, other);
    EXPECT_THROW(check_coefficients(other, "collider 'floor'"), InputError) << p.token;
  }
}

TEST(Parameters, EveryValueOfTheContactOfBodiesIsDeclaredCheckedAndHashed) {
  const auto hash_of = [](const BodyContact& contact) {
    Hash hash;
    hash_body_contact(contact, hash);
    return hash.value();
  };
  check_body_contact(BodyContact(), "body 'jelly'");
  std::vector<std::string> held;
  for (const Parameter& p : parameters()) {
    if (!p.is_of_body_contact()) continue;
    held.push_back(p.token);
    EXPECT_EQ(p.body_contact.get(BodyContact()).number, p.number) << p.token;
    BodyContact other;
    p.body_contact.set({other_number(p)}, other);
    EXPECT_EQ(p.body_contact.get(other).number, other_number(p)) << p.token;
    EXPECT_NE(hash_of(other), hash_of(BodyContact())) << p.token;
    if (p.type == ParameterType::kBool) continue;
    p.body_contact.set({p.max + 1}, other);
    EXPECT_THROW(check_body_contact(other, "body 'jelly'"), InputError) << p.token;
  }
  EXPECT_THAT(held, testing::ElementsAre("selfcontact", "friction", "restitution"));
}

enum class Fruit { kApple, kPear };

TEST(Declaration, TypesComeFromTheValueAndMenusGoByTheEnum) {
  const auto type_of = [](const Parameter& p) { return p.type; };
  const auto scope = ParameterScope::kPrim;
  EXPECT_EQ(type_of(declare(scope, 1.0, "a", "A")), ParameterType::kFloat);
  EXPECT_EQ(type_of(declare(scope, 1, "a", "A")), ParameterType::kInt);
  EXPECT_EQ(type_of(declare(scope, true, "a", "A")), ParameterType::kBool);
  const Parameter menu =
      declare(scope, Fruit::kPear, "fruit", "Fruit")
          .choices({{Fruit::kApple, "apple", "Apple"}, {Fruit::kPear, "pear", "Pear"}});
  EXPECT_EQ(menu.type, ParameterType::kMenu);
  EXPECT_EQ(menu.menu[static_cast<std::size_t>(menu.number)].token, "pear");
  EXPECT_THROW(declare(scope, Fruit::kPear, "fruit", "Fruit")
                   .choices({{Fruit::kPear, "pear", "Pear"}, {Fruit::kApple, "apple", "Apple"}}),
               std::logic_error);
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
  EXPECT_THAT(error_of(parameter("pintoanimation"), 0.5),
              HasSubstr("pintoanimation = 0.5 is neither on nor off"));
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
