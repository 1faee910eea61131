#pragma once

#include <cstdint>

#include "standalone/geometry/geometry.h"

namespace dashpot {

// One [header, body] of a file's groups. Its members are checked to be below `element_count`
// (points, for edges). An unknown way of listing them is kept and gives a warning. Throws
// InputError.
Group decode_group(JsonValue pair, Group::Class owner, std::int64_t element_count,
                   std::vector<std::string>& warnings);

Group make_group(Group::Class owner, std::string_view name, std::int64_t element_count,
                 const std::vector<std::int32_t>& members);

// "point", …
const char* class_name(Group::Class owner);

}  // namespace dashpot
