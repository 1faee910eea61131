// TetGen: points in NAME.node, tets in NAME.ele; both numbered from 0 or both from 1.
#include "standalone/files/text_scanner.h"
#include "standalone/formats/format_readers.h"
#include "standalone/formats/format_writers.h"
#include "standalone/formats/mesh_reader.h"
#include "standalone/formats/text_writer.h"

namespace dashpot {
namespace {

struct Nodes {
  Points points;
  long base = 0;  // number of the first point, 0 or 1
};

void refuse_more_lines(TextScanner& scan, const char* what, int count) {
  if (scan.next_line())
    scan.fail("more " + std::string(what) + " than the " + std::to_string(count) +
              " that the first line promises; correct the count");
}

// count dimension attributes markers / number x y z [attributes] [marker]
Nodes read_nodes(const std::filesystem::path& path) {
  TextScanner scan(path, TextScanner::Layout::kLines);
  scan.require_line("the number of points");
  const int count = scan.count("the number of points", 8);
  scan.integer_between(3, 3, "the dimension");

  Nodes nodes;
  nodes.points.resize(3, count);
  for (int p = 0; p < count; ++p) {
    scan.require_line("another point");
    if (p == 0)
      nodes.base = scan.integer_between(0, 1, "the first point's number");
    else
      scan.integer_between(nodes.base + p, nodes.base + p, "the point's number");
    for (int axis = 0; axis < 3; ++axis) nodes.points(axis, p) = scan.number("a coordinate");
  }
  refuse_more_lines(scan, "points", count);
  return nodes;
}

// count corners attributes / number p0 p1 p2 p3 [further nodes] [attributes]
std::vector<Tet> read_elements(const std::filesystem::path& path, const Nodes& nodes) {
  TextScanner scan(path, TextScanner::Layout::kLines);
  scan.require_line("the number of tets");
  const int count = scan.count("the number of tets", 10);
  const long corners = scan.integer("the number of points per tet");
  if (corners != 4 && corners != 10)
    scan.fail("elements of " + std::to_string(corners) + " points where tets of 4 were expected");

  std::vector<Tet> tets(count);
  const long last = nodes.base + nodes.points.cols() - 1;
  for (Tet& tet : tets) {
    scan.require_line("another tet");
    scan.integer("the tet's number");
    for (int& p : tet)
      p = static_cast<int>(scan.integer_between(nodes.base, last, "a tet's point") - nodes.base);
  }
  refuse_more_lines(scan, "tets", count);
  return tets;
}

}  // namespace

TetGeometry read_node_ele(const std::filesystem::path& path) {
  const std::vector<std::filesystem::path> files = files_of_mesh(path);
  Nodes nodes = read_nodes(files[0]);
  TetGeometry geometry;
  geometry.tets = read_elements(files[1], nodes);
  geometry.points = std::move(nodes.points);
  return geometry;
}

std::string node_text(const TetGeometry& geometry) {
  TextWriter text;
  text.integer(geometry.points.cols()).line(" 3 0 0");
  for (Eigen::Index p = 0; p < geometry.points.cols(); ++p)
    text.integer(p).position(geometry.points, p).end_line();
  return text.take_text();
}

std::string ele_text(const TetGeometry& geometry) {
  TextWriter text;
  text.integer(static_cast<long>(geometry.tets.size())).line(" 4 0");
  for (std::size_t t = 0; t < geometry.tets.size(); ++t)
    text.integer(static_cast<long>(t)).corners(geometry.tets[t], 0).end_line();
  return text.take_text();
}

}  // namespace dashpot
