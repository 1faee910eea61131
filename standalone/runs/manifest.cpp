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
  std::string key;
  const auto entry = [&](const char* name) -> const Json& { return json.at(key = name); };
  try {
    manifest.frames = entry("frames");
    manifest.stats = entry("stats");
    manifest.first_frame = entry("first_frame");
    manifest.last_frame = entry("last_frame");
    manifest.fps = entry("fps");
    for (int axis = 0; axis < 3; ++axis)
      manifest.gravity[axis] = entry("gravity").at(static_cast<std::size_t>(axis));
    for (const Json& body : entry("bodies")) manifest.bodies.push_back(body_from_json(body));
  } catch (const Json::exception&) {
    throw InputError("its entry " + key + " is missing or not of its kind");
  }
  if (!(manifest.fps > 0)) throw InputError("fps must be above zero.");
  if (manifest.last_frame < manifest.first_frame)
    throw InputError("last_frame is before first_frame.");
  return manifest;
}

}  // namespace dashpot
