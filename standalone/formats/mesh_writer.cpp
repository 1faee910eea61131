#include "standalone/formats/mesh_writer.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <stdexcept>

#include "solver/base/error.h"
#include "standalone/files/atomic_file.h"
#include "standalone/formats/format_writers.h"
#include "standalone/formats/mesh_reader.h"

namespace dashpot {
namespace {

using Writer = std::string (*)(const TetGeometry&);

// One per file of files_of_mesh().
std::vector<Writer> writers_for(const std::filesystem::path& path) {
  static const std::map<std::string, std::vector<Writer>> writers = {
      {".node", {node_text, ele_text}}, {".ele", {node_text, ele_text}}, {".msh", {gmsh_text}},
      {".mesh", {medit_text}},          {".veg", {vega_text}},           {".t", {mesh_frame_text}}};
  const auto found = writers.find(extension_of(path));
  if (found == writers.end()) throw std::logic_error(path.string() + " is not a mesh file");
  return found->second;
}

void refuse_bad_points(const std::filesystem::path& path, const Points& points) {
  for (Eigen::Index p = 0; p < points.cols(); ++p)
    if (!points.col(p).allFinite())
      throw InputError(path.string() + ": point " + std::to_string(p) +
                       " is not at a finite position, which a mesh file cannot hold; repair the "
                       "geometry or write .bgeo");
}

// Whether the format has named groups of tets, and this is a name that survives there.
bool can_name(const std::string& extension, const std::string& name) {
  const auto has = [&](auto&& test) { return std::any_of(name.begin(), name.end(), test); };
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  const auto ends_word = [](unsigned char c) { return c <= ' ' || c == ',' || c == '#'; };
  if (name.empty() || has(is_control)) return false;
  if (extension == ".msh") return name.find('"') == std::string::npos && name.size() < 128;
  return extension == ".veg" && !has(ends_word);
}

// Takes away the groups that the format cannot keep.
void reduce_groups(TetGeometry& geometry, const std::string& extension,
                   std::vector<std::string>& notes) {
  std::vector<std::string> of_points, of_tets;
  for (const auto& entry : geometry.point_groups) of_points.push_back(entry.first);
  geometry.point_groups.clear();
  for (auto group = geometry.tet_groups.begin(); group != geometry.tet_groups.end();) {
    std::sort(group->second.begin(), group->second.end());
    if (can_name(extension, group->first)) {
      ++group;
    } else {
      of_tets.push_back(group->first);
      group = geometry.tet_groups.erase(group);
    }
  }
  if (!of_points.empty()) notes.push_back(left_out("point groups", of_points, extension));
  if (!of_tets.empty()) notes.push_back(left_out("tet groups", of_tets, extension));
}

}  // namespace

std::string left_out(const std::string& what, const std::vector<std::string>& names,
                     const std::string& extension) {
  std::string sentence = what + " left out, which " + extension + " files cannot hold";
  const char* separator = ": ";
  for (const std::string& name : names) {
    sentence += separator + name;
    separator = ", ";
  }
  return sentence;
}

std::vector<std::string> write_tet_geometry(const std::filesystem::path& path,
                                            TetGeometry geometry) {
  const std::vector<Writer> writers = writers_for(path);
  const std::string extension = extension_of(path);
  if (geometry.tets.empty())
    throw InputError(path.string() + ": there are no tets to write, and " + extension +
                     " files hold nothing else; write .geo or .bgeo, or make tets first");
  refuse_bad_points(path, geometry.points);
  std::vector<std::string> notes;
  reduce_groups(geometry, extension, notes);
  orient(geometry, Orientation::kPositive);
  const std::vector<std::filesystem::path> files = files_of_mesh(path);
  for (std::size_t i = 0; i < files.size(); ++i)
    write_file_atomically(files[i], writers[i](geometry));
  return notes;
}

}  // namespace dashpot
