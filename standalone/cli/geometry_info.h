#pragma once

#include <string>

#include "standalone/cli/json.h"

namespace dashpot {

// What `dashpot info` says about a geometry file of any format; docs/files.md shows it. Ranges
// leave out numbers that are not finite and count them. Throws InputError.
Json geometry_info(const std::string& path);
// The same for people.
void print_geometry_info(const Json& info);

// Of a scene file: its bodies, colliders and settings, and what will look wrong.
Json scene_info(const std::string& path);
void print_scene_info(const Json& info);

// Of an OpenVDB file.
Json vdb_info(const std::string& path);
void print_vdb_info(const Json& info);

}  // namespace dashpot
