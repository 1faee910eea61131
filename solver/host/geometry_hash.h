#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/base/hash.h"
#include "solver/host/geometry_view.h"

namespace dashpot {

// Adds what a body depends on besides positions and velocities: tets, which points other primitives
// use, the rest shape, and every attribute that has the name of a parameter.
void hash_body(const GeometryView& geometry, Hash& hash);

// Adds a point attribute of vectors, or that there is none.
void hash_vectors(const GeometryView& geometry, const std::string& name, Hash& hash);

}  // namespace dashpot
