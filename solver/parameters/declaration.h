#pragma once

#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "solver/contact/collider.h"
#include "solver/parameters/body_contact.h"
#include "solver/parameters/parameters.h"
#include "solver/parameters/solver_settings.h"

namespace dashpot {

template <class T>
constexpr ParameterType parameter_type() {
  if constexpr (std::is_same_v<T, double>) return ParameterType::kFloat;
  if constexpr (std::is_same_v<T, int>) return ParameterType::kInt;
  if constexpr (std::is_same_v<T, bool>) return ParameterType::kBool;
  if constexpr (std::is_same_v<T, Vec3>) return ParameterType::kVector3;
  if constexpr (std::is_same_v<T, std::vector<RampKey>>) return ParameterType::kRamp;
  return ParameterType::kMenu;
}

template <class Owner, class T>
ParameterMember<Owner> parameter_member(T Owner::*member) {
  const auto get = [member](const Owner& owner) {
    if constexpr (std::is_same_v<T, Vec3>)
      return ParameterValue{0.0, owner.*member};
    else
      return ParameterValue{static_cast<double>(owner.*member)};
  };
  const auto set = [member](const ParameterValue& value, Owner& owner) {
    if constexpr (std::is_same_v<T, Vec3>)
      owner.*member = value.vector;
    else if constexpr (std::is_enum_v<T>)
      owner.*member = static_cast<T>(static_cast<int>(value.number));
    else
      owner.*member = static_cast<T>(value.number);
  };
  return {get, set};
}

template <class Enum>
struct Choice {
  Enum value;
  std::string token, label;
};

// One entry of a table: `declare(…)` and what else there is to say about it. T is the type of the
// value, and decides that of the parameter; an enum is a menu, which needs its choices.
template <class T>
class Declaration {
 public:
  Declaration(ParameterScope scope, const T& initial, std::string token, std::string label) {
    constexpr double kUnbounded = std::numeric_limits<double>::infinity();
    p_.token = std::move(token);
    p_.label = std::move(label);
    p_.type = parameter_type<T>();
    p_.scope = scope;
    p_.min = -kUnbounded;
    p_.max = kUnbounded;
    if constexpr (std::is_same_v<T, Vec3>)
      p_.vector = initial;
    else if constexpr (std::is_same_v<T, std::vector<RampKey>>)
      p_.ramp = initial;
    else
      p_.number = static_cast<double>(initial);
    if constexpr (std::is_same_v<T, bool>) from(0).to(1).slider(0, 1);
  }

  Declaration& in(ParameterFolder folder) {
    p_.folder = folder;
    return *this;
  }
  Declaration& unit(std::string unit) {
    p_.unit = std::move(unit);
    return *this;
  }
  Declaration& from(double min) {
    p_.min = min;
    return *this;
  }
  Declaration& above(double min) {
    p_.min_excluded = true;
    return from(min);
  }
  Declaration& to(double max) {
    p_.max = max;
    return *this;
  }
  Declaration& below(double max) {
    p_.max_excluded = true;
    return to(max);
  }
  Declaration& slider(double low, double high) {
    p_.slider_min = low;
    p_.slider_max = high;
    return *this;
  }
  Declaration& logarithmic_slider(double low, double high) {
    p_.logarithmic = true;
    return slider(low, high);
  }
  // In the order of the enum, so that the index of an item is its value.
  Declaration& choices(const std::vector<Choice<T>>& choices) {
    for (const Choice<T>& choice : choices) {
      if (static_cast<std::size_t>(choice.value) != p_.menu.size())
        throw std::logic_error("the choices of " + p_.token + " are not in the order of the enum");
      p_.menu.push_back({choice.token, choice.label});
    }
    return from(0).to(static_cast<double>(p_.menu.size()) - 1);
  }
  Declaration& varies() {
    p_.varies = true;
    return *this;
  }
  Declaration& disabled_when(std::string rule) {
    p_.disabled_when = std::move(rule);
    return *this;
  }
  Declaration& help(std::string text) {
    p_.help = std::move(text);
    return *this;
  }
  Declaration& held_by(ParameterMember<SolverSettings> member) {
    p_.setting = std::move(member);
    return *this;
  }
  Declaration& held_by(ParameterMember<Collider> member) {
    p_.coefficient = std::move(member);
    return *this;
  }
  Declaration& held_by(ParameterMember<BodyContact> member) {
    p_.body_contact = std::move(member);
    return *this;
  }

  operator Parameter() const { return p_; }

 private:
  Parameter p_;
};

// A setting, whose default is that of its member.
template <class T>
Declaration<T> declare(T SolverSettings::*member, const char* token, const char* label) {
  return Declaration<T>(ParameterScope::kSolver, SolverSettings().*member, token, label)
      .held_by(parameter_member(member));
}

// Of the contact of a body, whose default is that of its member.
template <class T>
Declaration<T> declare(T BodyContact::*member, const char* token, const char* label) {
  return Declaration<T>(ParameterScope::kBody, BodyContact().*member, token, label)
      .in(ParameterFolder::kContact)
      .held_by(parameter_member(member));
}

// A coefficient that colliders and bodies have, whose default is that of bodies.
inline Declaration<double> declare(double Collider::*member, double BodyContact::*of_bodies,
                                   const char* token, const char* label) {
  return Declaration<double>(ParameterScope::kCollider, BodyContact().*of_bodies, token, label)
      .in(ParameterFolder::kContact)
      .held_by(parameter_member(member))
      .held_by(parameter_member(of_bodies));
}

// What bodies have by its token.
template <class T>
Declaration<T> declare(ParameterScope scope, const T& initial, const char* token,
                       const char* label) {
  return Declaration<T>(scope, initial, token, label);
}

}  // namespace dashpot
