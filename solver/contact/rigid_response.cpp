#include "solver/contact/rigid_response.h"

#include <Eigen/Dense>

#include "solver/base/parallel.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kVerticesOfPiece = 512;

using Sums = Eigen::Matrix<double, 6, 1>;

}  // namespace

RigidPiece rigid_piece(const MeshPiece& piece, const std::vector<double>& weight,
                       const std::vector<double>& x) {
  RigidPiece rigid;
  rigid.is_free = piece.pinned.empty() && piece.free.size() >= 3;
  if (!rigid.is_free) return rigid;
  const auto at = [&](int v) { return Vec3::Map(&x[static_cast<std::size_t>(v)]); };
  const Vec3 pivot = at(piece.free.front());
  Vec3 sum = Vec3::Zero();
  for (const int v : piece.free) {
    rigid.weight += weight[v / 4];
    sum += weight[v / 4] * (at(v) - pivot);
  }
  rigid.center = pivot + sum / rigid.weight;
  Mat3 inertia = Mat3::Zero();
  for (const int v : piece.free) {
    const Vec3 arm = at(v) - rigid.center;
    inertia += weight[v / 4] * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
  }
  // A piece that lies in a line cannot be turned about it.
  inertia.diagonal().array() += 1e-12 * inertia.trace();
  rigid.inverse_inertia = inertia.inverse();
  rigid.is_free = rigid.inverse_inertia.allFinite();
  return rigid;
}

void RigidResponse::prepare(const std::vector<double>& x, bool turns) {
  const std::vector<double>& weight = matrix_.inertia();
  rigid_ = turns ? rigid_piece(piece_, weight, x) : RigidPiece{};
  if (!rigid_.is_free) return;
  x_ = x;
  for (int a = 0; a < 3; ++a) {
    answer_[a].assign(4 * static_cast<std::size_t>(matrix_.order().free_count), 0.0);
    for (const int v : piece_.free)
      Vec3::Map(&answer_[a][v]) =
          weight[v / 4] * Vec3::Unit(a).cross(Vec3::Map(&x_[v]) - rigid_.center);
    matrix_.solve(answer_[a].data());
  }
  Mat3 product = Mat3::Zero();  // R^T W Q
  for (const int v : piece_.free) {
    const Columns both = columns(v);
    product += weight[v / 4] * both.leftCols<3>().transpose() * both.rightCols<3>();
  }
  const Mat3& inverse = rigid_.inverse_inertia;
  middle_.topLeftCorner<3, 3>() =
      0.5 * inverse * (product + product.transpose()) * inverse + inverse;
  middle_.topRightCorner<3, 3>() = middle_.bottomLeftCorner<3, 3>() = -inverse;
}

RigidResponse::Columns RigidResponse::columns(int vertex) const {
  Columns both;
  both.leftCols<3>() = turn_matrix(Vec3::Map(&x_[vertex]) - rigid_.center);
  for (int a = 0; a < 3; ++a) both.col(3 + a) = Vec3::Map(&answer_[a][vertex]);
  return both;
}

void RigidResponse::add_turning(const double* f, double* u) const {
  if (!rigid_.is_free) return;
  const auto count = static_cast<std::ptrdiff_t>(piece_.free.size());
  const Sums sums =
      parallel_sum(count, kVerticesOfPiece, Sums(Sums::Zero()), [&](ChunkRange range) {
        Sums sum = Sums::Zero();
        for (auto k = range.begin; k < range.end; ++k)
          sum += columns(piece_.free[k]).transpose() * Vec3::Map(f + piece_.free[k]);
        return sum;
      });
  const Sums factors = middle_ * sums;
  parallel_each(count, kVerticesOfPiece, [&](std::ptrdiff_t k) {
    Vec3::Map(u + piece_.free[k]) += columns(piece_.free[k]) * factors;
  });
}

}  // namespace dashpot
