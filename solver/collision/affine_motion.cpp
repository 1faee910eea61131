#include "solver/collision/affine_motion.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace dashpot {

AffineMotion::AffineMotion(IndexRange points, const Points& before, const Points& after) {
  if (points.size() == 0) return;
  for (const int p : points) {
    centre_ += before.col(p);
    shift_ += after.col(p) - before.col(p);
  }
  centre_ /= points.size();
  shift_ /= points.size();
  Mat3 spread = Mat3::Zero(), moved = Mat3::Zero();
  for (const int p : points) {
    const Vec3 arm = before.col(p) - centre_;
    spread += arm * arm.transpose();
    moved += (after.col(p) - before.col(p) - shift_) * arm.transpose();
  }
  constexpr double kFlat = 1e-9;  // a body without thickness does not say how it shears
  spread.diagonal().array() += kFlat * spread.trace();
  if (spread.trace() > 0) gradient_ = moved * spread.inverse();
}

// With F = 1 + s G at the share s of the way, F'F = 1 + s (C - 1) - s (1 - s) G'G, where C belongs
// to the whole way.
double AffineMotion::least_stretch() const {
  const Mat3 whole = Mat3::Identity() + gradient_;
  const auto eigenvalues = [](const Mat3& m) {
    return Eigen::SelfAdjointEigenSolver<Mat3>(m, Eigen::EigenvaluesOnly).eigenvalues().eval();
  };
  const double least = eigenvalues(whole.transpose() * whole)[0];
  const double turn = eigenvalues(gradient_.transpose() * gradient_)[2];
  return std::sqrt(std::max(0.0, std::min(1.0, least) - turn / 4));
}

}  // namespace dashpot
