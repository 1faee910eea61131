#include "solver/advice/excitation.h"

#include <Eigen/Dense>
#include <algorithm>

namespace dashpot {
namespace {

// The rotation that brings the rest shape nearest to where the points are.
Mat3 best_rotation(const LinearPiece& piece, const Points& position, Vec3& from, Vec3& to) {
  double total = 0;
  from.setZero();
  to.setZero();
  for (int p = 0; p < piece.point_count(); ++p) {
    const double mass = piece.mass[3L * p];
    total += mass;
    from += mass * piece.rest.col(p);
    to += mass * position.col(p);
  }
  from /= total;
  to /= total;
  Mat3 moments = Mat3::Zero();
  for (int p = 0; p < piece.point_count(); ++p)
    moments += piece.mass[3L * p] * (position.col(p) - to) * (piece.rest.col(p) - from).transpose();
  const Eigen::JacobiSVD<Mat3> svd(moments, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat3 sign = Mat3::Identity();
  sign(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
  return svd.matrixU() * sign * svd.matrixV().transpose();
}

// Whether pinned points are where the rest shape has them.
bool pins_are_at_rest(const LinearPiece& piece, const Points& position, double size) {
  constexpr double kMoved = 1e-6;
  for (int p = 0; p < piece.point_count(); ++p)
    if (piece.pinned[p] && (position.col(p) - piece.rest.col(p)).norm() > kMoved * size)
      return false;
  return true;
}

}  // namespace

std::vector<Excitation> excitations(const LinearPiece& piece, const Body& body, const Vec3& gravity,
                                    const Eigen::MatrixXd& rigid) {
  constexpr double kNothing = 1e-9;
  const int n = piece.point_count();
  Points position(3, n), velocity(3, n);
  for (int p = 0; p < n; ++p) {
    position.col(p) = body.position.col(piece.points[p]);
    velocity.col(p) = body.velocity.col(piece.points[p]);
  }
  const bool is_held = rigid.cols() < 6;
  const double size = (piece.rest.rowwise().maxCoeff() - piece.rest.rowwise().minCoeff()).norm();
  const bool is_in_place = is_held && pins_are_at_rest(piece, position, size);
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();
  const Mat3 rotation = is_in_place ? Mat3::Identity() : best_rotation(piece, position, from, to);
  Points weight(3, n), shape(3, n), speed(3, n);
  for (int p = 0; p < n; ++p) {
    weight.col(p) = rotation.transpose() * gravity;
    shape.col(p) = rotation.transpose() * (position.col(p) - to) - (piece.rest.col(p) - from);
    speed.col(p) = rotation.transpose() * velocity.col(p);
  }
  std::vector<Excitation> list;
  const auto add = [&](Excitation::Kind kind, const Points& field, double unit) {
    Excitation excitation{kind, Eigen::Map<const Eigen::VectorXd>(field.data(), 3L * n)};
    for (int p = 0; p < n; ++p)
      if (piece.pinned[p]) excitation.field.segment<3>(3L * p).setZero();
    excitation.field -=
        rigid * (rigid.transpose() * (piece.mass.asDiagonal() * excitation.field)).eval();
    if (excitation.field.cwiseAbs().maxCoeff() > kNothing * unit)
      list.push_back(std::move(excitation));
  };
  if (is_held) add(Excitation::Kind::kWeight, weight, 1);
  if (is_in_place || !is_held) add(Excitation::Kind::kShape, shape, size);
  add(Excitation::Kind::kVelocity, speed, std::max(1e-3, velocity.cwiseAbs().maxCoeff()));
  return list;
}

}  // namespace dashpot
