#include "standalone/scene/table_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "solver/base/error.h"
#include "solver/base/words.h"
#include "solver/parameters/parameters.h"

namespace dashpot {
namespace {

std::string kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array of " + std::to_string(node.as_array()->size());
    case toml::node_type::string:
      return "the text '" + node.as_string()->get() + "'";
    case toml::node_type::integer:
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
  }
}

// All entries as finite numbers, or nothing.
std::optional<std::vector<double>> finite_numbers(const toml::node& node, std::size_t count) {
  const toml::array* array = node.as_array();
  if (!array || array->size() != count) return std::nullopt;
  std::vector<double> values;
  for (const toml::node& entry : *array) {
    const auto value = entry.is_number() ? entry.value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value)) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

// A key that is right, or nearly, but of another table.
std::string other_place(const std::string& name) {
  std::vector<std::string> all = {"frames", "fps"};
  for (const Parameter& p : parameters()) all.push_back(p.token);
  static const std::map<std::string, std::string> symbols = {
      {"E", "youngsmodulus"}, {"nu", "poissonratio"}, {"rho", "massdensity"}};
  const auto symbol = symbols.find(name);
  const std::string near = symbol != symbols.end() ? symbol->second : nearest_word(name, all);
  if (near.empty()) return "";
  const Parameter* p = find_parameter(near);
  std::string place = "[[body]]";
  if (!p || p->scope == ParameterScope::kSolver) place = "[simulation]";
  if (p && p->scope == ParameterScope::kCollider)
    place = p->is_of_body_contact() ? "[[body]] and [[collider]]" : "[[collider]]";
  if (near == name) return "; it is a key of " + place + ".";
  return "; did you mean '" + near + "', a key of " + place + "?";
}

}  // namespace

std::string place_of(const toml::source_region& source) {
  std::string file = source.path ? *source.path : "scene";
  if (file.rfind("--set ", 0) == 0 || source.begin.line == 0) return file;
  return file + ":" + std::to_string(source.begin.line);
}

TableReader::TableReader(const toml::table& table, std::string owner,
                         const std::vector<std::string>& known)
    : table_(table), owner_(std::move(owner)) {
  for (const auto& [key, value] : table) {
    const std::string name(key.str());
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string sentence = place_of(value.source()) + ": " + owner_ + " has no key '" + name + "'";
    const std::string elsewhere = other_place(name);
    if (nearest_word(name, known).empty() && !elsewhere.empty())
      throw InputError(sentence + elsewhere);
    throw InputError(sentence + did_you_mean(name, known));
  }
}

const toml::node& TableReader::require(const std::string& key) const {
  const toml::node* node = find(key);
  if (!node)
    throw InputError(place_of(table_.source()) + ": " + owner_ + " needs the key '" + key + "'.");
  return *node;
}

std::optional<double> TableReader::number(const std::string& key) const {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  if (!node->is_number()) fail_type(key, "a number");
  const double value = *node->value<double>();
  if (!std::isfinite(value)) fail(key, "must be a finite number");
  return value;
}

std::optional<double> TableReader::positive_number(const std::string& key) const {
  const auto value = number(key);
  if (value && *value <= 0) fail(key, "must be above 0");
  return value;
}

std::optional<int> TableReader::whole_number(const std::string& key) const {
  const auto value = number(key);
  if (!value) return std::nullopt;
  if (*value != std::floor(*value) || std::abs(*value) > std::numeric_limits<int>::max())
    fail(key, "must be a whole number");
  return static_cast<int>(*value);
}

std::optional<double> TableReader::on_or_off(const std::string& key) const {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  if (node->is_boolean()) return node->as_boolean()->get() ? 1 : 0;
  if (!node->is_number()) fail_type(key, "true or false");
  return node->value<double>();
}

std::optional<std::string> TableReader::text(const std::string& key) const {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  if (!node->is_string()) fail_type(key, "text in quotes");
  return node->as_string()->get();
}

std::optional<std::vector<std::string>> TableReader::texts(const std::string& key,
                                                           const std::string& meaning) const {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  const toml::array* array = node->as_array();
  if (!array) fail_type(key, meaning);
  std::vector<std::string> texts;
  for (const toml::node& entry : *array) {
    if (!entry.is_string()) fail(key, "must be " + meaning + ", each of them text in quotes");
    texts.push_back(entry.as_string()->get());
  }
  return texts;
}

std::optional<Vec3> TableReader::vector(const std::string& key) const {
  const auto values = numbers(key, 3, "three numbers [x, y, z]");
  if (!values) return std::nullopt;
  return Vec3((*values)[0], (*values)[1], (*values)[2]);
}

std::optional<Mat3> TableReader::matrix(const std::string& key) const {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  static const std::string kMeaning = "three rows of three numbers";
  const toml::array* rows = node->as_array();
  if (!rows || rows->size() != 3) fail_type(key, kMeaning);
  Mat3 result;
  for (std::size_t r = 0; r < 3; ++r) {
    const auto row = finite_numbers((*rows)[r], 3);
    if (!row) fail(key, "must be " + kMeaning);
    for (std::size_t c = 0; c < 3; ++c)
      result(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) = (*row)[c];
  }
  return result;
}

std::optional<std::vector<double>> TableReader::numbers(const std::string& key, std::size_t count,
                                                        const std::string& meaning) const {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  auto values = finite_numbers(*node, count);
  const bool right_size = node->is_array() && node->as_array()->size() == count;
  if (!values && right_size) fail(key, "must be " + meaning + ", all of them finite numbers");
  if (!values) fail_type(key, meaning);
  return values;
}

const toml::table* TableReader::table(const std::string& key, const std::string& meaning) const {
  const toml::node* node = find(key);
  if (!node) return nullptr;
  if (!node->is_table()) fail_type(key, meaning);
  return node->as_table();
}

std::string TableReader::where(const std::string& key) const {
  const toml::node* node = find(key);
  return place_of(node ? node->source() : table_.source()) + ": " + owner_;
}

void TableReader::fail(const std::string& key, const std::string& complaint) const {
  throw InputError(where(key) + ": " + key + " " + complaint + ".");
}

void TableReader::fail_choice(const std::string& key, const std::string& complaint,
                              const std::string& word,
                              const std::vector<std::string>& choices) const {
  throw InputError(where(key) + ": " + key + " " + complaint + did_you_mean(word, choices));
}

void TableReader::fail_type(const std::string& key, const std::string& meaning) const {
  fail(key, "must be " + meaning + ", not " + kind_of(*find(key)));
}

}  // namespace dashpot
