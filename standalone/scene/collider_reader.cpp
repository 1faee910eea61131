#include "standalone/scene/collider_reader.h"

#include <filesystem>
#include <memory>
#include <utility>

#include "solver/base/error.h"
#include "solver/contact/plane_shape.h"
#include "standalone/files/frame_name.h"
#include "standalone/formats/level_set_shapes.h"
#include "standalone/formats/vdb_collider.h"
#include "standalone/scene/initial_state.h"
#include "standalone/scene/motion_reader.h"
#include "standalone/scene/parameter_reader.h"
#include "standalone/scene/table_reader.h"

namespace dashpot {
namespace {

std::vector<std::string> collider_keys() {
  std::vector<std::string> keys = {"name",   "plane",  "vdb",      "shape",           "grid",
                                   "motion", "rotate", "velocity", "angularvelocity", "translate"};
  for (std::string& token : tokens(ParameterScope::kCollider)) keys.push_back(std::move(token));
  return keys;
}

std::shared_ptr<const ColliderShape> read_plane(const toml::table& table, const std::string& owner,
                                                ColliderSource& source) {
  const TableReader reader(table, owner, {"point", "normal"});
  const Vec3 point = reader.vector("point").value_or(Vec3::Zero());
  const Vec3 normal = reader.vector("normal").value_or(Vec3::UnitY());
  if (normal.norm() == 0) reader.fail("normal", "must not be zero");
  source.plane = {point, normal.normalized()};
  return std::make_shared<PlaneShape>(point, normal);
}

std::shared_ptr<const ColliderShape> read_vdb(const TableReader& reader, const SceneFile& file,
                                              ColliderSource& source) {
  const std::string pattern = *reader.text("vdb");
  const std::string grid = reader.text("grid").value_or("");
  const int last = has_frame_number(pattern) ? file.last_frame : file.first_frame;
  const std::filesystem::path folder = std::filesystem::path(file.path).parent_path();
  for (int frame = file.first_frame; frame <= last; ++frame) {
    const std::filesystem::path path = folder / frame_name(pattern, frame);
    if (!std::filesystem::exists(path))
      reader.fail("vdb", "names the file '" + path.string() + "', which does not exist" +
                             (last > frame || frame > file.first_frame
                                  ? "; a sequence needs one for every frame of the scene"
                                  : ""));
    source.files.push_back({file.time_of(frame), path});
    source.inputs.add(path);
  }
  source.inputs.add_sequence(folder / pattern);
  source.grid = grid;
  return read_vdb_collider(source.files, grid);
}

std::shared_ptr<const ColliderShape> read_level_set_shape(const TableReader& collider,
                                                          const toml::table& table,
                                                          const std::string& owner,
                                                          ColliderSource& source) {
  Placement placement;
  placement.translate = collider.vector("translate").value_or(placement.translate);
  placement.rotate = collider.vector("rotate").value_or(placement.rotate);
  const TableReader any(
      table, owner,
      {"type", "size", "radius", "height", "thickness", "voxelsize", "seed", "slope"});
  any.require("type");
  LevelSetShape shape;
  shape.type = *any.text("type");
  shape.voxel_size = any.positive_number("voxelsize").value_or(shape.voxel_size);
  shape.size = any.vector("size").value_or(shape.size);
  shape.radius = any.positive_number("radius").value_or(shape.radius);
  shape.height = any.positive_number("height").value_or(shape.height);
  shape.thickness = any.positive_number("thickness").value_or(shape.thickness);
  shape.slope = any.number("slope").value_or(shape.slope);
  shape.seed = any.whole_number("seed").value_or(shape.seed);
  shape.rotation = placement.rotation();
  shape.translation = placement.translate;
  if ((shape.size.array() <= 0).any()) any.fail("size", "must be above 0");
  source.shape = shape;
  try {
    return make_level_set_collider(shape);
  } catch (const InputError& error) {
    throw InputError(any.where("type") + ": " + error.what());
  }
}

std::vector<RigidMotion> read_rigid_motion(const TableReader& reader) {
  std::vector<RigidMotion> motion;
  const bool is_short = reader.has("velocity") || reader.has("angularvelocity");
  const toml::node* node = reader.find("motion");
  if (node && is_short)
    reader.fail("motion", "says all; move velocity and angularvelocity into it");
  const Vec3 pivot = reader.vector("translate").value_or(Vec3::Zero());
  const std::string owner = reader.owner() + " motion";
  if (is_short) {
    motion.emplace_back();
    motion.back().velocity = reader.vector("velocity").value_or(Vec3::Zero());
    motion.back().angular_velocity = reader.vector("angularvelocity").value_or(Vec3::Zero());
    motion.back().pivot = pivot;
  } else if (node && node->is_table()) {
    motion.push_back(read_motion(*node->as_table(), owner, pivot));
  } else if (node && node->is_array() && node->as_array()->is_homogeneous(toml::node_type::table)) {
    for (const toml::node& part : *node->as_array())
      motion.push_back(read_motion(*part.as_table(), owner, pivot));
  } else if (node) {
    reader.fail_type("motion", "a table such as { velocity = [0, 1, 0] } or an array of them");
  }
  return motion;
}

}  // namespace

SceneCollider read_collider(const toml::table& table, const std::string& name,
                            const SceneFile& file, ColliderSource& source) {
  const TableReader reader(table, "collider '" + name + "'", collider_keys());
  if (reader.has("plane") + reader.has("vdb") + reader.has("shape") != 1)
    throw InputError(place_of(table.source()) + ": " + reader.owner() +
                     " needs one of plane, vdb and shape.");
  if (!reader.has("shape"))
    for (const char* key : {"translate", "rotate"})
      if (reader.has(key)) reader.fail(key, "is for a shape; a plane or vdb is where it says");
  if (reader.has("grid") && !reader.has("vdb")) reader.fail("grid", "is for a vdb");
  SceneCollider result{read_coefficients(reader), {}};
  Collider& collider = result.collider;
  collider.name = name;
  result.motion = read_rigid_motion(reader);
  source.motion = result.motion;
  if (const toml::table* plane = reader.table("plane",
                                              "a table { point = [0, 0, 0], normal = "
                                              "[0, 1, 0] }"))
    collider.shape = read_plane(*plane, reader.owner() + " plane", source);
  else if (reader.has("vdb"))
    collider.shape = read_vdb(reader, file, source);
  else if (const toml::table* shape =
               reader.table("shape", "a table such as { type = \"sphere\", radius = 1 }"))
    collider.shape = read_level_set_shape(reader, *shape, reader.owner() + " shape", source);
  return result;
}

}  // namespace dashpot
