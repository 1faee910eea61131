#include "standalone/scene/geometry_source.h"

#include <array>
#include <limits>
#include <map>
#include <utility>

#include "solver/base/error.h"
#include "solver/base/words.h"
#include "solver/mesh/shapes.h"
#include "standalone/formats/geometry_file.h"
#include "standalone/formats/mesh_reader.h"

namespace dashpot {
namespace {

// The shapes know the key that is wrong, but not the place.
template <class Make>
TetGeometry placed(const TableReader& shape, const Make& make) {
  try {
    TetMesh mesh = make();
    return {std::move(mesh.rest), std::move(mesh.tets), {}, {}};
  } catch (const InputError& error) {
    throw InputError(shape.where("type") + ": " + error.what());
  }
}

TetGeometry read_box(const TableReader& shape) {
  const Vec3 size = shape.vector("size").value_or(Vec3::Ones());
  std::array<int, 3> cells = {8, 8, 8};
  const toml::node* node = shape.find("cells");
  if (node && node->is_number()) {
    cells.fill(*shape.whole_number("cells"));
  } else if (const auto values = shape.numbers("cells", 3, "a number or three numbers [x, y, z]")) {
    for (std::size_t i = 0; i < 3; ++i) {
      const double value = (*values)[i];
      cells[i] = static_cast<int>(value);
      if (value != cells[i]) shape.fail("cells", "must be whole numbers");
    }
  }
  return placed(shape, [&] { return make_box(size, cells); });
}

TetGeometry read_sphere(const TableReader& shape) {
  const double radius = shape.number("radius").value_or(0.5);
  const int cells = shape.whole_number("cells").value_or(8);
  return placed(shape, [&] { return make_sphere(radius, cells); });
}

TetGeometry read_cylinder(const TableReader& shape) {
  const double radius = shape.number("radius").value_or(0.5);
  const double height = shape.number("height").value_or(1.0);
  const int cells = shape.whole_number("cells").value_or(8);
  return placed(shape, [&] { return make_cylinder(radius, height, cells); });
}

TetGeometry read_torus(const TableReader& shape) {
  const double radius = shape.number("radius").value_or(0.5);
  const double thickness = shape.number("thickness").value_or(0.2);
  const int cells = shape.whole_number("cells").value_or(12);
  return placed(shape, [&] { return make_torus(radius, thickness, cells); });
}

struct ShapeType {
  std::vector<std::string> keys;
  TetGeometry (*read)(const TableReader&);
};

const std::map<std::string, ShapeType>& shape_types() {
  static const std::map<std::string, ShapeType> types = {
      {"box", {{"type", "size", "cells"}, read_box}},
      {"sphere", {{"type", "radius", "cells"}, read_sphere}},
      {"cylinder", {{"type", "radius", "height", "cells"}, read_cylinder}},
      {"torus", {{"type", "radius", "thickness", "cells"}, read_torus}},
  };
  return types;
}

TetGeometry read_shape(const TableReader& body, const toml::table& table) {
  std::vector<std::string> names;
  for (const auto& [name, type] : shape_types()) names.push_back(name);
  const toml::node* type = table.get("type");
  if (!type || !type->is_string())
    body.fail("geometry", "needs a type, one of " + listed(names, "or"));
  const std::string& name = type->as_string()->get();
  const auto found = shape_types().find(name);
  if (found == shape_types().end())
    body.fail_choice("geometry", "has no type '" + name + "'", name, names);
  return found->second.read(TableReader(table, body.owner() + " geometry", found->second.keys));
}

}  // namespace

void read_geometry_source(const TableReader& body, const std::filesystem::path& folder,
                          BodySource& source) {
  const toml::node& node = body.require("geometry");
  if (const toml::table* table = node.as_table()) {
    source.geometry = to_geometry(read_shape(body, *table));
    source.description = *(*table)["type"].value<std::string>();
    return;
  }
  if (!node.is_string())
    body.fail_type("geometry", "a file name or a shape such as { type = \"box\" }");
  const std::filesystem::path file = folder / node.as_string()->get();
  if (!std::filesystem::exists(file))
    body.fail("geometry", "names the file '" + file.string() + "', which does not exist");
  source.description = file.string();
  source.is_file = !is_mesh_file(file);
  source.geometry = read_geometry_file(file);
  for (const std::filesystem::path& part : files_of_mesh(file)) source.inputs.add(part);
}

}  // namespace dashpot
