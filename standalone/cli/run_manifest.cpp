#include "standalone/cli/run_manifest.h"
#include "standalone/cli/json.h"

#include <algorithm>

#include "standalone/cli/version.h"
#include "standalone/files/atomic_file.h"
#include "standalone/runs/collider_record.h"

namespace dashpot {
namespace {

Json value_json(const Parameter& declaration, const ParameterValue& value) {
  if (declaration.type == ParameterType::kVector3) return to_json(value.vector);
  if (declaration.type == ParameterType::kMenu)
    return declaration.menu[static_cast<std::size_t>(value.number)].token;
  if (declaration.type == ParameterType::kInt) return static_cast<long>(value.number);
  return value.number;
}

// One value, or the range of values that differ from tet to tet.
Json field_json(const Parameter& declaration, const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  Json from = value_json(declaration, {*low, Vec3::Zero()});
  if (*low == *high) return from;
  return {{"from", from}, {"to", value_json(declaration, {*high, Vec3::Zero()})}};
}

Json body_parameters(const Body& body) {
  Json values = Json::object();
  for (const Parameter& p : parameters())
    if (p.scope == ParameterScope::kPrim)
      values[p.token] = field_json(p, body.fields.expand(p.token, body.mesh.tet_count()));
  return values;
}

Json bodies_json(const RunManifest& manifest, const SceneFile& scene) {
  Json list = Json::array();
  for (std::size_t b = 0; b < manifest.bodies.size(); ++b) {
    const RunManifest::Body& body = manifest.bodies[b];
    list.push_back({{"name", body.name},
                    {"geometry", scene.sources[b].description},
                    {"points", body.point_count},
                    {"tets", body.tet_count},
                    {"point_offset", body.point_offset},
                    {"tet_offset", body.tet_offset},
                    {"flipped", body.flipped},
                    {"parameters", body_parameters(scene.scene.bodies[b])}});
  }
  return list;
}

Json colliders_json(const SceneFile& scene) {
  Json list = Json::array();
  for (std::size_t c = 0; c < scene.collider_sources.size(); ++c)
    list.push_back(collider_json(scene.scene.colliders[c], scene.collider_sources[c]));
  return list;
}

}  // namespace

RunManifest describe_run(const SceneFile& scene, const FrameGeometry& frames) {
  RunManifest manifest;
  manifest.fps = scene.fps;
  manifest.gravity = scene.scene.settings.gravity;
  for (std::size_t b = 0; b < scene.scene.bodies.size(); ++b) {
    const Body& body = scene.scene.bodies[b];
    const FrameGeometry::Range& range = frames.bodies()[b];
    manifest.bodies.push_back({body.name, range.first_point, range.point_count, range.first_tet,
                               range.tet_count, body.mesh.flipped});
  }
  return manifest;
}

void write_manifest(const std::string& path, const RunManifest& manifest, const RunRecord& record,
                    const SceneFile& scene) {
  Json simulation = Json::object();
  for (const Parameter& p : parameters())
    if (p.scope == ParameterScope::kSolver)
      simulation[p.token] = value_json(p, scene.solver.at(p.token));
  const Json json = {{"dashpot", version()},
                     {"scene", scene.path},
                     {"command_line", record.command_line},
                     {"threads", record.threads},
                     {"frames", manifest.frames},
                     {"stats", manifest.stats},
                     {"first_frame", manifest.first_frame},
                     {"last_frame", manifest.last_frame},
                     {"fps", manifest.fps},
                     {"gravity", to_json(manifest.gravity)},
                     {"simulation", simulation},
                     {"bodies", bodies_json(manifest, scene)},
                     {"colliders", colliders_json(scene)}};
  write_file_atomically(path, json.dump(2) + "\n");
}

}  // namespace dashpot
