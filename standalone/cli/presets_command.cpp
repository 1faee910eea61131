#include <cstdio>
#include <sstream>

#include "solver/host/node_ramp.h"
#include "solver/host/presets.h"
#include "standalone/cli/json.h"
#include "standalone/cli/print_formats.h"

namespace dashpot {
namespace {

std::string preset_value_text(const Preset::Value& value) {
  const Parameter& p = parameter(value.token);
  if (p.type == ParameterType::kMenu) return p.menu[static_cast<std::size_t>(value.number)].token;
  std::ostringstream out;
  out << value.number << (p.unit.empty() ? "" : " " + p.unit);
  return out.str();
}

std::string preset_ramp_text(const std::vector<RampKey>& keys) {
  std::ostringstream out;
  for (std::size_t i = 0; i < keys.size(); ++i)
    out << (i ? ", " : "") << keys[i].position << ": " << keys[i].value;
  return out.str();
}

void print_presets() {
  for (const Preset& preset : presets())
    std::printf("%-18s %s\n", preset.token.c_str(), preset.looks.c_str());
}

void print_presets_json() {
  Json list = Json::array();
  for (const Preset& preset : presets()) {
    Json values = Json::object();
    for (const std::string& token : preset_parameters()) {
      const Parameter& p = parameter(token);
      if (p.type == ParameterType::kRamp) continue;
      const double number = preset_value(preset, token);
      if (p.type == ParameterType::kMenu)
        values[token] = p.menu[static_cast<std::size_t>(number)].token;
      else
        values[token] = number;
    }
    Json ramp = Json::array();
    const Parameter& declared = parameter("dampingramp");
    const NodeRamp of_node = node_ramp(declared, preset.ramp.empty() ? declared.ramp : preset.ramp);
    for (const RampKey& key : of_node.keys)
      ramp.push_back({{"position", key.position},
                      {"value", key.value},
                      {"interpolation",
                       ramp_interpolations()[static_cast<std::size_t>(key.interpolation)].token}});
    list.push_back({{"token", preset.token},
                    {"label", preset.label},
                    {"looks", preset.looks},
                    {"physics", preset.physics},
                    {"values", values},
                    {"ranges", {{range_token(declared), {of_node.range.low, of_node.range.high}}}},
                    {"ramps", {{declared.token, ramp}}}});
  }
  std::printf("%s\n", list.dump(2).c_str());
}

constexpr const char* kIntroduction =
    "<!-- Made by `dashpot presets --markdown`; do not edit. -->\n# Presets\n\n"
    "    dashpot simulate scene.toml --preset jelly              # all bodies\n"
    "    dashpot simulate scene.toml --preset tummy=fleshjiggle  # one of them\n\n"
    "A preset replaces every key of material and damping that the scene file gives the body, and "
    "nothing else:\ngeometry, pins, motion and the `[simulation]` stay. `--set` wins over it, and "
    "attributes of the geometry win over\nboth. In Houdini the same table is the Preset menu of "
    "Dashpot Soft Body and Dashpot Damping, and the gear menu of\nthe nodes.\n\n"
    "The pictures are `examples/presets.toml`, a block that is twisted by 75 degrees and let go "
    "without weight: after\n0, 0.25, 0.5 and 2.5 s. The curves are its energy over 3 s, relative "
    "to "
    "the start. Made by `tools/make_preset_pictures`.\n";

void print_presets_markdown() {
  std::fputs(kIntroduction, stdout);
  for (const Preset& preset : presets()) {
    std::printf(
        "\n## %s\n\n`%s`: %s\n\n![%s](images/presets/%s.png)\n\n"
        "![Energy of %s](images/presets/%s.svg)\n\n%s\n\n| parameter | value |\n|---|---|\n",
        preset.label.c_str(), preset.token.c_str(), preset.looks.c_str(), preset.label.c_str(),
        preset.token.c_str(), preset.label.c_str(), preset.token.c_str(), preset.physics.c_str());
    for (const Preset::Value& value : preset.values)
      std::printf("| `%s` | %s |\n", value.token.c_str(), preset_value_text(value).c_str());
    if (!preset.ramp.empty())
      std::printf("| `dampingramp` | %s |\n", preset_ramp_text(preset.ramp).c_str());
  }
}

}  // namespace

void add_presets_command(CLI::App& app, Action& action) {
  add_print_formats(*app.add_subcommand("presets", "List the presets of material and damping"),
                    print_presets,
                    {{"--json", "As JSON", print_presets_json},
                     {"--markdown", "As the page docs/presets.md", print_presets_markdown}},
                    action);
}

}  // namespace dashpot
