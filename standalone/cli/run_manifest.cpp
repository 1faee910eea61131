#include "standalone/cli/run_manifest.h"

#include <algorithm>

#include "standalone/cli/parameter_json.h"
#include "standalone/cli/version.h"
#include "standalone/files/atomic_file.h"

namespace dashpot {
namespace {

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
                    {"parameters", body_parameters_json(scene.scene.bodies[b])}});
  }
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
                     {"simulation", solver_parameters_json(scene)},
                     {"bodies", bodies_json(manifest, scene)},
                     {"colliders", colliders_json(scene)},
                     {"warnings", scene.warnings}};
  write_file_atomically(path, json.dump(2) + "\n");
}

}  // namespace dashpot
