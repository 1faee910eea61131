#include "solver/contact/rigid_response.h"

#include <Eigen/Dense>

#include "solver/base/lane_points.h"
#include "solver/base/parallel.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kVerticesOfPiece = 512;

using Sums = Eigen::Matrix<double, 6, 1>;

// The same, before what it has of x, y and z is told apart.
struct LaneSums {
  Lane moment[3] = {}, answer[3] = {};  // sums of arm[a] f and Q[a] f
  LaneSums& operator+=(const LaneSums& other) {
    for (int a = 0; a < 3; ++a) {
      moment[a] += other.moment[a];
      answer[a] += other.answer[a];
    }
    return *this;
  }
  Sums sums() const {
    Sums result;
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      result[a] = moment[b][c] - moment[c][b];
      result[3 + a] = answer[a][0] + answer[a][1] + answer[a][2];
    }
    return result;
  }
};

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
    for (const int v : piece_.free) answer_[a][v + 3] = 0;
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
  const LaneSums lanes = parallel_sum(count, kVerticesOfPiece, LaneSums(), [&](ChunkRange range) {
    LaneSums sum;
    for (auto k = range.begin; k < range.end; ++k) {
      const int v = piece_.free[k];
      const Lane force = load_lane(f + v);
      for (int a = 0; a < 3; ++a) {
        sum.moment[a] += (x_[v + a] - rigid_.center[a]) * force;
        sum.answer[a] += load_lane(&answer_[a][v]) * force;
      }
    }
    return sum;
  });
  const Sums factors = middle_ * lanes.sums();
  // turn x arm is linear in the arm.
  const Mat3 turn = -turn_matrix(factors.head<3>()).transpose();
  Lane of_arm[3];
  for (int a = 0; a < 3; ++a) of_arm[a] = Lane{turn(a, 0), turn(a, 1), turn(a, 2), 0};
  parallel_each(count, kVerticesOfPiece, [&](std::ptrdiff_t k) {
    const int v = piece_.free[k];
    Lane moved = load_lane(u + v);
    for (int a = 0; a < 3; ++a)
      moved +=
          (x_[v + a] - rigid_.center[a]) * of_arm[a] + factors[3 + a] * load_lane(&answer_[a][v]);
    store_lane(u + v, moved);
  });
}

}  // namespace dashpot
