#include "standalone/bench/counted_mesh.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "solver/base/error.h"
#include "solver/mesh/boundary.h"

namespace dashpot {
namespace {

using Corner = std::array<int, 3>;

struct GrowingBar {
  std::map<Corner, int> number;
  std::vector<Vec3> places;
  std::vector<Tet> tets;

  int point(const Corner& corner) {
    const auto [found, is_new] = number.emplace(corner, static_cast<int>(places.size()));
    if (is_new) places.emplace_back(corner[0], corner[1], corner[2]);
    return found->second;
  }

  int missing_points(const Corner& cell) const {
    int missing = 0;
    for (int bits = 0; bits < 8; ++bits)
      missing += number.count(
                     {cell[0] + (bits & 1), cell[1] + (bits >> 1 & 1), cell[2] + (bits >> 2)}) == 0;
    return missing;
  }

  void add_cell(const Corner& cell) {
    Corner axes = {0, 1, 2};
    do {
      Corner at = cell;
      Tet tet = {point(at)};
      for (int s = 0; s < 3; ++s) {
        ++at[axes[s]];
        tet[s + 1] = point(at);
      }
      add(tet);
    } while (std::next_permutation(axes.begin(), axes.end()));
  }

  // Puts a new point outside of a face.
  void add_spike(const Triangle& face) {
    const Vec3 a = places[face[0]], b = places[face[1]], c = places[face[2]];
    const Vec3 normal = (b - a).cross(c - a).normalized();
    places.emplace_back((a + b + c) / 3 + 0.5 * normal);
    add({face[0], face[1], face[2], static_cast<int>(places.size()) - 1});
  }

  void add(Tet tet) {
    const Vec3 a = places[tet[0]];
    Mat3 edges;
    for (int s = 0; s < 3; ++s) edges.col(s) = places[tet[s + 1]] - a;
    if (edges.determinant() < 0) std::swap(tet[2], tet[3]);
    tets.push_back(tet);
  }
};

// Takes out tets that no point needs, spread over the body.
void thin_out(std::vector<Tet>& tets, std::size_t wanted, std::size_t points) {
  std::vector<int> uses(points, 0);
  for (const Tet& tet : tets)
    for (int p : tet) ++uses[p];
  while (tets.size() > wanted) {
    const std::size_t before = tets.size(),
                      stride = std::max<std::size_t>(1, before / (before - wanted));
    std::vector<Tet> kept;
    std::size_t surplus = before - wanted;
    for (std::size_t t = 0; t < before; ++t) {
      const Tet& tet = tets[t];
      const bool spare = std::all_of(tet.begin(), tet.end(), [&](int p) { return uses[p] > 1; });
      if (surplus > 0 && t % stride == 0 && spare) {
        for (int p : tet) --uses[p];
        --surplus;
      } else {
        kept.push_back(tet);
      }
    }
    tets.swap(kept);
    if (tets.size() == before && stride == 1)
      throw InputError("a mesh of " + std::to_string(points) + " points needs more than " +
                       std::to_string(wanted) + " tets.");
  }
}

}  // namespace

TetMesh counted_mesh(int points, int tets) {
  if (points < 8 || tets < 1)
    throw InputError("a benchmark body needs at least 8 points and a tet, not " +
                     std::to_string(points) + " and " + std::to_string(tets) + ".");
  const int side = std::max(1, static_cast<int>(std::cbrt(points / 4.0)));
  GrowingBar bar;
  for (int cell = 0;; ++cell) {
    const Corner at = {cell / (side * side), cell / side % side, cell % side};
    if (static_cast<int>(bar.places.size()) + bar.missing_points(at) > points) break;
    bar.add_cell(at);
  }
  // What is missing is less than a cell's points.
  const std::vector<Triangle> faces = boundary_surface(bar.tets);
  for (std::size_t f = 0; static_cast<int>(bar.places.size()) < points; ++f)
    bar.add_spike(faces[f * (faces.size() / 8)]);

  const auto wanted = static_cast<std::size_t>(tets);
  const std::size_t single = bar.tets.size();
  for (std::size_t t = 0; bar.tets.size() < wanted; ++t) bar.tets.push_back(bar.tets[t % single]);
  thin_out(bar.tets, wanted, bar.places.size());

  Points rest(3, points);
  for (int i = 0; i < points; ++i) rest.col(i) = bar.places[i] / side;
  return make_tet_mesh(std::move(rest), std::move(bar.tets), "bar");
}

}  // namespace dashpot
