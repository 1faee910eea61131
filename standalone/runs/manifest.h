#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "solver/base/types.h"

namespace dashpot {

constexpr const char* kManifestName = "run.json";

// What later commands need to know about a run; run.json in the run's directory.
struct RunManifest {
  struct Body {
    std::string name;
    // In the frame files; tets in file order, other primitives not counted.
    int point_offset = 0, point_count = 0;
    int tet_offset = 0, tet_count = 0;
    bool flipped = false;  // tets in the frame files have negative determinants, as Houdini's do
  };

  std::string frames;  // file name with $F, in the run's directory
  std::string stats;   // as seen from the run's directory, or absolute
  int first_frame = 1, last_frame = 1;
  double fps = 24.0;
  Vec3 gravity = Vec3::Zero();  // m/s^2
  std::vector<Body> bodies;
};

// Of the JSON that run.json holds. Throws InputError, saying what is wrong, if it is no such thing.
RunManifest manifest_from_json(const nlohmann::ordered_json& json);

}  // namespace dashpot
