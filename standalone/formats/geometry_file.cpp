#include "standalone/formats/geometry_file.h"

#include "standalone/formats/mesh_reader.h"
#include "standalone/geometry/geometry_reader.h"

namespace dashpot {

Geometry read_geometry_file(const std::filesystem::path& path) {
  return is_mesh_file(path) ? to_geometry(read_tet_geometry(path)) : read_geometry(path);
}

}  // namespace dashpot
