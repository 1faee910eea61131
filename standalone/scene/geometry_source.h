#pragma once

#include <filesystem>

#include "standalone/scene/body_source.h"
#include "standalone/scene/table_reader.h"

namespace dashpot {

// The `geometry` of a body: a file, relative to `folder`, or a built-in shape. Fills the source's
// geometry, description and is_file.
void read_geometry_source(const TableReader& body, const std::filesystem::path& folder,
                          BodySource& source);

}  // namespace dashpot
