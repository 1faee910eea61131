#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "solver/base/types.h"

namespace dashpot {

// One frame as a host sees it: all bodies in one point array, tets in the order that came in.
// Points to the caller's arrays; nothing is copied.
struct TetFrame {
  struct Body {
    std::string name;  // the primitive attribute `name`
    int first_tet = 0, tet_count = 0;
  };

  const Points* points = nullptr;
  const Points* velocities = nullptr;  // optional, the point attribute `v`
  const std::vector<Tet>* tets = nullptr;
  std::vector<Body> bodies;  // tets outside every body get an empty name
  std::map<std::string, std::vector<int>> point_groups, tet_groups;
  double time = 0.0;  // s
  int frame = 1;
};

// Writes Houdini's ASCII .geo (as Houdini 19.5 does; P and v in single precision), completely or
// not at all. Two runs with equal results write equal bytes: the file holds no date or host name.
// Throws SimulationError, naming the frame and point, rather than write a number that is not
// finite in single precision, and InputError when the file cannot be written.
void write_geo_frame(const std::filesystem::path& path, const TetFrame& frame);

}  // namespace dashpot
