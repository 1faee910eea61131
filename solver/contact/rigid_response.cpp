#include "solver/contact/rigid_response.h"

#include <Eigen/Dense>
#include <algorithm>

namespace dashpot {

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

RigidResponse::RigidResponse(const GlobalMatrix& system, const std::vector<MeshPiece>& pieces)
    : system_(system),
      pieces_(pieces),
      piece_of_(static_cast<std::size_t>(system.order().count()), -1),
      rigid_(pieces.size()),
      inner_(pieces.size(), Mat3::Zero()) {
  for (std::size_t p = 0; p < pieces.size(); ++p)
    for (const int v : pieces[p].free)
      piece_of_[static_cast<std::size_t>(v) / 4] = static_cast<int>(p);
}

void RigidResponse::prepare(const std::vector<double>& x, const std::vector<char>& wanted) {
  x_ = x;
  const std::vector<double>& weight = system_.inertia();
  bool any = false;
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    rigid_[p] = wanted[p] ? rigid_piece(pieces_[p], weight, x) : RigidPiece{};
    any = any || rigid_[p].is_free;
  }
  if (!any) return;
  for (int a = 0; a < 3; ++a) {
    answer_[a].assign(4 * static_cast<std::size_t>(system_.order().free_count), 0.0);
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      if (!rigid_[p].is_free) continue;
      for (const int v : pieces_[p].free)
        Vec3::Map(&answer_[a][v]) =
            weight[v / 4] * Vec3::Unit(a).cross(Vec3::Map(&x_[v]) - rigid_[p].center);
    }
    system_.solve(answer_[a].data());
  }
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    if (!rigid_[p].is_free) continue;
    Mat3 product = Mat3::Zero();  // R^T W Q
    for (const int v : pieces_[p].free)
      product += weight[v / 4] * turn_matrix(Vec3::Map(&x_[v]) - rigid_[p].center).transpose() *
                 answer_block(v);
    const Mat3& inverse = rigid_[p].inverse_inertia;
    inner_[p] = inverse * product * inverse + inverse;
  }
}

Mat3 RigidResponse::answer_block(int vertex) const {
  Mat3 block;
  for (int a = 0; a < 3; ++a) block.col(a) = Vec3::Map(&answer_[a][vertex]);
  return block;
}

void RigidResponse::add(int vertex, const Vec3& force, std::vector<Sums>& sums) const {
  const int p = piece_of(vertex);
  if (p < 0 || !rigid_[p].is_free) return;
  sums[p].torque += (Vec3::Map(&x_[vertex]) - rigid_[p].center).cross(force);
  sums[p].answer += answer_block(vertex).transpose() * force;
}

Vec3 RigidResponse::extra(int vertex, const std::vector<Sums>& sums) const {
  const int p = piece_of(vertex);
  if (p < 0 || !rigid_[p].is_free) return Vec3::Zero();
  const Mat3& inverse = rigid_[p].inverse_inertia;
  const Vec3 turn = inner_[p] * sums[p].torque - inverse * sums[p].answer;
  return turn.cross(Vec3::Map(&x_[vertex]) - rigid_[p].center) -
         answer_block(vertex) * (inverse * sums[p].torque);
}

double RigidResponse::rigid_work(int piece, const Vec3& force, const Vec3& torque) const {
  const RigidPiece& rigid = rigid_[piece];
  if (!rigid.is_free) return 0;
  return force.squaredNorm() / rigid.weight + torque.dot(rigid.inverse_inertia * torque);
}

Mat3 RigidResponse::extra_block(int vertex) const {
  const int p = piece_of(vertex);
  if (p < 0 || !rigid_[p].is_free) return Mat3::Zero();
  const Mat3 turn = turn_matrix(Vec3::Map(&x_[vertex]) - rigid_[p].center);
  const Mat3 answer = answer_block(vertex);
  const Mat3 mixed = answer * rigid_[p].inverse_inertia * turn.transpose();
  return turn * inner_[p] * turn.transpose() - mixed - mixed.transpose();
}

}  // namespace dashpot
