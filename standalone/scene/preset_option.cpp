#include "standalone/scene/preset_option.h"

#include <iomanip>
#include <sstream>
#include <utility>

#include "solver/base/error.h"
#include "solver/base/words.h"
#include "solver/host/presets.h"

namespace dashpot {
namespace {

void write_preset_ramp(std::ostream& out, const std::vector<RampKey>& keys) {
  out << "dampingramp = { keys = [";
  for (const RampKey& key : keys) out << "[" << key.position << ", " << key.value << "], ";
  out << "], interp = [";
  for (const RampKey& key : keys)
    out << "\"" << ramp_interpolations()[static_cast<std::size_t>(key.interpolation)].token
        << "\", ";
  out << "] }\n";
}

// The keys as a scene file would write them, so that messages and --set see nothing special.
toml::table preset_keys(const Preset& preset, const std::string& source) {
  std::ostringstream out;
  out << std::setprecision(17);
  for (const Preset::Value& value : preset.values) {
    const Parameter& p = parameter(value.token);
    out << value.token << " = ";
    if (p.type == ParameterType::kMenu)
      out << "\"" << p.menu[static_cast<std::size_t>(value.number)].token << "\"\n";
    else
      out << value.number << "\n";
  }
  if (!preset.ramp.empty()) write_preset_ramp(out, preset.ramp);
  return toml::parse(out.str(), source);
}

void replace_keys(toml::table& body, const Preset& preset, const std::string& source) {
  for (const std::string& token : preset_parameters()) body.erase(token);
  for (auto&& [key, node] : preset_keys(preset, source))
    node.visit([&, &name = key](auto& value) { body.insert_or_assign(name, std::move(value)); });
}

}  // namespace

void apply_presets(toml::table& scene, const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    const std::string source = "--preset " + argument;
    const std::size_t equals = argument.rfind('=');
    const bool all = equals == std::string::npos;
    const std::string wanted = all ? "" : argument.substr(0, equals);
    const Preset& preset = find_preset(all ? argument : argument.substr(equals + 1), source);
    bool found = false;
    std::vector<std::string> names;
    if (toml::array* bodies = scene["body"].as_array())
      for (toml::node& node : *bodies) {
        toml::table* body = node.as_table();
        const auto name = body ? (*body)["name"].value<std::string>() : std::nullopt;
        if (name) names.push_back(*name);
        if (!body || (!all && name != wanted)) continue;
        replace_keys(*body, preset, source);
        found = true;
      }
    if (!found && !all)
      throw InputError(source + ": there is no body '" + wanted + "' in the scene" +
                       did_you_mean(wanted, names));
  }
}

}  // namespace dashpot
