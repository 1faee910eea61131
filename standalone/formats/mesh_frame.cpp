// MeshFrame (.t): lines "Vertex number x y z" and "Tet number p0 p1 p2 p3", numbered from 0 or 1.
#include <algorithm>

#include "standalone/files/text_scanner.h"
#include "standalone/formats/format_readers.h"
#include "standalone/formats/format_writers.h"
#include "standalone/formats/text_writer.h"

namespace dashpot {

TetGeometry read_mesh_frame(const std::filesystem::path& path) {
  TextScanner scan(path, TextScanner::Layout::kLines);
  std::vector<Vec3> vertices;
  TetGeometry geometry;
  long base = 0;
  while (scan.next_line()) {
    const std::string_view keyword = scan.word("Vertex or Tet");
    if (keyword == "Vertex") {
      const auto number = base + static_cast<long>(vertices.size());
      if (vertices.empty())
        base = scan.integer_between(0, 1, "the first vertex' number");
      else
        scan.integer_between(number, number, "the vertex' number");
      Vec3& position = vertices.emplace_back();
      for (int axis = 0; axis < 3; ++axis) position[axis] = scan.number("a coordinate");
    } else if (keyword == "Tet") {
      scan.integer("the tet's number");
      Tet& tet = geometry.tets.emplace_back();
      const long last = base + static_cast<long>(vertices.size()) - 1;
      for (int& p : tet)
        p = static_cast<int>(scan.integer_between(base, last, "a tet's vertex") - base);
    } else if (keyword != "Edge" && keyword != "Face") {
      scan.fail("expected a line that starts with Vertex or Tet; is this a MeshFrame .t file?");
    }
  }
  geometry.points.resize(3, static_cast<Eigen::Index>(vertices.size()));
  for (std::size_t p = 0; p < vertices.size(); ++p) geometry.points.col(p) = vertices[p];
  return geometry;
}

std::string mesh_frame_text(const TetGeometry& geometry) {
  TextWriter text;
  for (Eigen::Index p = 0; p < geometry.points.cols(); ++p)
    text.word("Vertex").integer(p).position(geometry.points, p).end_line();
  for (std::size_t t = 0; t < geometry.tets.size(); ++t)
    text.word("Tet").integer(static_cast<long>(t)).corners(geometry.tets[t], 0).end_line();
  return text.take_text();
}

}  // namespace dashpot
