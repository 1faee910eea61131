#include "standalone/formats/mesh_reader.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "solver/base/error.h"
#include "standalone/formats/format_readers.h"

namespace dashpot {

TetGeometry read_tet_geometry(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension == ".node" || extension == ".ele") return read_node_ele(path);
  if (extension == ".msh") return read_gmsh(path);
  if (extension == ".mesh") return read_medit(path);
  if (extension == ".veg") return read_vega(path);
  if (extension == ".t") return read_mesh_frame(path);
  if (extension == ".geo") return read_geo(path);
  throw InputError(path.string() + ": unknown kind of mesh file '" + extension +
                   "'; use .geo, .node/.ele, .msh, .mesh, .veg or .t");
}

}  // namespace dashpot
