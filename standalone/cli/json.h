#pragma once

#include <nlohmann/json.hpp>

#include "solver/base/types.h"

namespace dashpot {

using Json = nlohmann::ordered_json;

inline Json to_json(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

}  // namespace dashpot
