#include "standalone/runs/collider_record.h"

#include <limits>

#include "solver/base/error.h"
#include "solver/parameters/parameters.h"

namespace dashpot {
namespace {

using Json = nlohmann::ordered_json;

Json vector_json(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

Vec3 vector_from(const Json& json) {
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

Json motion_json(const RigidMotion& motion) {
  Json json = {{"velocity", vector_json(motion.velocity)},
               {"angularvelocity", vector_json(motion.angular_velocity)},
               {"pivot", vector_json(motion.pivot)},
               {"amplitude", vector_json(motion.amplitude)},
               {"frequency", motion.frequency},
               {"start", motion.start}};
  if (motion.end < std::numeric_limits<double>::infinity()) json["end"] = motion.end;
  return json;
}

RigidMotion motion_from(const Json& json) {
  RigidMotion motion;
  motion.velocity = vector_from(json.at("velocity"));
  motion.angular_velocity = vector_from(json.at("angularvelocity"));
  motion.pivot = vector_from(json.at("pivot"));
  motion.amplitude = vector_from(json.at("amplitude"));
  motion.frequency = json.at("frequency");
  motion.start = json.at("start");
  if (json.contains("end")) motion.end = json.at("end");
  return motion;
}

Json shape_json(const LevelSetShape& shape) {
  Json rotation = Json::array();
  for (int c = 0; c < 3; ++c) rotation.push_back(vector_json(Vec3(shape.rotation.col(c))));
  return {{"type", shape.type},
          {"voxelsize", shape.voxel_size},
          {"size", vector_json(shape.size)},
          {"radius", shape.radius},
          {"height", shape.height},
          {"thickness", shape.thickness},
          {"slope", shape.slope},
          {"seed", shape.seed},
          {"rotation", rotation},
          {"translation", vector_json(shape.translation)}};
}

LevelSetShape shape_from(const Json& json) {
  LevelSetShape shape;
  shape.type = json.at("type");
  shape.voxel_size = json.at("voxelsize");
  shape.size = vector_from(json.at("size"));
  shape.radius = json.at("radius");
  shape.height = json.at("height");
  shape.thickness = json.value("thickness", shape.thickness);  // runs before bowls have none
  shape.slope = json.at("slope");
  shape.seed = json.at("seed");
  for (int c = 0; c < 3; ++c)
    shape.rotation.col(c) = vector_from(json.at("rotation").at(static_cast<std::size_t>(c)));
  shape.translation = vector_from(json.at("translation"));
  return shape;
}

}  // namespace

Json collider_json(const SceneCollider& collider, const ColliderSource& source) {
  Json json = {{"name", collider.collider.name}};
  for (const Parameter& p : parameters())
    if (p.scope == ParameterScope::kCollider)
      json[p.token] = p.coefficient.get(collider.collider).number;
  if (source.plane)
    json["plane"] = {{"point", vector_json(source.plane->first)},
                     {"normal", vector_json(source.plane->second)}};
  if (source.shape) json["shape"] = shape_json(*source.shape);
  for (const VdbColliderFile& file : source.files)
    json["vdb"].push_back(
        {{"time", file.time}, {"file", std::filesystem::absolute(file.path).string()}});
  if (!source.grid.empty()) json["grid"] = source.grid;
  for (const RigidMotion& motion : source.motion) json["motion"].push_back(motion_json(motion));
  return json;
}

ColliderSource collider_from_json(const Json& json) try {
  ColliderSource source;
  if (json.contains("plane"))
    source.plane = {vector_from(json["plane"].at("point")),
                    vector_from(json["plane"].at("normal"))};
  if (json.contains("shape")) source.shape = shape_from(json["shape"]);
  if (json.contains("vdb"))
    for (const Json& file : json["vdb"])
      source.files.push_back({file.at("time"), std::string(file.at("file"))});
  if (json.contains("grid")) source.grid = json["grid"];
  if (json.contains("motion"))
    for (const Json& motion : json["motion"]) source.motion.push_back(motion_from(motion));
  if (!source.plane && !source.shape && source.files.empty())
    throw InputError("run.json says neither plane nor shape nor vdb.");
  return source;
} catch (const Json::exception&) {
  throw InputError("run.json describes it wrongly; simulate the scene again.");
}

}  // namespace dashpot
