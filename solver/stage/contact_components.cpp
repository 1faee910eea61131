#include "solver/stage/contact_components.h"

#include <algorithm>
#include <numeric>

namespace dashpot {
namespace {

class UnionFind {
 public:
  explicit UnionFind(int count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  int root(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int a, int b) { parent_[std::max(root(a), root(b))] = std::min(root(a), root(b)); }

 private:
  std::vector<int> parent_;
};

// Of the points of a contact.
std::vector<int> islands_of(const Contact& contact, const std::vector<int>& island_of_point) {
  std::vector<int> islands;
  for (int k = 0; k < contact.stencil.count; ++k)
    if (const int i = island_of_point[contact.stencil.point[k]]; i >= 0) islands.push_back(i);
  return islands;
}

}  // namespace

std::vector<ContactComponent> find_components(const std::vector<Contact>& contacts,
                                              int island_count,
                                              const std::vector<int>& island_of_point) {
  UnionFind joined(island_count);
  std::vector<int> island_of(contacts.size(), -1);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    if (!contacts[c].presses()) continue;
    for (const int island : islands_of(contacts[c], island_of_point)) {
      if (island_of[c] >= 0) joined.join(island_of[c], island);
      island_of[c] = island;
    }
  }
  std::vector<ContactComponent> components;
  std::vector<int> number_of(island_count, -1);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    if (island_of[c] < 0) continue;
    int& number = number_of[joined.root(island_of[c])];
    if (number < 0) {
      number = static_cast<int>(components.size());
      components.emplace_back();
    }
    components[number].contacts.push_back(static_cast<int>(c));
  }
  for (int i = 0; i < island_count; ++i)
    if (const int number = number_of[joined.root(i)]; number >= 0)
      components[number].islands.push_back(i);
  return components;
}

}  // namespace dashpot
