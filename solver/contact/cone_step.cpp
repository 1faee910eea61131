#include "solver/contact/cone_step.h"

#include <Eigen/Cholesky>
#include <vector>

#include "solver/base/parallel.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kFieldPiece = 512;
constexpr int kMostProducts = 100;

// body(row) for all rows, and the sum of what it returns.
template <class Body>
double sum_rows(std::ptrdiff_t rows, const Body& body) {
  return parallel_sum(rows, kFieldPiece, 0.0, [&](ChunkRange range) {
    double sum = 0;
    for (std::ptrdiff_t c = range.begin; c < range.end; ++c) sum += body(c);
    return sum;
  });
}

// The part of the preconditioner's answer within the range of H. A side direction whose H^-1 is
// much larger than eps q is all but decoupled, which the preconditioner does not know.
class RangePreconditioner {
 public:
  RangePreconditioner(const ConeProblem& problem, const LumpedPreconditioner& lumped)
      : problem_(problem), lumped_(lumped), coupled_(3, problem.row_count()) {}

  // Returns r . z.
  double multiply(const Points& r, Points& z) {
    parallel_each(r.cols(), kFieldPiece,
                  [&](std::ptrdiff_t c) { coupled_.col(c) = coupled(c, r.col(c)); });
    lumped_.multiply(coupled_, z);
    return sum_rows(r.cols(), [&](std::ptrdiff_t c) {
      const ConeProjection& at = problem_.at(c);
      Vec3 answer = coupled(c, z.col(c));
      if (is_loose(at)) {
        const double stiffness = 1 / (problem_.softness(c) / at.shrink + problem_.compliance(c));
        answer += stiffness * at.side.dot(r.col(c)) * at.side;
      }
      z.col(c) = answer;
      return answer.dot(r.col(c));
    });
  }

 private:
  static bool is_loose(const ConeProjection& at) {
    constexpr double kLoose = 0.1;
    return at.status == ConeStatus::kSlide && at.has_side() && at.shrink < kLoose;
  }
  Vec3 coupled(std::ptrdiff_t c, const Vec3& v) const {
    const ConeProjection& at = problem_.at(c);
    return is_loose(at) ? Vec3(at.generator.dot(v) * at.generator) : at.in_range(v);
  }

  const ConeProblem& problem_;
  const LumpedPreconditioner& lumped_;
  Points coupled_;
};

}  // namespace

void ConeStep::solve(const ConeProblem& problem, const ContactOperator& w,
                     const LumpedPreconditioner& preconditioner, double forcing,
                     double negligible) {
  const std::ptrdiff_t rows = problem.row_count();
  RangePreconditioner inverse(problem, preconditioner);
  products = 0;
  step.setZero(3, rows);
  image.setZero(3, rows);
  if (problem.outer_size() > negligible) {
    step = problem.outer();
    w.multiply(step, image);
    ++products;
  }
  const auto norm = [&](std::ptrdiff_t c, const Vec3& r) {
    return problem.is_pressing(c) ? r.squaredNorm() / problem.softness(c) : 0;
  };
  Points r(3, rows), z, p, wp;
  double size = sum_rows(rows, [&](std::ptrdiff_t c) {
    const ConeProjection& at = problem.at(c);
    r.col(c) =
        problem.softness(c) * at.unproject(problem.inner().col(c)) - at.in_range(image.col(c));
    return norm(c, r.col(c));
  });
  const double enough = forcing * forcing * size;
  double rz = inverse.multiply(r, z);
  p = z;
  while (size > enough && rz > 0 && products < kMostProducts) {
    w.multiply(p, wp);
    ++products;
    const double curvature = sum_rows(rows, [&](std::ptrdiff_t c) {
      const Vec3 own = problem.softness(c) * problem.at(c).unproject(p.col(c));
      return p.col(c).dot(own + wp.col(c));
    });
    if (!(curvature > 0)) break;
    const double a = rz / curvature;
    size = sum_rows(rows, [&](std::ptrdiff_t c) {
      const ConeProjection& at = problem.at(c);
      step.col(c) += a * p.col(c);
      image.col(c) += a * wp.col(c);
      r.col(c) -= a * (problem.softness(c) * at.unproject(p.col(c)) + at.in_range(wp.col(c)));
      return norm(c, r.col(c));
    });
    if (size <= enough) break;
    const double next = inverse.multiply(r, z);
    parallel_each(rows, kFieldPiece,
                  [&](std::ptrdiff_t c) { p.col(c) = z.col(c) + next / rz * p.col(c); });
    rz = next;
  }
}

void ConeStep::solve(const ConeProblem& problem, const Eigen::MatrixXd& w) {
  const int rows = problem.row_count();
  // A basis of the range, and H^-1 in it.
  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(3 * rows, 3 * rows);
  Eigen::VectorXd softness(3 * rows);
  int count = 0;
  const auto add = [&](int c, const Vec3& direction, double shrink) {
    basis.block<3, 1>(3 * c, count) = direction;
    softness[count++] = problem.softness(c) / shrink;
  };
  for (int c = 0; c < rows; ++c) {
    const ConeProjection& at = problem.at(c);
    if (at.status == ConeStatus::kStick)
      for (int axis = 0; axis < 3; ++axis) add(c, Vec3::Unit(axis), 1);
    if (at.status != ConeStatus::kSlide) continue;
    add(c, at.generator, 1);
    if (at.has_side()) add(c, at.side, at.shrink);
  }
  const auto range = basis.leftCols(count);
  const Eigen::Map<const Eigen::VectorXd> inner(problem.inner().data(), 3 * rows);
  const Eigen::Map<const Eigen::VectorXd> outer(problem.outer().data(), 3 * rows);
  Eigen::MatrixXd matrix = range.transpose() * w * range;
  matrix.diagonal() += softness.head(count);
  const Eigen::VectorXd wanted = softness.head(count).cwiseProduct(range.transpose() * inner) -
                                 range.transpose() * (w * outer);
  step = problem.outer();
  image.resize(3, rows);
  Eigen::Map<Eigen::VectorXd> d(step.data(), 3 * rows);
  d += range * matrix.llt().solve(wanted);
  Eigen::Map<Eigen::VectorXd>(image.data(), 3 * rows) = w * d;
  products = 0;
}

}  // namespace dashpot
