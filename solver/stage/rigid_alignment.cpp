#include "solver/stage/rigid_alignment.h"

#include <Eigen/Dense>
#include <cmath>

#include "solver/base/parallel.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kVerticesPerChunk = 1024;

// What pinned points leave free to turn.
enum class Hinge { kFree, kPoint, kLine, kNone };

struct HingePlace {
  Hinge kind;
  Vec3 point = Vec3::Zero(), axis = Vec3::Zero();
};

Vec3 vertex(const std::vector<double>& values, int at) {
  return Vec3::Map(&values[static_cast<std::size_t>(at)]);
}

HingePlace hinge_of(const MeshPiece& piece, const std::vector<double>& x) {
  constexpr double kCollinear = 1e-9;
  if (piece.pinned.empty()) return {Hinge::kFree};
  const Vec3 first = vertex(x, piece.pinned.front());
  Vec3 longest = Vec3::Zero();
  for (const int v : piece.pinned)
    if (const Vec3 arm = vertex(x, v) - first; arm.squaredNorm() > longest.squaredNorm())
      longest = arm;
  if (longest.norm() == 0) return {Hinge::kPoint, first};
  const Vec3 axis = longest.normalized();
  for (const int v : piece.pinned)
    if (axis.cross(vertex(x, v) - first).norm() > kCollinear * longest.norm())
      return {Hinge::kNone};
  return {Hinge::kLine, first, axis};
}

struct Moments {
  double weight = 0;
  Vec3 x = Vec3::Zero(), target = Vec3::Zero();
  Mat3 product = Mat3::Zero();  // sum of weight * target x^T

  Moments& operator+=(const Moments& other) {
    weight += other.weight;
    x += other.x;
    target += other.target;
    product += other.product;
    return *this;
  }
};

Moments moments_about(const MeshPiece& piece, const Vec3& pivot, const std::vector<double>& target,
                      const std::vector<double>& weight, const std::vector<double>& x) {
  return parallel_sum(static_cast<std::ptrdiff_t>(piece.free.size()), kVerticesPerChunk, Moments{},
                      [&](ChunkRange range) {
                        Moments sum;
                        for (auto i = range.begin; i < range.end; ++i) {
                          const int v = piece.free[i];
                          const double w = weight[v / 4];
                          const Vec3 from = vertex(x, v) - pivot, to = vertex(target, v) - pivot;
                          sum.weight += w;
                          sum.x += w * from;
                          sum.target += w * to;
                          sum.product += w * to * from.transpose();
                        }
                        return sum;
                      });
}

Mat3 best_rotation(const Mat3& product) {
  const Eigen::JacobiSVD<Mat3> svd(product, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat3 rotation = svd.matrixU() * svd.matrixV().transpose();
  if (rotation.determinant() < 0) {
    Mat3 u = svd.matrixU();
    u.col(2) = -u.col(2);
    rotation = u * svd.matrixV().transpose();
  }
  return rotation;
}

// About a unit axis only.
Mat3 best_rotation(const Mat3& product, const Vec3& axis) {
  const Vec3 turn(product(2, 1) - product(1, 2), product(0, 2) - product(2, 0),
                  product(1, 0) - product(0, 1));
  const double sine = axis.dot(turn), cosine = product.trace() - axis.dot(product * axis);
  return Eigen::AngleAxisd(std::atan2(sine, cosine), axis).toRotationMatrix();
}

}  // namespace

void RigidAlignment::align(const std::vector<double>& target, const std::vector<double>& weight,
                           std::vector<double>& x) const {
  for (const MeshPiece& piece : pieces_) {
    if (piece.free.empty()) continue;
    const HingePlace hinge = hinge_of(piece, x);
    if (hinge.kind == Hinge::kNone) continue;
    // Sums of products are exact enough only about a point nearby.
    const Vec3 pivot = hinge.kind == Hinge::kFree ? vertex(x, piece.free.front()) : hinge.point;
    Moments m = moments_about(piece, pivot, target, weight, x);
    Vec3 center = pivot, goal = pivot;
    if (hinge.kind == Hinge::kFree) {
      center += m.x / m.weight;
      goal += m.target / m.weight;
      m.product -= m.target * m.x.transpose() / m.weight;
    }
    const Mat3 rotation = hinge.kind == Hinge::kLine ? best_rotation(m.product, hinge.axis)
                                                     : best_rotation(m.product);
    parallel_each(static_cast<std::ptrdiff_t>(piece.free.size()), kVerticesPerChunk,
                  [&](std::ptrdiff_t i) {
                    const int v = piece.free[i];
                    const Vec3 arm = vertex(x, v) - center;
                    // Small turns and shifts are added, so that rounding stays small.
                    Vec3::Map(&x[v]) += (goal - center) + (rotation * arm - arm);
                  });
  }
}

}  // namespace dashpot
