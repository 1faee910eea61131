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

// Faces sorted by their points, so that those of one triangle follow each other.
struct FiledFaces {
  std::vector<FiledFace> faces;
  std::vector<std::int64_t> drawer;  // first face of each smallest point, and one past the last
};

// Counting sort by smallest point, then a small sort per point: linear in practice.
FiledFaces file_faces(const std::vector<Tet>& tets) {
  int point_count = 0;
  for (const Tet& tet : tets)
    for (const int p : tet) point_count = std::max(point_count, p + 1);
  const std::size_t face_count = 4 * tets.size();
  FiledFaces filed;
  filed.drawer.assign(static_cast<std::size_t>(point_count) + 1, 0);
  for (std::size_t f = 0; f < face_count; ++f) {
    const Triangle t = face_of(tets, f);
    ++filed.drawer[std::min({t[0], t[1], t[2]}) + 1];
  }
  for (int p = 0; p < point_count; ++p) filed.drawer[p + 1] += filed.drawer[p];
  filed.faces.resize(face_count);
  std::vector<std::int64_t> next(filed.drawer.begin(), filed.drawer.end() - 1);
  for (std::size_t f = 0; f < face_count; ++f) {
    const Triangle t = sorted(face_of(tets, f));
    filed.faces[static_cast<std::size_t>(next[t[0]]++)] = {t[1], t[2],
                                                           static_cast<std::int64_t>(f)};
  }
  return filed;
}

// visit(begin, end) for the faces of each triangle, triangles in parallel.
template <class Visit>
void for_each_triangle(FiledFaces& filed, const Visit& visit) {
  const auto points = static_cast<std::ptrdiff_t>(filed.drawer.size()) - 1;
  parallel_each(points, 4096, [&](std::ptrdiff_t p) {
    FiledFace* begin = filed.faces.data() + filed.drawer[p];
    FiledFace* const end = filed.faces.data() + filed.drawer[p + 1];
    std::sort(begin, end, [](const FiledFace& a, const FiledFace& b) {
      return a.middle != b.middle ? a.middle < b.middle : a.largest < b.largest;
    });
    while (begin != end) {
      FiledFace* next = begin + 1;
      while (next != end && next->same_as(*begin)) ++next;
      visit(begin, next);
      begin = next;
    }
  });
}

}  // namespace

std::vector<Triangle> boundary_surface(const std::vector<Tet>& tets) {
  const std::size_t face_count = 4 * tets.size();
  std::vector<std::uint8_t> unique(face_count, 0);
  FiledFaces filed = file_faces(tets);
  for_each_triangle(filed, [&](const FiledFace* begin, const FiledFace* end) {
    if (end == begin + 1) unique[static_cast<std::size_t>(begin->face)] = 1;
  });

  std::vector<Triangle> surface;
  for (std::size_t f = 0; f < face_count; ++f)
    if (unique[f]) surface.push_back(face_of(tets, f));
  return surface;
}

std::vector<std::array<int, 4>> face_neighbours(const std::vector<Tet>& tets) {
  std::vector<std::array<int, 4>> neighbours(tets.size(), {-1, -1, -1, -1});
  FiledFaces filed = file_faces(tets);
  for_each_triangle(filed, [&](const FiledFace* begin, const FiledFace* end) {
    if (end != begin + 2) return;
    const auto one = static_cast<std::size_t>(begin[0].face);
    const auto other = static_cast<std::size_t>(begin[1].face);
    neighbours[one / 4][one % 4] = static_cast<int>(other / 4);
    neighbours[other / 4][other % 4] = static_cast<int>(one / 4);
  });
  return neighbours;
}

}  // namespace dashpot
