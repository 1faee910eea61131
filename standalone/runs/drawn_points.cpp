#include "standalone/runs/drawn_points.h"

#include <algorithm>
#include <utility>

#include "solver/mesh/boundary.h"

namespace dashpot {
namespace {

// The triangles of closed polygons whose points all lie in [first, end), as fans. Houdini's
// polygons run clockwise when seen from outside.
std::vector<Triangle> polygon_triangles(const Geometry& frame, const PolygonList& list, int first,
                                        int end) {
  const std::vector<std::int32_t>& points = frame.vertex_points();
  std::vector<Triangle> triangles;
  for (std::size_t p = 0; p + 1 < list.starts.size(); ++p) {
    if (!list.closed[p]) continue;
    std::vector<int> corners;
    corners.reserve(static_cast<std::size_t>(list.starts[p + 1] - list.starts[p]));
    for (auto v = list.starts[p]; v < list.starts[p + 1]; ++v)
      corners.push_back(
          points[static_cast<std::size_t>(list.vertices[static_cast<std::size_t>(v)])]);
    if (!std::all_of(corners.begin(), corners.end(), [&](int c) { return c >= first && c < end; }))
      continue;
    for (std::size_t k = 2; k < corners.size(); ++k)
      triangles.push_back({corners[0], corners[k], corners[k - 1]});
  }
  return triangles;
}

class Collector {
 public:
  explicit Collector(std::int64_t frame_points)
      : number_(static_cast<std::size_t>(frame_points), -1) {}

  // Triangles of the frame's points.
  void add(const std::string& name, bool skin, bool is_body,
           const std::vector<Triangle>& triangles) {
    DrawnPoints::Part part{name, skin, is_body, count(drawn.source), 0, count(drawn.triangles), 0};
    // Parts do not share points, so that each can have creases and colours of its own.
    std::fill(number_.begin(), number_.end(), -1);
    for (Triangle t : triangles) {
      for (int& corner : t) corner = number_of(corner);
      drawn.triangles.push_back(t);
    }
    part.point_count = count(drawn.source) - part.first_point;
    part.triangle_count = count(drawn.triangles) - part.first_triangle;
    drawn.parts.push_back(part);
  }

  DrawnPoints drawn;

 private:
  template <class T>
  static int count(const std::vector<T>& list) {
    return static_cast<int>(list.size());
  }

  int number_of(int frame_point) {
    int& number = number_[static_cast<std::size_t>(frame_point)];
    if (number < 0) {
      number = count(drawn.source);
      drawn.source.push_back(frame_point);
    }
    return number;
  }

  std::vector<int> number_;  // drawn point of each point of the frame, -1 if it is not drawn
};

}  // namespace

std::vector<Tet> body_tets(const RunManifest::Body& body, const std::vector<Tet>& frame_tets) {
  const auto first = frame_tets.begin() + body.tet_offset;
  std::vector<Tet> tets(first, first + body.tet_count);
  if (body.flipped)
    for (Tet& tet : tets) std::swap(tet[0], tet[1]);
  return tets;
}

DrawnPoints find_drawn_points(const std::vector<RunManifest::Body>& bodies, const Geometry& frame,
                              const std::vector<Tet>& frame_tets, SurfaceChoice choice) {
  const PolygonList polygon_list = polygons(frame);
  Collector collector(frame.point_count);
  int bodies_end = 0;
  for (const RunManifest::Body& body : bodies) {
    const int end = body.point_offset + body.point_count;
    bodies_end = std::max(bodies_end, end);
    std::vector<Triangle> skin;
    if (choice != SurfaceChoice::kTets)
      skin = polygon_triangles(frame, polygon_list, body.point_offset, end);
    const bool use_skin = choice == SurfaceChoice::kSkin || !skin.empty();
    collector.add(body.name, use_skin, true,
                  use_skin ? skin : boundary_surface(body_tets(body, frame_tets)));
  }
  const auto others =
      polygon_triangles(frame, polygon_list, bodies_end, static_cast<int>(frame.point_count));
  if (!others.empty()) collector.add("other polygons", true, false, others);
  return std::move(collector.drawn);
}

}  // namespace dashpot
