#include <cstdio>
#include <filesystem>
#include <memory>

#include "standalone/cli/commands.h"
#include "standalone/cli/geometry_info.h"
#include "standalone/formats/vdb_file.h"

namespace dashpot {
namespace {

// Names in a file may be in any encoding.
void print_json(const Json& info) {
  std::printf("%s\n", info.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

void describe(const std::string& path, bool as_json) {
  using Make = Json (*)(const std::string&);
  using Print = void (*)(const Json&);
  std::pair<Make, Print> kind{geometry_info, print_geometry_info};
  if (std::filesystem::path(path).extension() == ".toml") kind = {scene_info, print_scene_info};
  if (is_vdb_file(path)) kind = {vdb_info, print_vdb_info};
  const Json info = kind.first(path);
  (as_json ? print_json : kind.second)(info);
}

}  // namespace

void add_info_command(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("info", "Describe a geometry file, an OpenVDB volume or a scene");
  auto path = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false);
  command
      ->add_option("file", *path, "Geometry of any format that convert knows, .vdb, or scene.toml")
      ->required();
  command->add_flag("--json", *as_json, "As JSON");
  command->callback([path, as_json, &action] {
    action = [path, as_json] {
      describe(*path, *as_json);
      return kExitDone;
    };
  });
}

}  // namespace dashpot
