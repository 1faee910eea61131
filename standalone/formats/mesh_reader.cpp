#include "standalone/formats/mesh_reader.h"

#include <map>
#include <stdexcept>

#include "standalone/formats/format_readers.h"

namespace dashpot {
namespace {

using Reader = TetGeometry (*)(const std::filesystem::path&);

// nullptr if the extension is none of ours.
Reader reader_for(const std::filesystem::path& path) {
  static const std::map<std::string, Reader> readers = {
      {".node", read_node_ele}, {".ele", read_node_ele}, {".msh", read_gmsh},
      {".mesh", read_medit},    {".veg", read_vega},     {".t", read_mesh_frame}};
  const auto found = readers.find(extension_of(path));
  return found == readers.end() ? nullptr : found->second;
}

}  // namespace

TetGeometry read_tet_geometry(const std::filesystem::path& path) {
  const Reader read = reader_for(path);
  if (!read) throw std::logic_error(path.string() + " is not a mesh file");
  return read(path);
}

bool is_mesh_file(const std::filesystem::path& path) {
  return reader_for(path) != nullptr;
}

std::vector<std::filesystem::path> files_of_mesh(const std::filesystem::path& path) {
  const std::string extension = extension_of(path);
  std::filesystem::path other = path;
  if (extension == ".node") return {path, other.replace_extension(".ele")};
  if (extension == ".ele") return {other.replace_extension(".node"), path};
  return {path};
}

}  // namespace dashpot
