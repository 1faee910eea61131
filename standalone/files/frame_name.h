#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dashpot {

// File names of sequences have a place for the frame number, as in Houdini: $F, or $F4 to fill up
// to four digits with zeros.
bool has_frame_number(const std::string& name);
std::string frame_name(const std::string& name, int frame);
// The frame whose name this is, if it is one of the sequence.
std::optional<int> frame_number(const std::string& sequence, const std::string& name);

// "3, 5-9": a list of ascending frame numbers, for people.
std::string frame_list(const std::vector<int>& frames);

}  // namespace dashpot
