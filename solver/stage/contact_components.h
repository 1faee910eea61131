#pragma once

#include <vector>

#include "solver/contact/contact.h"

namespace dashpot {

// Contacts that press, and the islands that they join.
struct ContactComponent {
  std::vector<int> contacts, islands;  // numbers, ascending
};

// island_of_point: -1 for points in none.
std::vector<ContactComponent> find_components(const std::vector<Contact>& contacts,
                                              int island_count,
                                              const std::vector<int>& island_of_point);

}  // namespace dashpot
