#include "standalone/runs/manifest.h"

#include "solver/base/error.h"

namespace dashpot {
namespace {

using Json = nlohmann::ordered_json;

RunManifest::Body body_from_json(const Json& json) {
  RunManifest::Body body{json.at("name"),       json.at("point_offset"), json.at("points"),
                         json.at("tet_offset"), json.at("tets"),         json.at("flipped")};
  if (body.point_offset < 0 || body.point_count < 0 || body.tet_offset < 0 || body.tet_count < 0)
    throw InputError("the body '" + body.name + "' has a negative count.");
  return body;
}

}  // namespace

RunManifest manifest_from_json(const Json& json) {
  RunManifest manifest;
  try {
    manifest.frames = json.at("frames");
    manifest.stats = json.at("stats");
    manifest.first_frame = json.at("first_frame");
    manifest.last_frame = json.at("last_frame");
    manifest.fps = json.at("fps");
    for (int axis = 0; axis < 3; ++axis)
      manifest.gravity[axis] = json.at("gravity").at(static_cast<std::size_t>(axis));
    for (const Json& body : json.at("bodies")) manifest.bodies.push_back(body_from_json(body));
  } catch (const Json::exception& error) {
    throw InputError(std::string(error.what()) + ".");
  }
  if (!(manifest.fps > 0)) throw InputError("fps must be above zero.");
  if (manifest.last_frame < manifest.first_frame)
    throw InputError("last_frame is before first_frame.");
  return manifest;
}

}  // namespace dashpot
