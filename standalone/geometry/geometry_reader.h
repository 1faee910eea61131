#pragma once

#include <filesystem>
#include <string>

#include "standalone/geometry/container.h"
#include "standalone/geometry/geometry.h"

namespace dashpot {

// Reads .geo, .bgeo, .bgeo.sc or .bgeo.gz of Houdini 12 and later, recognised by content.
// Afterwards every index, count and group member is within range. Throws InputError, one sentence
// that names the file. `form`, if given, becomes the form that was found.
Geometry read_geometry(const std::filesystem::path& path, FileForm* form = nullptr);

// The same of bytes in memory; messages do not name a file.
Geometry decode_geometry(std::string bytes);
Geometry decode_geometry(OpenedFile file);

}  // namespace dashpot
