#include "solver/mesh/element_list.h"

#include <algorithm>
#include <cstddef>

namespace dashpot {

std::string first_few(const std::vector<int>& elements) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, elements.size()); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(elements[i]);
  }
  if (elements.size() > kShown) text += " …";
  return text;
}

}  // namespace dashpot
