#include "solver/mesh/boundary.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "solver/base/parallel.h"

namespace dashpot {
namespace {

// Corners of the face opposite to corner i, seen counter-clockwise from outside.
constexpr int kFaces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

Triangle face_of(const std::vector<Tet>& tets, std::size_t face) {
  const Tet& tet = tets[face / 4];
  const int* corners = kFaces[face % 4];
  return {tet[corners[0]], tet[corners[1]], tet[corners[2]]};
}

// A face filed under its smallest point; the other two identify it there.
struct FiledFace {
  int middle, largest;
  std::int64_t face;

  bool same_as(const FiledFace& other) const {
    return middle == other.middle && largest == other.largest;
  }
};

Triangle sorted(Triangle t) {
  if (t[0] > t[1]) std::swap(t[0], t[1]);
  if (t[1] > t[2]) std::swap(t[1], t[2]);
  if (t[0] > t[1]) std::swap(t[0], t[1]);
  return t;
}

// Sorts one drawer and marks the faces that occur in it exactly once.
void mark_unique(FiledFace* begin, FiledFace* end, std::vector<std::uint8_t>& unique) {
  std::sort(begin, end, [](const FiledFace& a, const FiledFace& b) {
    return a.middle != b.middle ? a.middle < b.middle : a.largest < b.largest;
  });
  while (begin != end) {
    FiledFace* next = begin + 1;
    while (next != end && next->same_as(*begin)) ++next;
    if (next == begin + 1) unique[static_cast<std::size_t>(begin->face)] = 1;
    begin = next;
  }
}

}  // namespace

std::vector<Triangle> boundary_surface(const std::vector<Tet>& tets) {
  int point_count = 0;
  for (const Tet& tet : tets)
    for (const int p : tet) point_count = std::max(point_count, p + 1);

  // Counting sort by smallest point, then a small sort per point: linear in practice.
  const std::size_t face_count = 4 * tets.size();
  std::vector<std::int64_t> drawer(static_cast<std::size_t>(point_count) + 1, 0);
  for (std::size_t f = 0; f < face_count; ++f) {
    const Triangle t = face_of(tets, f);
    ++drawer[std::min({t[0], t[1], t[2]}) + 1];
  }
  for (int p = 0; p < point_count; ++p) drawer[p + 1] += drawer[p];
  std::vector<FiledFace> filed(face_count);
  std::vector<std::int64_t> next(drawer.begin(), drawer.end() - 1);
  for (std::size_t f = 0; f < face_count; ++f) {
    const Triangle t = sorted(face_of(tets, f));
    filed[static_cast<std::size_t>(next[t[0]]++)] = {t[1], t[2], static_cast<std::int64_t>(f)};
  }
  std::vector<std::uint8_t> unique(face_count, 0);
  parallel_each(point_count, 4096, [&](std::ptrdiff_t p) {
    mark_unique(filed.data() + drawer[p], filed.data() + drawer[p + 1], unique);
  });

  std::vector<Triangle> surface;
  for (std::size_t f = 0; f < face_count; ++f)
    if (unique[f]) surface.push_back(face_of(tets, f));
  return surface;
}

}  // namespace dashpot
