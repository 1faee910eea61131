#include "solver/collision/surface_normals.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace dashpot {
namespace {

double corner_angle(const Points& x, const Triangle& t, int vertex) {
  int k = 0;
  while (t[k] != vertex) ++k;
  const Vec3 a = x.col(t[(k + 1) % 3]) - x.col(vertex), b = x.col(t[(k + 2) % 3]) - x.col(vertex);
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

// The first that has a length, made of length 1.
Vec3 first_direction(const Vec3& a, const Vec3& b) {
  constexpr double kNone = 1e-6;
  if (a.norm() > kNone) return a.normalized();
  return b.norm() > kNone ? b.normalized() : Vec3::UnitY().eval();
}

struct Neighbourhood {
  IndexRange faces, points;
};

Neighbourhood around_vertex(const ContactSurface& surface, int vertex) {
  return {surface.triangles_of_point(vertex), surface.neighbours(vertex)};
}

Neighbourhood around_edge(const ContactSurface& surface, int edge) {
  return {surface.triangles_of_edge(edge), surface.opposite_points(edge)};
}

// Where features touch in `place`: the normal of a face of either whose plane keeps their
// neighbourhoods apart, the one nearest to `wanted`; without such a plane, wanted itself. Where a
// face rests on another, pseudo normals lean by how the vertices lie to the rim.
Vec3 separating_normal(const ContactSurface& surface, const Points& x, const Vec3& place,
                       const Neighbourhood& first, const Neighbourhood& second,
                       const Vec3& wanted) {
  constexpr double kSlack = 1e-2;
  const auto keeps = [&](IndexRange points, const Vec3& out) {
    return std::all_of(points.begin(), points.end(), [&](int p) {
      return out.dot((x.col(p) - place).stableNormalized()) < kSlack;
    });
  };
  Vec3 best = wanted;
  double nearest = 0;
  const auto offer = [&](const Vec3& normal) {
    if (normal.dot(wanted) <= nearest) return;
    if (!keeps(second.points, normal) || !keeps(first.points, -normal)) return;
    nearest = normal.dot(wanted);
    best = normal;
  };
  for (const int t : second.faces) offer(face_normal(surface, x, t));
  for (const int t : first.faces) offer(-face_normal(surface, x, t));
  return best;
}

}  // namespace

Vec3 face_normal(const ContactSurface& surface, const Points& x, int triangle) {
  const Triangle& t = surface.triangles()[triangle];
  const Vec3 a = x.col(t[0]), b = x.col(t[1]), c = x.col(t[2]);
  return (b - a).cross(c - a).stableNormalized();
}

Vec3 edge_normal(const ContactSurface& surface, const Points& x, int edge) {
  Vec3 sum = Vec3::Zero();
  for (const int t : surface.triangles_of_edge(edge)) sum += face_normal(surface, x, t);
  return sum.stableNormalized();
}

Vec3 vertex_normal(const ContactSurface& surface, const Points& x, int vertex) {
  Vec3 sum = Vec3::Zero();
  for (const int t : surface.triangles_of_point(vertex))
    sum += corner_angle(x, surface.triangles()[t], vertex) * face_normal(surface, x, t);
  return sum.stableNormalized();
}

Vec3 touching_normal(const ContactSurface& surface, const Points& x, const FeaturePairId& id) {
  switch (id.kind) {
    case FeaturePair::kVertexFace:
      return first_direction(face_normal(surface, x, id.second),
                             -vertex_normal(surface, x, id.first));
    case FeaturePair::kVertexEdge: {
      const Vec3 other = edge_normal(surface, x, id.second);
      const Vec3 apart = first_direction(other - vertex_normal(surface, x, id.first), other);
      return separating_normal(surface, x, x.col(id.first), around_vertex(surface, id.first),
                               around_edge(surface, id.second), apart);
    }
    case FeaturePair::kVertexVertex: {
      const Vec3 other = vertex_normal(surface, x, id.second);
      const Vec3 apart = first_direction(other - vertex_normal(surface, x, id.first), other);
      return separating_normal(surface, x, x.col(id.first), around_vertex(surface, id.first),
                               around_vertex(surface, id.second), apart);
    }
    case FeaturePair::kEdgeEdge:
      break;
  }
  const Edge &d = surface.edges()[id.first], &e = surface.edges()[id.second];
  const Vec3 u = x.col(d[1]) - x.col(d[0]), v = x.col(e[1]) - x.col(e[0]);
  const Vec3 across = u.cross(v).stableNormalized();
  const Vec3 apart = edge_normal(surface, x, id.second) - edge_normal(surface, x, id.first);
  return first_direction(across.dot(apart) < 0 ? Vec3(-across) : across, apart);
}

bool is_flat(const ContactSurface& surface, const Points& x, int edge) {
  constexpr double kCosine = 0.99756405;  // of 4 degrees
  const IndexRange faces = surface.triangles_of_edge(edge);
  return faces.size() == 2 &&
         face_normal(surface, x, faces[0]).dot(face_normal(surface, x, faces[1])) > kCosine;
}

}  // namespace dashpot
