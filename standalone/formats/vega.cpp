// Vega FEM (.veg): sections that start with *KEYWORD. Materials and regions are the scene's
// business and are skipped; sets of elements become tet groups.
#include <algorithm>
#include <cctype>

#include "standalone/files/text_scanner.h"
#include "standalone/formats/format_readers.h"
#include "standalone/formats/format_writers.h"
#include "standalone/formats/text_writer.h"

namespace dashpot {
namespace {

std::string upper_case(std::string_view word) {
  std::string text(word);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

class VegaReader {
 public:
  explicit VegaReader(const std::filesystem::path& path)
      : scan_(path, TextScanner::Layout::kLines, TextScanner::Commas::kSeparate) {}

  TetGeometry read() {
    bool more = scan_.next_line();
    while (more) {
      const std::string keyword = upper_case(scan_.word("a section"));
      if (keyword.front() != '*')
        scan_.fail(
            "expected a section such as *VERTICES; the count of the section before is wrong "
            "or this is not a .veg file");
      if (keyword == "*INCLUDE")
        scan_.fail("*INCLUDE is not supported; paste the included file in its place");
      if (keyword == "*VERTICES")
        more = read_vertices();
      else if (keyword == "*ELEMENTS")
        more = read_elements();
      else if (keyword == "*SET")
        more = read_set();
      else
        do more = scan_.next_line();
        while (more && scan_.peek().front() != '*');
    }
    return std::move(geometry_);
  }

 private:
  bool read_vertices() {
    if (geometry_.points.cols() != 0) scan_.fail("a second *VERTICES; merge them into one");
    scan_.require_line("the number of vertices");
    const int count = scan_.count("the number of vertices", 8);
    scan_.integer_between(3, 3, "the dimension");
    geometry_.points.resize(3, count);
    for (int p = 0; p < count; ++p) {
      scan_.require_line("another vertex");
      read_number(p, vertex_base_, "the vertex' number");
      for (int axis = 0; axis < 3; ++axis) geometry_.points(axis, p) = scan_.number("a coordinate");
      if (!scan_.at_end())
        scan_.fail(
            "a vertex has more than three coordinates; write decimals with a point, as in 0.5, "
            "and export the file again");
    }
    return scan_.next_line();
  }

  bool read_elements() {
    if (!geometry_.tets.empty()) scan_.fail("a second *ELEMENTS; merge them into one");
    scan_.require_line("the type of the elements");
    const std::string type = upper_case(scan_.word("the type of the elements"));
    if (type != "TET" && type != "TETS")
      scan_.fail("elements of type " + type + " where TET was expected; mesh the body with tets");
    scan_.require_line("the number of elements");
    geometry_.tets.resize(scan_.count("the number of elements", 10));
    scan_.integer_between(4, 4, "the number of vertices per element");
    const long last = vertex_base_ + geometry_.points.cols() - 1;
    for (std::size_t t = 0; t < geometry_.tets.size(); ++t) {
      scan_.require_line("another element");
      read_number(static_cast<int>(t), tet_base_, "the element's number");
      for (int& p : geometry_.tets[t])
        p = static_cast<int>(scan_.integer_between(vertex_base_, last, "an element's vertex") -
                             vertex_base_);
    }
    return scan_.next_line();
  }

  // *SET name, then element numbers separated by commas, over any number of lines.
  bool read_set() {
    std::vector<int>& members = geometry_.tet_groups[std::string(scan_.word("the set's name"))];
    const long last = tet_base_ + static_cast<long>(geometry_.tets.size()) - 1;
    while (scan_.next_line()) {
      if (scan_.peek().front() == '*') return finish_set(members, true);
      while (!scan_.at_end())
        members.push_back(static_cast<int>(
            scan_.integer_between(tet_base_, last, "a set's element") - tet_base_));
    }
    return finish_set(members, false);
  }

  static bool finish_set(std::vector<int>& members, bool more) {
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    return more;
  }

  // Items are numbered without gaps, from 1 or from 0, as the first one says.
  void read_number(int item, long& base, const char* what) {
    if (item == 0)
      base = scan_.integer_between(0, 1, what);
    else
      scan_.integer_between(base + item, base + item, what);
  }

  TextScanner scan_;
  TetGeometry geometry_;
  long vertex_base_ = 1, tet_base_ = 1;
};

}  // namespace

TetGeometry read_vega(const std::filesystem::path& path) {
  return VegaReader(path).read();
}

std::string vega_text(const TetGeometry& geometry) {
  TextWriter text;
  text.line("*VERTICES");
  text.integer(geometry.points.cols()).line(" 3 0 0");
  for (Eigen::Index p = 0; p < geometry.points.cols(); ++p)
    text.integer(p + 1).position(geometry.points, p).end_line();
  text.line("\n*ELEMENTS\nTET");
  text.integer(static_cast<long>(geometry.tets.size())).line(" 4 0");
  for (std::size_t t = 0; t < geometry.tets.size(); ++t)
    text.integer(static_cast<long>(t) + 1).corners(geometry.tets[t], 1).end_line();
  for (const auto& [name, members] : geometry.tet_groups) {
    text.line("\n*SET " + name);
    constexpr std::size_t kPerLine = 8;
    for (std::size_t i = 0; i < members.size(); ++i) {
      text.word(std::to_string(members[i] + 1) + ",");
      if (i % kPerLine == kPerLine - 1 || i + 1 == members.size()) text.end_line();
    }
  }
  return text.take_text();
}

}  // namespace dashpot
