#include "standalone/formats/geo_writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>

#include "solver/base/error.h"
#include "standalone/formats/atomic_file.h"

namespace dashpot {
namespace {

// Houdini's own layout of keys, without its indentation.
class GeoText {
 public:
  GeoText& raw(const char* text) {
    text_ += text;
    return *this;
  }

  GeoText& integer(std::int64_t value) {
    char digits[24];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    return *this;
  }

  // Reads back as the same float. The shortest such text where the library has it (GCC 11).
  GeoText& real(float value) {
    char digits[48];
#ifdef __cpp_lib_to_chars
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
#else
    text_.append(digits, std::snprintf(digits, sizeof digits, "%.9g", static_cast<double>(value)));
#endif
    return *this;
  }

  GeoText& string(const std::string& value) {
    text_ += '"';
    for (const char c : value) {
      if (static_cast<unsigned char>(c) < 0x20) {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
        text_ += escape;
        continue;
      }
      if (c == '"' || c == '\\') text_ += '\\';
      text_ += c;
    }
    text_ += '"';
    return *this;
  }

  // Items separated by commas, in lines of moderate length.
  template <class Item>
  GeoText& list(std::int64_t count, const Item& item) {
    text_ += '[';
    std::size_t line = text_.size();
    for (std::int64_t i = 0; i < count; ++i) {
      if (i > 0) text_ += ',';
      if (text_.size() - line > 200) {
        text_ += '\n';
        line = text_.size();
      }
      item(i);
    }
    text_ += ']';
    return *this;
  }

  void reserve(std::size_t bytes) {
    text_.reserve(bytes);
  }
  const std::string& text() const {
    return text_;
  }

 private:
  std::string text_;
};

void refuse_not_finite(const TetFrame& frame, const Points& vectors, const char* what) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  for (Eigen::Index p = 0; p < vectors.cols(); ++p)
    if (!(vectors.col(p).cwiseAbs().maxCoeff() <= kLargest) || !vectors.col(p).allFinite())
      throw SimulationError("frame " + std::to_string(frame.frame) + ": the " + what +
                            " of point " + std::to_string(p) +
                            " is not a finite number; use more substeps or a softer setup");
}

void write_info(GeoText& out, const TetFrame& frame) {
  out.raw("\"info\",{\n\"software\":\"Dashpot\",\n\"time\":").real(static_cast<float>(frame.time));
  const Points& points = *frame.points;
  if (points.cols() > 0) {
    const Vec3 low = points.rowwise().minCoeff(), high = points.rowwise().maxCoeff();
    out.raw(",\n\"bounds\":").list(6, [&](std::int64_t i) {
      out.real(static_cast<float>(i % 2 == 0 ? low[i / 2] : high[i / 2]));
    });
  }
  out.raw("\n},\n");
}

void write_vectors(GeoText& out, const char* name, const char* kind, const Points& vectors) {
  out.raw("[[\"scope\",\"public\",\"type\",\"numeric\",\"name\",\"").raw(name);
  out.raw("\",\"options\",{\"type\":{\"type\":\"string\",\"value\":\"").raw(kind);
  out.raw("\"}}],\n[\"size\",3,\"storage\",\"fpreal32\",");
  out.raw("\"defaults\",[\"size\",1,\"storage\",\"fpreal64\",\"values\",[0]],\n");
  out.raw("\"values\",[\"size\",3,\"storage\",\"fpreal32\",\"tuples\",\n");
  out.list(vectors.cols(), [&](std::int64_t p) {
    out.raw("[").real(static_cast<float>(vectors(0, p)));
    out.raw(",").real(static_cast<float>(vectors(1, p)));
    out.raw(",").real(static_cast<float>(vectors(2, p))).raw("]");
  });
  out.raw("]]]");
}

// The primitive string attribute `name`: a table of strings and an index per tet, -1 = empty.
void write_names(GeoText& out, const TetFrame& frame) {
  std::vector<int> body_of(frame.tets->size(), -1);
  for (std::size_t b = 0; b < frame.bodies.size(); ++b) {
    const auto first = body_of.begin() + frame.bodies[b].first_tet;
    std::fill(first, first + frame.bodies[b].tet_count, static_cast<int>(b));
  }
  out.raw(",\n\"primitiveattributes\",[\n[[\"scope\",\"public\",\"type\",\"string\",");
  out.raw("\"name\",\"name\",\"options\",{}],\n");
  out.raw("[\"size\",1,\"storage\",\"int32\",\"strings\",");
  out.list(static_cast<std::int64_t>(frame.bodies.size()),
           [&](std::int64_t b) { out.string(frame.bodies[static_cast<std::size_t>(b)].name); });
  out.raw(",\n\"indices\",[\"size\",1,\"storage\",\"int32\",\"arrays\",[");
  out.list(static_cast<std::int64_t>(body_of.size()),
           [&](std::int64_t t) { out.integer(body_of[static_cast<std::size_t>(t)]); });
  out.raw("]]]]\n]");
}

// Membership as runs: count, bool, count, bool …
void write_group(GeoText& out, const std::string& name, const std::vector<int>& members,
                 std::int64_t count) {
  std::vector<std::uint8_t> flags(static_cast<std::size_t>(count), 0);
  for (const int m : members) flags[static_cast<std::size_t>(m)] = 1;
  std::vector<std::int64_t> starts;
  for (std::int64_t e = 0; e < count; ++e)
    if (e == 0 || flags[e] != flags[e - 1]) starts.push_back(e);
  starts.push_back(count);
  out.raw("[[\"name\",").string(name).raw("],[\"selection\",[\"unordered\",[\"boolRLE\",");
  out.list(static_cast<std::int64_t>(starts.size()) - 1, [&](std::int64_t run) {
    out.integer(starts[run + 1] - starts[run]).raw(flags[starts[run]] ? ",true" : ",false");
  });
  out.raw("]]]]");
}

void write_groups(GeoText& out, const char* key,
                  const std::map<std::string, std::vector<int>>& groups, std::int64_t count) {
  if (groups.empty()) return;
  out.raw(",\n\"").raw(key).raw("\",[\n");
  const char* separator = "";
  for (const auto& [name, members] : groups) {
    out.raw(separator);
    write_group(out, name, members, count);
    separator = ",\n";
  }
  out.raw("\n]");
}

}  // namespace

