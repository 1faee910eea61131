#include <cstdio>
#include <filesystem>
#include <memory>

#include "solver/base/error.h"
#include "solver/mesh/boundary.h"
#include "solver/mesh/quality.h"
#include "standalone/cli/commands.h"
#include "standalone/cli/json.h"
#include "standalone/formats/mesh_reader.h"
#include "standalone/scene/scene_file.h"

namespace dashpot {
namespace {

using Groups = std::map<std::string, std::vector<int>>;

void print_bounds(const Points& points) {
  const Vec3 low = points.rowwise().minCoeff();
  const Vec3 high = points.rowwise().maxCoeff();
  std::printf("bounds   [%g, %g, %g] to [%g, %g, %g] m\n", low.x(), low.y(), low.z(), high.x(),
              high.y(), high.z());
}

void print_groups(const char* kind, const Groups& groups) {
  for (const auto& [name, members] : groups)
    std::printf("group    %s: %zu %s\n", name.c_str(), members.size(), kind);
}

Json groups_json(const Groups& groups) {
  Json json = Json::object();
  for (const auto& [name, members] : groups) json[name] = members.size();
  return json;
}

Json quality_json(const QualityReport& report) {
  return {{"valid", !report.has_errors()},
          {"not_finite_points", report.not_finite_points},
          {"bad_index_tets", report.bad_index_tets},
          {"degenerate_tets", report.degenerate_tets},
          {"inverted_tets", report.inverted_tets},
          {"sliver_tets", report.sliver_tets},
          {"unreferenced_points", report.unreferenced_points},
          {"pieces", report.pieces},
          {"orientation", report.negative_orientation ? "negative" : "positive"},
          {"min_quality", report.min_quality},
          {"mean_quality", report.mean_quality},
          {"volume", report.volume},
          {"min_edge", report.min_edge},
          {"mean_edge", report.mean_edge},
          {"max_edge", report.max_edge}};
}

void describe_geometry(const std::string& path, bool as_json) {
  const TetGeometry geometry = read_tet_geometry(path);
  if (geometry.points.cols() == 0) throw InputError(path + ": the file has no points.");
  const QualityReport report = inspect_mesh(geometry.points, geometry.tets);
  const std::size_t triangles = boundary_surface(geometry.tets).size();
  if (as_json) {
    const Json json = {{"file", path},
                       {"points", geometry.points.cols()},
                       {"tets", geometry.tets.size()},
                       {"boundary_triangles", triangles},
                       {"bounds",
                        {to_json(geometry.points.rowwise().minCoeff()),
                         to_json(geometry.points.rowwise().maxCoeff())}},
                       {"point_groups", groups_json(geometry.point_groups)},
                       {"tet_groups", groups_json(geometry.tet_groups)},
                       {"quality", quality_json(report)}};
    std::printf("%s\n", json.dump(2).c_str());
    return;
  }
  std::printf("%s\n", path.c_str());
  std::printf("points   %ld\n", static_cast<long>(geometry.points.cols()));
  std::printf("tets     %zu, with %zu triangles on the surface\n", geometry.tets.size(), triangles);
  print_bounds(geometry.points);
  print_groups("points", geometry.point_groups);
  print_groups("tets", geometry.tet_groups);
  std::printf("%s", to_text(report).c_str());
}

int pinned_points(const Body& body) {
  std::size_t count = 0;
  for (const Pin& pin : body.pins) count += pin.points.size();
  return static_cast<int>(count);
}

void describe_scene(const std::string& path, bool as_json) {
  const SceneFile file = load_scene_file(path);
  Json bodies = Json::array();
  for (std::size_t b = 0; b < file.scene.bodies.size(); ++b) {
    const Body& body = file.scene.bodies[b];
    bodies.push_back({{"name", body.name},
                      {"geometry", file.sources[b].geometry},
                      {"points", body.mesh.point_count()},
                      {"tets", body.mesh.tet_count()},
                      {"pinned", pinned_points(body)}});
  }
  if (as_json) {
    const Json json = {{"file", path},
                       {"first_frame", file.first_frame},
                       {"last_frame", file.last_frame},
                       {"fps", file.fps},
                       {"bodies", bodies}};
    std::printf("%s\n", json.dump(2).c_str());
    return;
  }
  std::printf("%s\n", path.c_str());
  std::printf("frames   %d to %d at %g per second\n", file.first_frame, file.last_frame, file.fps);
  for (const Json& body : bodies)
    std::printf("body     %s: %d points (%d pinned), %d tets, %s\n",
                body["name"].get<std::string>().c_str(), body["points"].get<int>(),
                body["pinned"].get<int>(), body["tets"].get<int>(),
                body["geometry"].get<std::string>().c_str());
}

}  // namespace

void add_info_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("info", "Describe a tet mesh or a scene file");
  auto path = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false);
  command->add_option("file", *path, "Mesh file or scene.toml")->required();
  command->add_flag("--json", *as_json, "As JSON");
  command->callback([path, as_json, &action] {
    action = [path, as_json] {
      if (std::filesystem::path(*path).extension() == ".toml")
        describe_scene(*path, *as_json);
      else
        describe_geometry(*path, *as_json);
      return kExitDone;
    };
  });
}

}  // namespace dashpot
