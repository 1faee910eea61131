#include "standalone/runs/run_names.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <numeric>
#include <optional>
#include <set>

namespace dashpot {
namespace {

constexpr std::size_t kLongestTitle = 72;

std::optional<double> as_number(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') return {};
  return number;
}

std::string value_of(const RunSettings& run, const std::string& key) {
  for (const auto& [own, value] : run)
    if (own == key) return value;
  return "";
}

std::vector<std::string> keys_of(const std::vector<RunSettings>& runs) {
  std::vector<std::string> keys;
  for (const RunSettings& run : runs)
    for (const auto& [key, value] : run)
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  return keys;
}

std::vector<std::string> values_of(const std::vector<RunSettings>& runs, const std::string& key) {
  std::vector<std::string> values;
  values.reserve(runs.size());
  for (const RunSettings& run : runs) values.push_back(value_of(run, key));
  return values;
}

// Where each value stands among the others.
std::vector<double> ranks(const std::vector<std::string>& values) {
  std::vector<double> result;
  for (const std::string& value : values)
    if (const auto number = as_number(value)) result.push_back(*number);
  if (result.size() == values.size()) return result;
  result.clear();
  for (const std::string& value : values)
    result.push_back(
        static_cast<double>(std::find(values.begin(), values.end(), value) - values.begin()));
  return result;
}

// "body.jelly.dampingtime" -> "dampingtime", or "jelly.dampingtime" with two words.
std::string last_words(const std::string& key, int count) {
  std::size_t begin = key.size();
  for (; count > 0 && begin != std::string::npos && begin > 0; --count)
    begin = key.rfind('.', begin - 1);
  return begin == std::string::npos || begin == 0 ? key : key.substr(begin + 1);
}

std::vector<std::string> short_keys(const std::vector<std::string>& keys) {
  std::vector<std::string> result = keys;
  for (int words = 1; words <= 8; ++words) {
    for (std::size_t k = 0; k < keys.size(); ++k) result[k] = last_words(keys[k], words);
    if (std::set<std::string>(result.begin(), result.end()).size() == keys.size()) break;
  }
  return result;
}

// Does a word end here? Points and signs within a number do not end one.
bool is_break(const std::string& text, std::size_t at) {
  const auto digit = [&](std::size_t i) {
    return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]));
  };
  const char c = text[at], before = at > 0 ? text[at - 1] : ' ';
  if (c == '.') return !(digit(at - 1) && digit(at + 1));
  if (c == '-') return !((before == 'e' || before == 'E') && digit(at - 2) && digit(at + 1));
  return c == ' ' || c == '_' || c == '/';
}

bool starts_number(const std::string& text, std::size_t at) {
  const char c = text[at];
  return std::isdigit(static_cast<unsigned char>(c)) || c == '-' || c == '+' || c == '.';
}

template <class Condition>
bool all_of(const std::vector<std::string>& names, const Condition& condition) {
  return std::all_of(names.begin(), names.end(), condition);
}

// How many characters of words all begin with; every name keeps some of its own.
std::size_t common_start(const std::vector<std::string>& names) {
  const std::string& first = names.front();
  std::size_t length = first.size();
  for (const std::string& name : names) {
    const auto differ = std::mismatch(first.begin(), first.end(), name.begin(), name.end());
    length =
        std::min({length, static_cast<std::size_t>(differ.first - first.begin()), name.size() - 1});
  }
  const auto back_to_word = [&](std::size_t at) {
    while (at > 0 && !all_of(names, [&](const auto& name) { return is_break(name, at - 1); })) --at;
    return at;
  };
  length = back_to_word(length);
  const auto numbered = [&](const std::string& name) { return starts_number(name, length); };
  while (length > 0 && !all_of(names, std::not_fn(numbered))) length = back_to_word(length - 1);
  return length;
}

std::size_t common_end(const std::vector<std::string>& names) {
  const std::string& first = names.front();
  std::size_t length = first.size();
  for (const std::string& name : names) {
    const auto differ = std::mismatch(first.rbegin(), first.rend(), name.rbegin(), name.rend());
    length = std::min(
        {length, static_cast<std::size_t>(differ.first - first.rbegin()), name.size() - 1});
  }
  while (length > 0 && !all_of(names, [&](const std::string& name) {
           return is_break(name, name.size() - length);
         }))
    --length;
  return length;
}

std::string folder_name(const std::string& path) {
  const std::filesystem::path whole = std::filesystem::absolute(path).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

bool are_unique(const std::vector<std::string>& names) {
  return std::set<std::string>(names.begin(), names.end()).size() == names.size();
}

}  // namespace

std::vector<std::size_t> order_of_values(const std::vector<RunSettings>& runs) {
  std::vector<std::vector<double>> places(runs.size());
  for (const std::string& key : keys_of(runs)) {
    const std::vector<double> of_key = ranks(values_of(runs, key));
    for (std::size_t r = 0; r < runs.size(); ++r) places[r].push_back(of_key[r]);
  }
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
  return order;
}

GridNames grid_names(const std::vector<RunSettings>& runs) {
  const std::vector<std::string> all = keys_of(runs);
  std::vector<std::string> varied;
  for (const std::string& key : all) {
    const std::vector<std::string> values = values_of(runs, key);
    if (std::set<std::string>(values.begin(), values.end()).size() > 1) varied.push_back(key);
  }
  if (varied.empty()) varied = all;
  GridNames names{short_keys(varied), {}};
  for (const RunSettings& run : runs) {
    std::string name;
    for (std::size_t k = 0; k < varied.size(); ++k)
      name += (name.empty() ? "" : ", ") + names.keys[k] + " " + value_of(run, varied[k]);
    names.runs.push_back(name);
  }
  return names;
}

std::vector<std::string> short_names(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  names.reserve(paths.size());
  for (const std::string& path : paths) names.push_back(folder_name(path));
  if (names.size() < 2) return names;
  if (!are_unique(names))
    for (std::size_t i = 0; i < paths.size(); ++i)
      names[i] =
          std::filesystem::absolute(paths[i] + "/.").lexically_normal().parent_path().string();
  if (!are_unique(names)) return names;
  const std::size_t start = common_start(names);
  for (std::string& name : names) name = name.substr(start);
  const std::size_t end = common_end(names);
  for (std::string& name : names) name.resize(name.size() - end);
  return names;
}

std::string joined_names(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  if (all.size() <= kLongestTitle || names.size() < 4) return all;
  return names[0] + ", " + names[1] + " and " + std::to_string(names.size() - 2) + " others";
}

}  // namespace dashpot
