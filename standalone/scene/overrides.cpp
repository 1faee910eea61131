#include "standalone/scene/overrides.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <utility>

#include "solver/base/error.h"
#include "solver/base/words.h"

namespace dashpot {
namespace {

[[noreturn]] void fail(const std::string& source, const std::string& complaint) {
  throw InputError(source + ": " + complaint + ".");
}

bool starts_like_a_word(const std::string& text) {
  const auto first = static_cast<unsigned char>(text.empty() ? '"' : text.front());
  return std::isalpha(first) || first == '_' || first == '/' || first == '.' || first == '$';
}

toml::table parse_value(const std::string& text, const std::string& source) {
  try {
    toml::table holder = toml::parse("value = " + text, source);
    if (holder.size() == 1) return holder;
  } catch (const toml::parse_error&) {
    if (starts_like_a_word(text) && text.find_first_of("\"\\\n") == std::string::npos)
      return toml::parse("value = \"" + text + "\"", source);
  }
  fail(source, "'" + text + "' is not a value; write a number, a word, \"text\" or [x, y, z]");
}

// An empty table that knows where it came from, unlike one made by its constructor.
toml::table empty_table(const std::string& source) {
  return std::move(*toml::parse("value = {}", source)["value"].as_table());
}

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (true) {
    const std::size_t dot = path.find('.', begin);
    parts.push_back(path.substr(begin, dot - begin));
    if (dot == std::string::npos) return parts;
    begin = dot + 1;
  }
}

// Names may contain dots, so the body or collider is found before the rest of the path is split; of
// 'a' and 'a.b' the longer one is meant where both fit.
toml::table& find_entry(toml::table& scene, const std::string& kind, const std::string& example,
                        std::string& path, const std::string& source) {
  std::vector<std::string> names;
  toml::table* found = nullptr;
  std::size_t length = 0;
  if (toml::array* bodies = scene[kind].as_array()) {
    for (toml::node& node : *bodies) {
      toml::table* body = node.as_table();
      const auto name = body ? (*body)["name"].value<std::string>() : std::nullopt;
      if (!name) continue;
      if (path.rfind(*name + ".", 0) == 0 && (!found || name->size() > length)) {
        found = body;
        length = name->size();
      }
      names.push_back(*name);
    }
  }
  if (found) {
    path = path.substr(length + 1);
    return *found;
  }
  const std::string wanted = path.substr(0, path.find('.'));
  if (std::find(names.begin(), names.end(), wanted) != names.end())
    fail(source, "say which key of the " + kind + ", as in " + kind + "." + wanted + example);
  const std::string sentence = source + ": there is no " + kind + " '" + wanted + "'";
  if (!scene.contains(kind)) throw InputError(sentence + ": the scene has none.");
  if (names.empty())
    throw InputError(sentence + "; those of the scene have no names, so give them some.");
  throw InputError(sentence + " in the scene" + did_you_mean(wanted, names));
}

toml::table& find_root(toml::table& scene, std::string& path, const std::string& source) {
  const std::string head = path.substr(0, path.find('.'));
  if (head == path) fail(source, "write simulation.key=value or body.name.key=value");
  path = path.substr(head.size() + 1);
  if (head == "body") return find_entry(scene, head, ".youngsmodulus=1e6", path, source);
  if (head == "collider") return find_entry(scene, head, ".friction=0.2", path, source);
  if (head != "simulation") {
    const std::vector<std::string> heads = {"simulation", "body", "collider"};
    const std::string sentence = "'" + head + "' is not simulation, body or collider";
    if (!nearest_word(head, heads).empty())
      throw InputError(source + ": " + sentence + did_you_mean(head, heads));
    fail(source, sentence +
                     "; write simulation.key=value, body.name.key=value or "
                     "collider.name.key=value");
  }
  if (!scene.contains("simulation")) scene.insert("simulation", empty_table(source));
  if (toml::table* table = scene["simulation"].as_table()) return *table;
  fail(source, "simulation is not a table in this scene file");
}

// The array entry or table below `node` that `part` names; tables are made if absent.
toml::node& step_into(toml::node& node, const std::string& part, const std::string& source) {
  if (toml::array* array = node.as_array()) {
    const bool is_number =
        !part.empty() && part.size() < 7 &&
        std::all_of(part.begin(), part.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    const std::size_t index = is_number ? std::stoul(part) : array->size();
    if (index >= array->size())
      fail(source, "'" + part +
                       "' must be the number of an entry, counted from 0, of an array of " +
                       std::to_string(array->size()));
    return (*array)[index];
  }
  toml::table* table = node.as_table();
  if (!table) fail(source, "'" + part + "' is below a value that is not a table");
  if (!table->contains(part)) table->insert(part, empty_table(source));
  return *table->get(part);
}

void apply(toml::table& scene, const std::string& argument) {
  const std::string source = "--set " + argument;
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos || equals == 0) fail(source, "write key=value");
  std::string path = argument.substr(0, equals);
  toml::table value = parse_value(argument.substr(equals + 1), source);

  toml::node* node = &find_root(scene, path, source);
  const std::vector<std::string> parts = split(path);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) node = &step_into(*node, parts[i], source);
  toml::table* table = node->as_table();
  if (!table) fail(source, "'" + parts.back() + "' is below a value that is not a table");
  // Moved, not copied: a copy would forget that it came from the command line.
  value.get("value")->visit(
      [&](auto& concrete) { table->insert_or_assign(parts.back(), std::move(concrete)); });
}

}  // namespace

void apply_overrides(toml::table& scene, const std::vector<std::string>& overrides) {
  for (const std::string& argument : overrides) apply(scene, argument);
}

}  // namespace dashpot
