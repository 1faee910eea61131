#include "solver/parameters/parameters.h"

#include <cmath>
#include <sstream>
#include <stdexcept>

#include "solver/base/error.h"
#include "solver/base/words.h"
#include "solver/parameters/declarations.h"

namespace dashpot {
namespace {

std::vector<Parameter> declare_all() {
  std::vector<Parameter> all;
  for (auto& list : {solver_parameters(), material_parameters(), damping_parameters(),
                     point_parameters(), body_contact_parameters(), collider_parameters()})
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::string range_text(const Parameter& p) {
  std::ostringstream text;
  if (std::isinf(p.max))
    text << (p.min_excluded ? "above " : "at least ") << p.min;
  else
    text << (p.min_excluded ? "above " : "from ") << p.min
         << (p.max_excluded ? " to below " : " to ") << p.max;
  return text.str();
}

}  // namespace

const std::vector<Parameter>& parameters() {
  static const std::vector<Parameter> all = declare_all();
  return all;
}

std::vector<std::string> tokens(ParameterScope scope) {
  std::vector<std::string> result;
  for (const Parameter& p : parameters())
    if (p.scope == scope) result.push_back(p.token);
  return result;
}

const Parameter* find_parameter(const std::string& token) {
  for (const Parameter& p : parameters())
    if (p.token == token) return &p;
  return nullptr;
}

const Parameter& parameter(const std::string& token) {
  const Parameter* found = find_parameter(token);
  if (!found) throw std::logic_error("no parameter is declared with the token " + token);
  return *found;
}

std::vector<std::string> menu_tokens(const std::vector<MenuItem>& menu) {
  std::vector<std::string> tokens;
  tokens.reserve(menu.size());
  for (const MenuItem& item : menu) tokens.push_back(item.token);
  return tokens;
}

int menu_index(const Parameter& declaration, const std::string& token, const std::string& where) {
  const std::vector<std::string> tokens = menu_tokens(declaration.menu);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i] == token) return static_cast<int>(i);
  throw InputError(where + ": " + declaration.token + " has no choice '" + token + "'" +
                   did_you_mean(token, tokens));
}

const std::vector<MenuItem>& ramp_interpolations() {
  static const std::vector<MenuItem> items = {{"linear", "Linear"},
                                              {"catmull-rom", "Catmull-Rom"},
                                              {"monotonecubic", "Monotone Cubic"},
                                              {"bezier", "Bezier"},
                                              {"constant", "Constant"}};
  return items;
}

void check_number(const Parameter& declaration, double value, const std::string& where) {
  const auto fail = [&](const std::string& complaint) {
    throw InputError(where + ": " + declaration.token + " = " + exact(value) + " " + complaint +
                     ".");
  };
  const ParameterType type = declaration.type;
  if (type == ParameterType::kBool && value != 0 && value != 1)
    fail("is neither on nor off; use 1 (true) or 0 (false)");
  if (!std::isfinite(value)) fail("is not a finite number");
  const bool low = declaration.min_excluded ? value <= declaration.min : value < declaration.min;
  const bool high = declaration.max_excluded ? value >= declaration.max : value > declaration.max;
  if (low || high) fail("is out of range; use " + range_text(declaration));
  const bool whole = type == ParameterType::kInt || type == ParameterType::kMenu;
  if (whole && value != std::floor(value)) fail("must be a whole number");
}

void check_value(const Parameter& declaration, const ParameterValue& value,
                 const std::string& where) {
  if (declaration.type != ParameterType::kVector3)
    check_number(declaration, value.number, where);
  else
    for (const double component : value.vector) check_number(declaration, component, where);
}

void hash_value(const Parameter& declaration, const ParameterValue& value, Hash& hash) {
  if (declaration.type == ParameterType::kVector3)
    hash.add(value.vector.data(), 3 * sizeof(double));
  else if (declaration.type == ParameterType::kFloat)
    hash.add_value(value.number);
  else
    hash.add_value(static_cast<int>(value.number));
}

}  // namespace dashpot
