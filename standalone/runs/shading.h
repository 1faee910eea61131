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

// The top of a colour scale for the values: nearly their maximum, but a few outliers do not count.
double scale_top(std::vector<float> values);

}  // namespace dashpot
