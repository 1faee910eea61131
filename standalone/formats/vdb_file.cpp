#include "standalone/formats/vdb_file.h"

#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>

#include <fstream>
#include <new>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "solver/base/error.h"
#include "standalone/files/atomic_file.h"
#include "standalone/files/read_file.h"
#include "standalone/formats/mesh_reader.h"
#include "standalone/formats/vdb_grids.h"

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

// The grids that the file says it has, for messages about one that cannot be read.
std::string names_in(const std::filesystem::path& path) {
  try {
    openvdb::io::File file(path.string());
    file.open(/*delayLoad=*/false);
    std::string names;
    for (auto name = file.beginName(); name != file.endName(); ++name)
      names += (names.empty() ? "; its grids are '" : "', '") + *name;
    return names.empty() ? "" : names + "'";
  } catch (const std::exception&) {
    return "";
  }
}

bool has_magic(const std::filesystem::path& path) {
  char magic[8] = {};
  std::error_code ignored;
  // A pipe would wait for somebody to fill it, and lose these bytes.
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream(path, std::ios::binary).read(magic, sizeof magic);
  return std::string_view(magic, sizeof magic) == std::string_view(" BDV\0\0\0\0", 8);
}

}  // namespace

bool is_vdb_file(const std::filesystem::path& path) {
  return extension_of(path) == ".vdb" || has_magic(path);
}

// read(stream), with whatever goes wrong as an InputError that names the file.
template <class Read>
static auto read_guarded(const std::filesystem::path& path, const Read& read) {
  const auto fail = [&](const std::string& what) { throw InputError(path.string() + ": " + what); };
  require_regular_file(path);
  std::ifstream bytes(path, std::ios::binary);
  if (!bytes) fail("cannot be read; check the name and its permissions");
  if (!has_magic(path)) fail("this is no OpenVDB file; check which file it is");
  // OpenVDB does not look whether a read came back short, and would go on with what it never read.
  bytes.exceptions(std::ios::failbit | std::ios::badbit);
  using Result = decltype(read(std::declval<openvdb::io::Stream&>()));
  try {
    openvdb::initialize();
    openvdb::io::Stream stream(bytes, /*delayLoad=*/false);
    return read(stream);
  } catch (const std::ios::failure&) {
    fail("the file ends too early; it is cut short or damaged, write it again");
  } catch (const std::bad_alloc&) {
    fail("the file asks for more memory than there is; it is damaged, or this machine too small");
  } catch (const std::exception&) {
    fail("OpenVDB cannot read it" + names_in(path) +
         "; it is damaged, or written by a newer version");
  }
  return Result{};
}

VdbFile inspect_vdb_file(const std::filesystem::path& path) {
  return read_guarded(path, [](openvdb::io::Stream& stream) {
    VdbFile result;
    result.version = stream.version();
    if (const auto metadata = stream.getMetadata()) result.metadata = metadata_of(*metadata);
    for (const openvdb::GridBase::Ptr& grid : *stream.getGrids())
      result.grids.push_back(describe(*grid));
    return result;
  });
}

openvdb::GridPtrVec read_vdb_grids(const std::filesystem::path& path) {
  return read_guarded(path, [](openvdb::io::Stream& stream) { return *stream.getGrids(); });
}

void write_vdb_grids(const std::filesystem::path& path, const openvdb::GridCPtrVec& grids) {
  openvdb::initialize();
  std::ostringstream bytes;
  openvdb::io::Stream stream(bytes);
  stream.write(grids);
  write_file_atomically(path, bytes.str());
}

}  // namespace dashpot
