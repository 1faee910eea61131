#pragma once

#include <string>
#include <vector>

namespace dashpot {

// "3, 8, 9, 12, 40 …": the first few element numbers of a list, for messages.
std::string first_few(const std::vector<int>& elements);

}  // namespace dashpot
