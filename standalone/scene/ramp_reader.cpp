#include "standalone/scene/ramp_reader.h"

#include "solver/base/error.h"
#include "solver/base/words.h"
#include "standalone/scene/table_reader.h"

namespace dashpot {
namespace {

RampInterpolation interpolation_of(const TableReader& reader, const toml::node& node) {
  const std::vector<std::string> tokens = menu_tokens(ramp_interpolations());
  const auto word = node.value<std::string>();
  if (!word)
    reader.fail("interp",
                "must be one of " + listed(tokens, "or") + ", or a list of them, one per key");
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (*word == tokens[i]) return static_cast<RampInterpolation>(i);
  reader.fail_choice("interp", "has no choice '" + *word + "'", *word, tokens);
}

RampKey read_key(const TableReader& reader, const toml::node& node) {
  const toml::array* pair = node.as_array();
  const auto position = pair && pair->size() == 2 ? pair->get(0)->value<double>() : std::nullopt;
  const auto value = position ? pair->get(1)->value<double>() : std::nullopt;
  if (!value) reader.fail("keys", "must be a list of [position, value]");
  RampKey key;
  key.position = *position;
  key.value = *value;
  return key;
}

}  // namespace

std::shared_ptr<const Ramp> read_ramp(const TableReader& table, const Parameter& declaration) {
  const toml::table* found = table.table(
      declaration.token, "a table { keys = [[position, value], ...], interp = \"monotonecubic\" }");
  if (!found) return nullptr;
  const TableReader reader(*found, table.owner() + " " + declaration.token, {"keys", "interp"});
  const toml::array* list = reader.require("keys").as_array();
  if (!list) reader.fail("keys", "must be a list of [position, value]");
  std::vector<RampKey> keys;
  for (const toml::node& node : *list) keys.push_back(read_key(reader, node));
  if (const toml::node* interp = reader.find("interp")) {
    const toml::array* each = interp->as_array();
    if (each && each->size() != keys.size())
      reader.fail("interp",
                  "must have as many entries as there are keys, " + std::to_string(keys.size()));
    for (std::size_t i = 0; i < keys.size(); ++i)
      keys[i].interpolation = interpolation_of(reader, each ? *each->get(i) : *interp);
  }
  return std::make_shared<const Ramp>(std::move(keys), table.where(declaration.token));
}

}  // namespace dashpot
