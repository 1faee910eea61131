#pragma once

#include <openvdb/openvdb.h>

#include <filesystem>

namespace dashpot {

// All grids of a file, read completely. Throws InputError, one sentence that names the file.
openvdb::GridPtrVec read_vdb_grids(const std::filesystem::path& path);

// The whole file appears at once.
void write_vdb_grids(const std::filesystem::path& path, const openvdb::GridCPtrVec& grids);

}  // namespace dashpot
