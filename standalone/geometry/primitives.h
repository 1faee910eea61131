#pragma once

#include <cstdint>

#include "standalone/geometry/geometry.h"
#include "standalone/geometry/json_writer.h"

namespace dashpot {

// One [header, body] of a file's primitives, of which the first is number `first`. Every vertex
// that it names is checked to be below `vertex_count`. Throws InputError.
PrimitiveRun decode_primitives(JsonValue pair, std::int64_t first, std::int64_t vertex_count);

// Names runs shortly or fully, as the writer's kind of file does.
void write_primitives(JsonWriter& writer, const PrimitiveRun& run);

// The vertices of tets or polygons, one primitive after the other.
struct RunVertices {
  std::vector<std::int64_t> counts, vertices;
  std::vector<bool> closed;
};
RunVertices vertices_of(const PrimitiveRun& run);

}  // namespace dashpot
