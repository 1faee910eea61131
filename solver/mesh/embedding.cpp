#include "solver/mesh/embedding.h"

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <numeric>

#include "solver/base/parallel.h"

namespace dashpot {
namespace {

using Box = Eigen::AlignedBox3d;

// A point this little outside of a tet, in barycentric weight, counts as inside: it is on a face,
// up to rounding.
constexpr double kOnFace = 1e-9;

Eigen::Vector4d barycentric(const Points& points, const Tet& tet, const Vec3& p) {
  Mat3 edges;
  for (int a = 0; a < 3; ++a) edges.col(a) = points.col(tet[a + 1]) - points.col(tet[0]);
  const Vec3 tail = edges.inverse() * (p - points.col(tet[0]));
  return {1 - tail.sum(), tail[0], tail[1], tail[2]};
}

double squared_distance_to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 edge = b - a;
  const double t = std::clamp((p - a).dot(edge) / edge.squaredNorm(), 0.0, 1.0);
  return (p - a - t * edge).squaredNorm();
}

double squared_distance_to_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 normal = (b - a).cross(c - a);
  const auto is_left_of = [&](const Vec3& from, const Vec3& to) {
    return normal.cross(to - from).dot(p - from) >= 0;
  };
  if (is_left_of(a, b) && is_left_of(b, c) && is_left_of(c, a)) {
    const double height = normal.dot(p - a);
    return height * height / normal.squaredNorm();
  }
  return std::min({squared_distance_to_segment(p, a, b), squared_distance_to_segment(p, b, c),
                   squared_distance_to_segment(p, c, a)});
}

double squared_distance_to_tet(const Points& points, const Tet& tet, const Vec3& p) {
  if (barycentric(points, tet, p).minCoeff() >= -kOnFace) return 0;
  double nearest = std::numeric_limits<double>::infinity();
  for (int opposite = 0; opposite < 4; ++opposite)
    nearest = std::min(nearest, squared_distance_to_triangle(p, points.col(tet[(opposite + 1) % 4]),
                                                             points.col(tet[(opposite + 2) % 4]),
                                                             points.col(tet[(opposite + 3) % 4])));
  return nearest;
}

// Boxes around boxes around tets, halved at the median of the longest side.
class TetTree {
 public:
  explicit TetTree(const TetMesh& mesh) : mesh_(mesh), order_(mesh.tets.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    boxes_.reserve(order_.size());
    for (const Tet& tet : mesh.tets) {
      Box box;
      for (const int point : tet) box.extend(Vec3(mesh.rest.col(point)));
      boxes_.push_back(box);
    }
    build(0, static_cast<int>(order_.size()));
  }

  int nearest(const Vec3& p) const {
    Best best;
    search(0, p, best);
    return best.tet;
  }

 private:
  static constexpr int kLeafTets = 4;
  struct Node {
    Box box;
    int begin, end;
    int right = -1;  // the left child follows its parent; none for a leaf
  };
  struct Best {
    double squared_distance = std::numeric_limits<double>::infinity();
    int tet = -1;
  };

  int build(int begin, int end) {
    const int index = static_cast<int>(nodes_.size());
    nodes_.push_back({Box(), begin, end});
    for (int i = begin; i < end; ++i) nodes_[index].box.extend(boxes_[order_[i]]);
    if (end - begin > kLeafTets) {
      Eigen::Index axis = 0;
      nodes_[index].box.sizes().maxCoeff(&axis);
      const int middle = begin + (end - begin) / 2;
      std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                       [&](int a, int b) {
                         const double left = boxes_[a].center()[axis];
                         const double right = boxes_[b].center()[axis];
                         return left != right ? left < right : a < b;
                       });
      build(begin, middle);
      nodes_[index].right = build(middle, end);
    }
    return index;
  }

  void search(int index, const Vec3& p, Best& best) const {
    const Node& node = nodes_[index];
    if (node.box.squaredExteriorDistance(p) > best.squared_distance) return;
    if (node.right < 0) {
      for (int i = node.begin; i < node.end; ++i) visit(order_[i], p, best);
      return;
    }
    const bool right_first = nodes_[node.right].box.squaredExteriorDistance(p) <
                             nodes_[index + 1].box.squaredExteriorDistance(p);
    search(right_first ? node.right : index + 1, p, best);
    search(right_first ? index + 1 : node.right, p, best);
  }

  void visit(int tet, const Vec3& p, Best& best) const {
    if (boxes_[tet].squaredExteriorDistance(p) > best.squared_distance) return;
    const double distance = squared_distance_to_tet(mesh_.rest, mesh_.tets[tet], p);
    const bool nearer = distance < best.squared_distance;
    if (nearer || (distance == best.squared_distance && tet < best.tet)) best = {distance, tet};
  }

  const TetMesh& mesh_;
  std::vector<int> order_;
  std::vector<Box> boxes_;
  std::vector<Node> nodes_;
};

}  // namespace

Embedding embed(const TetMesh& mesh, const Points& rest_points) {
  Embedding embedding;
  embedding.tet.resize(rest_points.cols());
  embedding.weights.resize(rest_points.cols());
  if (rest_points.cols() == 0) return embedding;
  const TetTree tree(mesh);
  parallel_each(rest_points.cols(), 256, [&](std::ptrdiff_t i) {
    const Vec3 p = rest_points.col(i);
    embedding.tet[i] = tree.nearest(p);
    embedding.weights[i] = barycentric(mesh.rest, mesh.tets[embedding.tet[i]], p);
  });
  return embedding;
}

Vec3 follow(const Embedding& embedding, const TetMesh& mesh, const Points& mesh_values, int i) {
  Vec3 value = Vec3::Zero();
  for (int a = 0; a < 4; ++a)
    value += embedding.weights[i][a] * mesh_values.col(mesh.tets[embedding.tet[i]][a]);
  return value;
}

}  // namespace dashpot
