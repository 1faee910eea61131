#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "solver/contact/collider.h"

namespace dashpot {

// A level set of a .vdb file at a time, s.
struct VdbColliderFile {
  double time = 0;
  std::filesystem::path path;
};

// The collider that the files of a sequence, or one file, describe: its grid `grid`, or the first
// level set if that is empty, and the velocities of its grid `vel` or `v` if it has one. Throws
// InputError, one sentence that names the file and, if it is to blame, the grid.
std::shared_ptr<const ColliderShape> read_vdb_collider(const std::vector<VdbColliderFile>& files,
                                                       const std::string& grid);

}  // namespace dashpot
