#include "standalone/formats/geometry_file.h"

#include <map>
#include <utility>

#include "solver/base/error.h"
#include "standalone/files/input_files.h"
#include "standalone/formats/mesh_reader.h"
#include "standalone/formats/mesh_writer.h"
#include "standalone/geometry/geometry_reader.h"
#include "standalone/geometry/geometry_writer.h"
#include "standalone/geometry/groups.h"
#include "standalone/geometry/schema.h"

namespace dashpot {
namespace {

void note_attributes(const Geometry& geometry, const std::string& extension,
                     std::vector<std::string>& notes) {
  for (const AttributeSection& section : kAttributeSections) {
    std::vector<std::string> names;
    for (const Attribute& attribute : geometry.attributes) {
      const bool is_position = attribute.owner == ElementClass::kPoint && attribute.name == "P";
      if (attribute.owner == section.owner && !is_position) names.push_back(attribute.name);
    }
    if (!names.empty())
      notes.push_back(left_out(std::string(section.name) + " attributes", names, extension));
  }
}

void note_primitives(const Geometry& geometry, const std::string& extension,
                     std::vector<std::string>& notes) {
  std::map<std::string, std::int64_t> counts;
  for (const PrimitiveRun& run : geometry.primitives) {
    if (run.kind == PrimitiveRun::Kind::kPolygons) counts["polygons"] += run.count;
    if (run.kind == PrimitiveRun::Kind::kOther)
      counts["primitives of type '" + run.type + "'"] += run.count;
  }
  for (const auto& [what, count] : counts)
    notes.push_back(left_out(std::to_string(count) + " " + what, {}, extension));
}

// Groups of points and of tets are the mesh writer's business, except for their order.
void note_groups(const Geometry& geometry, const std::string& extension,
                 std::vector<std::string>& notes) {
  for (const Group::Class owner : {Group::Class::kVertex, Group::Class::kEdge}) {
    std::vector<std::string> names;
    for (const Group& group : geometry.groups)
      if (group.owner == owner) names.push_back(group.name);
    if (!names.empty())
      notes.push_back(left_out(std::string(class_name(owner)) + " groups", names, extension));
  }
  std::vector<std::string> ordered;
  for (const Group& group : geometry.groups)
    if (group.owner == Group::Class::kPrimitive && group.ordered) ordered.push_back(group.name);
  if (!ordered.empty()) notes.push_back(left_out("the order of the members", ordered, extension));
}

std::vector<std::string> write_mesh_file(const std::filesystem::path& path,
                                         const Geometry& geometry) {
  std::vector<std::string> notes;
  const std::string extension = extension_of(path);
  note_attributes(geometry, extension, notes);
  note_primitives(geometry, extension, notes);
  note_groups(geometry, extension, notes);
  TetGeometry mesh;
  try {
    mesh = to_tet_geometry(geometry);
  } catch (const InputError& error) {
    throw InputError(path.string() + ": cannot be made, because " + error.what());
  }
  for (std::string& note : write_tet_geometry(path, std::move(mesh)))
    notes.push_back(std::move(note));
  return notes;
}

// Also if only one of them is spelled with the extension that the other file of the mesh has.
void refuse_same_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  InputFiles inputs;
  for (const auto& source : files_of_mesh(from)) inputs.add(source);
  for (const auto& target : files_of_mesh(to)) inputs.refuse_output(target, "out");
}

constexpr const char* kEndings =
    ".geo, .bgeo, .bgeo.sc, .bgeo.gz, .node, .ele, .msh, .mesh, .veg or .t";

bool is_known_name(const std::filesystem::path& path) {
  return is_mesh_file(path) || known_form(path);
}

// Before anything large is read.
void refuse_unknown_name(const std::filesystem::path& path) {
  if (!is_known_name(path))
    throw InputError(path.string() +
                     ": cannot tell the format to write from this name; end it in " + kEndings);
}

}  // namespace

Geometry read_geometry_file(const std::filesystem::path& path) {
  if (is_mesh_file(path)) return to_geometry(read_tet_geometry(path));
  try {
    return read_geometry(path);
  } catch (const InputError& error) {
    if (is_known_name(path)) throw;
    throw InputError(std::string(error.what()) + "; files of tets that are read end in " +
                     kEndings);
  }
}

std::vector<std::string> write_geometry_file(const std::filesystem::path& path,
                                             const Geometry& geometry) {
  refuse_unknown_name(path);
  if (is_mesh_file(path)) return write_mesh_file(path, geometry);
  write_geometry(path, geometry);
  return {};
}

std::vector<std::string> convert_geometry_file(const std::filesystem::path& from,
                                               const std::filesystem::path& to) {
  refuse_unknown_name(to);
  refuse_same_file(from, to);
  if (is_mesh_file(from)) {
    TetGeometry mesh = read_tet_geometry(from);
    if (is_mesh_file(to)) return write_tet_geometry(to, std::move(mesh));
    orient(mesh, Orientation::kNegative);
    return write_geometry_file(to, to_geometry(mesh));
  }
  const Geometry geometry = read_geometry_file(from);
  std::vector<std::string> notes = write_geometry_file(to, geometry);
  // What was kept without being understood went along, unless the target is a mesh file.
  if (!is_mesh_file(to))
    notes.insert(notes.begin(), geometry.warnings.begin(), geometry.warnings.end());
  return notes;
}

}  // namespace dashpot
