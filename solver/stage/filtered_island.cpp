#include "solver/stage/filtered_island.h"

#include <algorithm>

namespace dashpot {

FilteredIsland::FilteredIsland(StageProblem& problem, const Points& x,
                               const std::vector<double>& impulse)
    : problem_(problem), x_(problem.x().size()) {
  problem.load(x, x_);
  piece_ = rigid_piece(problem.piece(), mass(), x_);
  set_share(impulse);
}

FilteredIsland::RigidMotions FilteredIsland::rigid_motions(int vertex) const {
  RigidMotions columns;
  columns.leftCols<3>().setIdentity();
  columns.rightCols<3>() = turn_matrix(Vec3::Map(&x_[vertex]) - piece_.center);
  return columns;
}

FilteredIsland::Mat6 FilteredIsland::inverse_inertia() const {
  Mat6 inverse = Mat6::Zero();
  inverse.topLeftCorner<3, 3>().diagonal().setConstant(1 / piece_.weight);
  inverse.bottomRightCorner<3, 3>() = piece_.inverse_inertia;
  return inverse;
}

// The rigid motion that has the momenta of v.
FilteredIsland::Vec6 FilteredIsland::rigid_part(const std::vector<double>& v) const {
  Vec6 momenta = Vec6::Zero();
  if (!is_free()) return momenta;
  for (int i = 0; i < free_size(); i += 4)
    momenta += mass_at(i) * (rigid_motions(i).transpose() * Vec3::Map(&v[i]));
  return inverse_inertia() * momenta;
}

void FilteredIsland::filter(std::vector<double>& v) const {
  const Vec6 rigid = rigid_part(v);
  for (int i = 0; i < free_size(); i += 4) {
    const Vec3 whole = rigid_motions(i) * rigid;
    Vec3::Map(&v[i]) = whole + share_ * (Vec3::Map(&v[i]) - whole);
  }
}

// Of the deformation that the impulses start, what is over within the stage: with S_A = (M + h^2
// K)^-1 M, the share of 1 - (1 - S_A)^2 in the norm of M.
void FilteredIsland::set_share(const std::vector<double>& impulse) {
  std::vector<double> z = impulse;
  for (int i = 0; i < free_size(); i += 4) Vec3::Map(&z[i]) /= mass_at(i);
  const Vec6 rigid = rigid_part(z);
  for (int i = 0; i < free_size(); i += 4) Vec3::Map(&z[i]) -= rigid_motions(i) * rigid;
  const std::vector<double> once = smoothed(z), twice = smoothed(once);
  double all = 0, kept = 0;
  for (int i = 0; i < free_size(); i += 4) {
    const Vec3 own = Vec3::Map(&z[i]);
    all += mass_at(i) * own.squaredNorm();
    kept += mass_at(i) * own.dot(2 * Vec3::Map(&once[i]) - Vec3::Map(&twice[i]));
  }
  share_ = all > 0 ? std::clamp(kept / all, 0.0, 1.0) : 0;
}

std::vector<double> FilteredIsland::smoothed(std::vector<double> z) const {
  const double h = problem_.h();
  for (int i = 0; i < free_size(); i += 4) {
    Vec3::Map(&z[i]) *= mass_at(i) / (h * h);
    z[i + 3] = 0;
  }
  problem_.matrix().solve(z.data());
  return z;
}

}  // namespace dashpot
