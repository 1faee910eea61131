#pragma once

#include <string>

namespace dashpot {

// File names of sequences have a place for the frame number, as in Houdini: $F, or $F4 to fill up
// to four digits with zeros.
bool has_frame_number(const std::string& name);
std::string frame_name(const std::string& name, int frame);

}  // namespace dashpot