void write_geo_frame(const std::filesystem::path& path, const TetFrame& frame) {
  const Points& points = *frame.points;
  const std::vector<Tet>& tets = *frame.tets;
  const auto tet_count = static_cast<std::int64_t>(tets.size());
  refuse_not_finite(frame, points, "position");
  if (frame.velocities != nullptr) refuse_not_finite(frame, *frame.velocities, "velocity");

  GeoText out;
  out.reserve(static_cast<std::size_t>(80 * points.cols() + 40 * tet_count + 4096));
  out.raw("[\n\"fileversion\",\"19.5.493\",\n\"hasindex\",false,\n\"pointcount\",");
  out.integer(points.cols()).raw(",\n\"vertexcount\",").integer(4 * tet_count);
  out.raw(",\n\"primitivecount\",").integer(tet_count).raw(",\n");
  write_info(out, frame);
  out.raw("\"topology\",[\"pointref\",[\"indices\",");
  out.list(4 * tet_count, [&](std::int64_t v) {
    out.integer(tets[static_cast<std::size_t>(v / 4)][static_cast<std::size_t>(v % 4)]);
  });
  out.raw("]],\n\"attributes\",[\"pointattributes\",[\n");
  write_vectors(out, "P", "point", points);
  if (frame.velocities != nullptr) {
    out.raw(",\n");
    write_vectors(out, "v", "vector", *frame.velocities);
  }
  out.raw("\n]");
  if (!frame.bodies.empty()) write_names(out, frame);
  out.raw("],\n\"primitives\",[");
  if (tet_count > 0)
    out.raw("\n[[\"type\",\"Tetrahedron_run\"],[\"startvertex\",0,\"nprimitives\",")
        .integer(tet_count)
        .raw("]]\n");
  out.raw("]");
  write_groups(out, "pointgroups", frame.point_groups, points.cols());
  write_groups(out, "primitivegroups", frame.tet_groups, tet_count);
  out.raw("\n]\n");
  write_file_atomically(path, out.text());
}

}  // namespace dashpot
