#include "solver/contact/cone_problem.h"

#include <algorithm>

#include "solver/base/parallel.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kConesPerPiece = 256;

struct LargestResiduals {
  double inner = 0, outer = 0;
  LargestResiduals& operator+=(const LargestResiduals& other) {
    inner = std::max(inner, other.inner);
    outer = std::max(outer, other.outer);
    return *this;
  }
};

}  // namespace

void ConeProblem::recenter(const Points& y, const Points& force, double proximal,
                           std::vector<double>& slip) {
  proximal_ = proximal;
  center_ = force;
  slip.resize(planes_.size());
  for (std::size_t c = 0; c < planes_.size(); ++c) {
    const Vec3 u = planes_[c].gap_and_slip(y.col(c));
    const Vec3& n = planes_[c].normal;
    slip[c] = planes_[c].friction * (u - n.dot(u) * n).norm();
  }
  slip_ = &slip;
}

Vec3 ConeProblem::pull(std::ptrdiff_t c, const Vec3& y) const {
  const ContactPlane& plane = planes_[c];
  const Vec3 u = plane.gap_and_slip(y) + (*slip_)[c] * plane.normal;
  return center_.col(c) - u / softness(c);
}

ConeProjection ConeProblem::project(std::ptrdiff_t c, const Vec3& y) const {
  if (compliance_[c] <= 0) return {};
  return project_on_cone(planes_[c].normal, planes_[c].friction, pull(c, y));
}

double ConeProblem::evaluate(const Points& y, const Points& force) {
  return set_residual(force, [&](std::ptrdiff_t c) { return project(c, y.col(c)); });
}

// A cone is all of its multiples: at p, its face is where the derivative takes p.
double ConeProblem::evaluate_on(const std::vector<ConeProjection>& faces, const Points& y,
                                const Points& force) {
  return set_residual(force, [&](std::ptrdiff_t c) {
    if (compliance_[c] <= 0) return ConeProjection();
    ConeProjection at = faces[c];
    at.force = at.derivative(pull(c, y.col(c)));
    return at;
  });
}

// project(row): how it presses.
template <class Project>
double ConeProblem::set_residual(const Points& force, const Project& project) {
  inner_.resize(3, row_count());
  outer_.resize(3, row_count());
  const LargestResiduals largest =
      parallel_sum(row_count(), kConesPerPiece, LargestResiduals(), [&](ChunkRange range) {
        LargestResiduals part;
        for (std::ptrdiff_t c = range.begin; c < range.end; ++c) {
          at_[c] = project(c);
          const Vec3 residual = at_[c].force - force.col(c);
          inner_.col(c) = at_[c].in_range(residual);
          outer_.col(c) = residual - inner_.col(c);
          part += {softness(c) * inner_.col(c).norm(), compliance_[c] * outer_.col(c).norm()};
        }
        return part;
      });
  outer_size_ = largest.outer;
  return std::max(largest.inner, largest.outer);
}

std::vector<char> ConeProblem::pressing() const {
  std::vector<char> result(planes_.size());
  for (std::size_t c = 0; c < result.size(); ++c)
    result[c] = at_[c].status != ConeStatus::kOpen ? 1 : 0;
  return result;
}

ConeProblem::Slope& ConeProblem::Slope::operator+=(const Slope& other) {
  slope += other.slope;
  curvature += other.curvature;
  return *this;
}

ConeProblem::Slope ConeProblem::slope(double a, const Points& y, const Points& force,
                                      const Points& step, const Points& image) const {
  return parallel_sum(row_count(), kConesPerPiece, Slope(), [&](ChunkRange range) {
    Slope sum;
    for (std::ptrdiff_t c = range.begin; c < range.end; ++c) {
      if (compliance_[c] <= 0) continue;
      const Vec3 way = image.col(c);
      const ConeProjection at = project(c, y.col(c) + a * way);
      sum += {way.dot(force.col(c) + a * step.col(c) - at.force),
              way.dot(step.col(c) + at.derivative(way) / softness(c))};
    }
    return sum;
  });
}

}  // namespace dashpot
