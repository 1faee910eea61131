#include "solver/contact/cone_step.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

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

// The sum of r^2 / (eps q) over rows that press, r what body(row) returns, m; it is called for all.
template <class Body>
double measure_rows(const ConeProblem& problem, const Body& body) {
  return sum_rows(problem.row_count(), [&](std::ptrdiff_t c) {
    const double off = body(c);
    return problem.is_pressing(c) ? off * off / problem.softness(c) : 0.0;
  });
}

// The part of the preconditioner's answer within the range of H. A side direction whose H^-1 is
// much larger than eps q is all but decoupled, which the preconditioner does not know.
class RangePreconditioner {
 public:
  RangePreconditioner(const ConeProblem& problem, const LumpedPreconditioner& lumped)
      : problem_(problem), lumped_(lumped), coupled_(3, problem.row_count()) {}

  void multiply(const Points& r, Points& z) {
    parallel_each(r.cols(), kFieldPiece,
                  [&](std::ptrdiff_t c) { coupled_.col(c) = coupled(c, r.col(c)); });
    lumped_.multiply(coupled_, z);
    parallel_each(r.cols(), kFieldPiece, [&](std::ptrdiff_t c) {
      const ConeProjection& at = problem_.at(c);
      Vec3 answer = coupled(c, z.col(c));
      if (is_loose(at)) {
        const double stiffness = 1 / (problem_.softness(c) / at.shrink + problem_.compliance(c));
        answer += stiffness * at.side.dot(r.col(c)) * at.side;
      }
      z.col(c) = answer;
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

// P being the range preconditioner, (P^-1 + V V^T)^-1 = P - P V (1 + V^T P V)^-1 V^T P. A few
// directions in which a body gives way by far the most would cost a product each.
class FoldedPreconditioner {
 public:
  FoldedPreconditioner(const ConeProblem& problem, const LumpedPreconditioner& lumped,
                       const Eigen::MatrixXd& low_rank)
      : range_(problem, lumped), low_rank_(low_rank), images_(low_rank.rows(), low_rank.cols()) {
    Points column(3, problem.row_count()), image;
    for (Eigen::Index k = 0; k < low_rank.cols(); ++k) {
      column = Eigen::Map<const Points>(low_rank.col(k).data(), 3, problem.row_count());
      range_.multiply(column, image);
      images_.col(k) = Eigen::Map<const Eigen::VectorXd>(image.data(), image.size());
    }
    Eigen::MatrixXd inner = low_rank.transpose() * images_;
    inner.diagonal().array() += 1;
    inner_.compute(inner);
  }

  // Returns r . z.
  double multiply(const Points& r, Points& z) {
    range_.multiply(r, z);
    if (low_rank_.cols() > 0) {
      const Eigen::Map<const Eigen::VectorXd> flat(r.data(), r.size());
      const Eigen::VectorXd share = inner_.solve(images_.transpose() * flat);
      Eigen::Map<Eigen::VectorXd>(z.data(), z.size()) -= images_ * share;
    }
    return sum_rows(r.cols(), [&](std::ptrdiff_t c) { return r.col(c).dot(z.col(c)); });
  }

 private:
  RangePreconditioner range_;
  const Eigen::MatrixXd& low_rank_;
  Eigen::MatrixXd images_;  // P V
  Eigen::LLT<Eigen::MatrixXd> inner_;
};

}  // namespace

double ConeStep::begin(const ConeProblem& problem, const ContactOperator& w) {
  step_ = problem.outer();
  if (problem.outer_size() == 0) {
    image_.setZero(3, problem.row_count());
    return 0;
  }
  w.multiply(step_, image_);
  ++products_;
  return std::sqrt(image_.colwise().squaredNorm().maxCoeff());
}

bool ConeStep::solve(const ConeProblem& problem, const ContactOperator& w,
                     const LumpedPreconditioner& preconditioner, const Eigen::MatrixXd& low_rank,
                     double forcing) {
  const std::ptrdiff_t rows = problem.row_count();
  Points r(3, rows), z, p, wp;
  double left = measure_rows(problem, [&](std::ptrdiff_t c) {
    const ConeProjection& at = problem.at(c);
    r.col(c) =
        problem.softness(c) * at.unproject(problem.inner().col(c)) - at.in_range(image_.col(c));
    return r.col(c).norm();
  });
  // Not of the right-hand side: that has the image of R_C, which moves a stiff body much further
  // than rows are off.
  const double begin = measure_rows(problem, [&](std::ptrdiff_t c) {
    return problem.softness(c) * problem.inner().col(c).norm() +
           problem.compliance(c) * problem.outer().col(c).norm();
  });
  const double goal = forcing * forcing * begin;
  if (left <= goal) return problem.outer_size() > 0;
  FoldedPreconditioner inverse(problem, preconditioner, low_rank);
  double rz = inverse.multiply(r, z);
  p = z;
  for (int i = 0; i < kMostProducts && rz > 0; ++i) {
    w.multiply(p, wp);
    ++products_;
    const double curvature = sum_rows(rows, [&](std::ptrdiff_t c) {
      const Vec3 own = problem.softness(c) * problem.at(c).unproject(p.col(c));
      return p.col(c).dot(own + wp.col(c));
    });
    if (!(curvature > 0)) break;
    const double a = rz / curvature;
    left = measure_rows(problem, [&](std::ptrdiff_t c) {
      const ConeProjection& at = problem.at(c);
      step_.col(c) += a * p.col(c);
      image_.col(c) += a * wp.col(c);
      r.col(c) -= a * (problem.softness(c) * at.unproject(p.col(c)) + at.in_range(wp.col(c)));
      return r.col(c).norm();
    });
    if (left <= goal) break;
    const double next = inverse.multiply(r, z);
    parallel_each(rows, kFieldPiece,
                  [&](std::ptrdiff_t c) { p.col(c) = z.col(c) + next / rz * p.col(c); });
    rz = next;
  }
  return true;
}

bool ConeStep::solve(const ConeProblem& problem, const Eigen::MatrixXd& w) {
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
  step_ = problem.outer();
  image_.resize(3, rows);
  Eigen::Map<Eigen::VectorXd> d(step_.data(), 3 * rows);
  d += range * matrix.llt().solve(wanted);
  Eigen::Map<Eigen::VectorXd>(image_.data(), 3 * rows) = w * d;
  return true;
}

}  // namespace dashpot
