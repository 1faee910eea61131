#include "solver/elements/element_set.h"

#include <algorithm>

namespace dashpot {

ElementMeasurement& ElementMeasurement::operator+=(const ElementMeasurement& other) {
  elastic += other.elastic;
  inverted += other.inverted;
  max_stretch = std::max(max_stretch, other.max_stretch);
  min_stretch = std::min(min_stretch, other.min_stretch);
  return *this;
}

Elements::Elements(std::vector<std::unique_ptr<ElementSet>> sets) : sets_(std::move(sets)) {
  for (const auto& set : sets_) {
    set->set_first(count_);
    count_ += set->count();
  }
}

std::vector<double> Elements::squared_weight() const {
  std::vector<double> weights;
  weights.reserve(static_cast<std::size_t>(count_));
  for (const auto& set : sets_)
    for (int e = 0; e < set->count(); ++e) weights.push_back(set->squared_weight(e));
  return weights;
}

Connectivity Elements::connectivity() const {
  Connectivity all;
  for (const auto& set : sets_)
    for (int e = 0; e < set->count(); ++e) all.add(set->points(e), set->points_per_element());
  return all;
}

bool Elements::resist_rotation() const {
  return std::any_of(sets_.begin(), sets_.end(),
                     [](const auto& set) { return set->resists_rotation(); });
}

ElementMeasurement Elements::measure(const Points& x,
                                     const std::vector<ElementRange>& ranges) const {
  ElementMeasurement sum;
  for (std::size_t s = 0; s < sets_.size(); ++s) sum += sets_[s]->measure(x, ranges[s]);
  return sum;
}

}  // namespace dashpot
