#include "solver/advice/thin_part.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "solver/mesh/boundary.h"

namespace dashpot {
namespace {

constexpr int kMostTets = 200000;  // of more, finding neighbours would be felt
constexpr int kLooks = 400;
// A line meets three tets for each edge length that it goes on, in cells cut into six as in
// Delaunay's meshes.
constexpr double kTetsPerLayer = 3;
constexpr int kThickEnough = 8;  // tets met: below three layers
constexpr double kLeastShare = 0.25;
constexpr double kSlender = 4.5;  // length over thickness from which bending is what one sees

struct Look {
  int met = 0;  // tets
  double way = 0;
  double area = 0;
  Vec3 from = Vec3::Zero();
};

// Outwards, of twice the face's area.
Vec3 face_normal(const TetMesh& mesh, const Tet& tet, int opposite, Vec3& corner) {
  constexpr int kCorners[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  const int* c = kCorners[opposite];
  corner = mesh.rest.col(tet[c[0]]);
  const Vec3 along = mesh.rest.col(tet[c[1]]) - corner;
  return along.cross(Vec3(mesh.rest.col(tet[c[2]]) - corner));
}

// From the middle of a face of the surface straight into the body, until it ends.
Look look_through(const TetMesh& mesh, const std::vector<std::array<int, 4>>& neighbours, int tet,
                  int face) {
  Look look;
  Vec3 corner;
  const Vec3 outwards = face_normal(mesh, mesh.tets[tet], face, corner);
  for (int a = 0; a < 4; ++a)
    if (a != face) look.from += mesh.rest.col(mesh.tets[tet][a]) / 3;
  look.area = 0.5 * outwards.norm();
  const Vec3 direction = -outwards.normalized();
  int from_tet = -1;
  while (tet >= 0 && look.met < kThickEnough) {
    int exit = -1;
    double nearest = std::numeric_limits<double>::infinity();
    for (int f = 0; f < 4; ++f) {
      if ((from_tet < 0 && f == face) || (from_tet >= 0 && neighbours[tet][f] == from_tet))
        continue;
      const Vec3 normal = face_normal(mesh, mesh.tets[tet], f, corner);
      const double slope = normal.dot(direction);
      if (slope <= 0) continue;
      const double way = normal.dot(corner - look.from) / slope;
      if (way >= nearest) continue;
      nearest = way;
      exit = f;
    }
    if (exit < 0) break;  // grazes a corner
    ++look.met;
    look.way = nearest;
    from_tet = tet;
    tet = neighbours[tet][exit];
  }
  return look;
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

std::optional<ThinPart> find_thin_part(const TetMesh& mesh) {
  if (mesh.tet_count() > kMostTets) return std::nullopt;
  const auto neighbours = face_neighbours(mesh.tets);
  std::vector<std::pair<int, int>> surface;
  for (int t = 0; t < mesh.tet_count(); ++t)
    for (int f = 0; f < 4; ++f)
      if (neighbours[t][f] < 0) surface.emplace_back(t, f);
  const std::size_t stride = 1 + surface.size() / kLooks;
  std::vector<double> met, ways;
  double area = 0, thin_area = 0;
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (std::size_t i = 0; i < surface.size(); i += stride) {
    const Look look = look_through(mesh, neighbours, surface[i].first, surface[i].second);
    area += look.area;
    if (look.met >= kThickEnough) continue;
    thin_area += look.area;
    met.push_back(look.met);
    ways.push_back(look.way);
    low = low.cwiseMin(look.from);
    high = high.cwiseMax(look.from);
  }
  if (thin_area < kLeastShare * area || met.empty()) return std::nullopt;
  ThinPart part;
  part.tets = std::max(1, static_cast<int>(std::lround(median_of(met) / kTetsPerLayer)));
  part.thickness = median_of(ways);
  part.length = (high - low).norm();
  if (part.length < kSlender * part.thickness) return std::nullopt;
  return part;
}

}  // namespace dashpot
