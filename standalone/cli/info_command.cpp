#include <cstdio>
#include <filesystem>
#include <memory>

#include "standalone/cli/commands.h"
#include "standalone/cli/geometry_info.h"
#include "standalone/formats/vdb_file.h"
#include "standalone/scene/scene_file.h"

namespace dashpot {
namespace {

int pinned_points(const Body& body) {
  std::size_t count = 0;
  for (const Pin& pin : body.pins) count += pin.points.size();
  return static_cast<int>(count);
}

Json scene_info(const std::string& path) {
  const SceneFile file = load_scene_file(path);
  Json bodies = Json::array();
  for (std::size_t b = 0; b < file.scene.bodies.size(); ++b) {
    const Body& body = file.scene.bodies[b];
    const BodySource& source = file.sources[b];
    bodies.push_back({{"name", body.name},
                      {"geometry", source.description},
                      {"points", body.mesh.point_count()},
                      {"embedded_points", source.embedded_points.size()},
                      {"loose_points", source.loose_points.size()},
                      {"tets", body.mesh.tet_count()},
                      {"pinned", pinned_points(body)}});
  }
  return {{"file", path},
          {"format", "scene"},
          {"first_frame", file.first_frame},
          {"last_frame", file.last_frame},
          {"fps", file.fps},
          {"bodies", bodies},
          {"warnings", file.warnings}};
}

void print_scene_info(const Json& info) {
  std::printf("%s\n", info["file"].get<std::string>().c_str());
  std::printf("frames   %d to %d at %g per second\n", info["first_frame"].get<int>(),
              info["last_frame"].get<int>(), info["fps"].get<double>());
  for (const Json& body : info["bodies"]) {
    std::printf("body     %s: %d points (%d pinned), %d tets, %s",
                body["name"].get<std::string>().c_str(), body["points"].get<int>(),
                body["pinned"].get<int>(), body["tets"].get<int>(),
                body["geometry"].get<std::string>().c_str());
    if (const int embedded = body["embedded_points"]; embedded > 0)
      std::printf(", %d embedded points", embedded);
    std::printf("\n");
  }
  for (const Json& warning : info["warnings"])
    std::printf("note     %s\n", warning.get<std::string>().c_str());
}

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
