#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "standalone/geometry/geometry.h"

namespace dashpot {

// What one of the geometries that are merged contributes to an attribute.
struct AttributePart {
  const Attribute* attribute;  // null if it has none of this name
  std::int64_t count;          // elements
};

// The attribute of all elements, one part after the other; at least one part has it. Elements of
// the other parts get the default (0, an empty string, an empty list). Tuples take the largest
// size, numbers a storage that holds those of every part. Nothing if the parts do not fit together.
std::optional<Attribute> merge_attribute(const std::vector<AttributePart>& parts);

// The storage that holds the values of both without loss, as far as there is one: integers of the
// wider type, or real numbers precise enough for the integers. Both must be known_storage().
const char* common_storage(std::string_view a, std::string_view b);

}  // namespace dashpot
