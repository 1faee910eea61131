#pragma once

#include <string>
#include <vector>

#include "solver/base/types.h"
#include "standalone/geometry/geometry.h"
#include "standalone/runs/manifest.h"

namespace dashpot {

// Which of a body's surfaces is drawn.
enum class SurfaceChoice {
  kAuto,  // the skin where there is one
  kTets,  // the boundary of the tets
  kSkin,  // polygons only
};

// The triangles of a sequence and the points that they use, which are numbered anew, body by body.
struct DrawnPoints {
  struct Part {
    std::string name;
    bool skin;  // polygons, not the boundary of tets
    bool is_body;
    int first_point, point_count;  // of the drawn points
    int first_triangle, triangle_count;
  };

  std::vector<Part> parts;
  std::vector<Triangle> triangles;  // outside seen counter-clockwise
  std::vector<int> source;          // the frame's point of each drawn point
};

// A body's tets in a frame, oriented so that boundary_surface() points outwards.
std::vector<Tet> body_tets(const RunManifest::Body& body, const std::vector<Tet>& frame_tets);

// `frame` is any frame of the sequence. Polygons outside of all bodies are drawn, too.
DrawnPoints find_drawn_points(const std::vector<RunManifest::Body>& bodies, const Geometry& frame,
                              const std::vector<Tet>& frame_tets, SurfaceChoice choice);

}  // namespace dashpot
