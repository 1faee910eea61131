#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dashpot {

// A quantity that bodies can be coloured by.
struct Shading {
  const char* token;
  const char* label;
  const char* unit;  // "" if it has none
  const char*
      attribute;  // of the tets, as dashpot simulate --attribs writes it; null if not needed
  const char* help;
};

// In the order of menus.
const std::vector<Shading>& shadings();

// Throws InputError, listing the tokens, if there is none of that name.
const Shading& find_shading(std::string_view token);

// Nearly the largest value of a frame: a few points do not count.
double frame_top(std::vector<float> values);
// The top of a colour scale for frames with these tops: a few frames do not count, so that one blow
// does not leave all others in one colour.
double scale_top(std::vector<double> frame_tops);

}  // namespace dashpot
