// Medit ASCII (.mesh): sections "Keyword count items", numbered from 1, each item with a reference.
#include <cstdlib>

#include "standalone/files/text_scanner.h"
#include "standalone/formats/format_readers.h"
#include "standalone/formats/format_writers.h"
#include "standalone/formats/text_writer.h"

namespace dashpot {
namespace {

bool is_number(std::string_view word) {
  const std::string text(word);
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return end == text.c_str() + text.size();
}

void read_vertices(TextScanner& scan, Points& points) {
  if (points.cols() != 0) scan.fail("a second section Vertices; merge them into one");
  const int count = scan.count("the number of vertices", 8);
  points.resize(3, count);
  for (int p = 0; p < count; ++p) {
    for (int axis = 0; axis < 3; ++axis) points(axis, p) = scan.number("a coordinate");
    scan.integer("the vertex' reference");
  }
}

void read_tetrahedra(TextScanner& scan, TetGeometry& geometry) {
  if (geometry.points.cols() == 0)
    scan.fail("Tetrahedra without Vertices before them; put the section Vertices first");
  geometry.tets.resize(scan.count("the number of tets", 10));
  for (Tet& tet : geometry.tets) {
    for (int& p : tet)
      p = static_cast<int>(scan.integer_between(1, geometry.points.cols(), "a tet's vertex")) - 1;
    scan.integer("the tet's reference");
  }
}

}  // namespace

TetGeometry read_medit(const std::filesystem::path& path) {
  TextScanner scan(path, TextScanner::Layout::kFree);
  if (scan.word("MeshVersionFormatted") != "MeshVersionFormatted")
    scan.fail("expected MeshVersionFormatted at the start; is this a Medit .mesh file?");
  scan.integer("the format's version");

  TetGeometry geometry;
  while (!scan.at_end()) {
    const std::string_view keyword = scan.word("a section");
    if (is_number(keyword))
      scan.fail("a number where a section was expected; the count of the section before is wrong");
    if (keyword == "End") return geometry;
    if (keyword == "Dimension")
      scan.integer_between(3, 3, "the dimension");
    else if (keyword == "Vertices")
      read_vertices(scan, geometry.points);
    else if (keyword == "Tetrahedra")
      read_tetrahedra(scan, geometry);
    else
      while (!scan.at_end() && is_number(scan.peek())) scan.word("a number");
  }
  return geometry;
}

std::string medit_text(const TetGeometry& geometry) {
  TextWriter text;
  text.line("MeshVersionFormatted 2");
  text.line("Dimension 3");
  text.line("Vertices");
  text.integer(geometry.points.cols()).end_line();
  for (Eigen::Index p = 0; p < geometry.points.cols(); ++p)
    text.position(geometry.points, p).line(" 0");
  text.line("Tetrahedra");
  text.integer(static_cast<long>(geometry.tets.size())).end_line();
  for (const Tet& tet : geometry.tets) text.corners(tet, 1).line(" 0");
  text.line("End");
  return text.take_text();
}

}  // namespace dashpot
