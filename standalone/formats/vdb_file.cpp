#include "standalone/formats/vdb_file.h"

#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>

#include <fstream>
#include <new>
#include <string_view>
#include <system_error>

#include "solver/base/error.h"
#include "standalone/formats/mesh_reader.h"

namespace dashpot {
namespace {

Vec3 vector_of(const openvdb::Vec3d& v) {
  return {v.x(), v.y(), v.z()};
}

std::vector<VdbMetadata> metadata_of(const openvdb::MetaMap& map) {
  std::vector<VdbMetadata> list;
  for (auto entry = map.beginMeta(); entry != map.endMeta(); ++entry)
    if (entry->second)
      list.push_back({entry->first, entry->second->typeName(), entry->second->str()});
  return list;
}

VdbGrid describe(const openvdb::GridBase& grid) {
  VdbGrid result;
  result.name = grid.getName();
  result.value_type = grid.valueType();
  result.grid_class = openvdb::GridBase::gridClassToString(grid.getGridClass());
  result.voxel_size = vector_of(grid.transform().voxelSize());
  result.is_uniform = grid.hasUniformVoxels();
  result.is_linear = grid.transform().isLinear();
  result.active_voxels = static_cast<std::int64_t>(grid.activeVoxelCount());
  if (result.active_voxels > 0) {
    // To the voxels' faces; positions with whole indices are their centres.
    const openvdb::CoordBBox voxels = grid.evalActiveVoxelBoundingBox();
    const openvdb::BBoxd bounds = grid.transform().indexToWorld(
        openvdb::BBoxd(voxels.min().asVec3d() - 0.5, voxels.max().asVec3d() + 0.5));
    result.bounds = {vector_of(bounds.min()), vector_of(bounds.max())};
  }
  if (const auto background = grid.constBaseTree().getBackgroundValue())
    result.background = background->str();
  result.bytes = static_cast<std::int64_t>(grid.memUsage());
  if (const auto compression = grid[openvdb::GridBase::META_FILE_COMPRESSION])
    result.compression = compression->str();
  result.saved_as_half = grid.saveFloatAsHalf();
  result.metadata = metadata_of(grid);
  return result;
}

VdbFile inspect(std::istream& bytes) {
  openvdb::initialize();
  openvdb::io::Stream stream(bytes, /*delayLoad=*/false);
  VdbFile result;
  result.version = stream.version();
  if (const auto metadata = stream.getMetadata()) result.metadata = metadata_of(*metadata);
  for (const openvdb::GridBase::Ptr& grid : *stream.getGrids())
    result.grids.push_back(describe(*grid));
  return result;
}

bool has_magic(const std::filesystem::path& path) {
  char magic[8] = {};
  std::ifstream(path, std::ios::binary).read(magic, sizeof magic);
  return std::string_view(magic, sizeof magic) == std::string_view(" BDV\0\0\0\0", 8);
}

}  // namespace

bool is_vdb_file(const std::filesystem::path& path) {
  return extension_of(path) == ".vdb" || has_magic(path);
}

VdbFile inspect_vdb_file(const std::filesystem::path& path) {
  const auto fail = [&](const std::string& what) { throw InputError(path.string() + ": " + what); };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail("is a directory; name a .vdb file");
  std::ifstream bytes(path, std::ios::binary);
  if (!bytes) fail("cannot be read; check the name and its permissions");
  if (!has_magic(path)) fail("this is no OpenVDB file; check which file it is");
  // OpenVDB does not look whether a read came back short, and would go on with what it never read.
  bytes.exceptions(std::ios::failbit | std::ios::badbit);
  try {
    return inspect(bytes);
  } catch (const std::ios::failure&) {
    fail("the file ends too early; it is cut short or damaged, write it again");
  } catch (const std::bad_alloc&) {
    fail("the file asks for more memory than there is; it is damaged, or this machine too small");
  } catch (const std::exception& error) {
    fail(std::string("OpenVDB cannot read it (") + error.what() +
         "); it is damaged, or written by a newer version");
  }
  return {};
}

}  // namespace dashpot
