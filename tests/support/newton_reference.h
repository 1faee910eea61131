#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <vector>

#include "solver/integrator/integrator.h"
#include "solver/mesh/rest_shape.h"
#include "solver/simulation/simulation_model.h"

namespace dashpot {

// One stage's objective over the free points, evaluated with Eigen and the scalar materials only:
//   sum m/(2h^2) |x - x~|^2 + sum d/(2h) |x - x_p|^2 + sum V Psi(F),
// and its minimiser by Newton's method with a dense Hessian. Shares no code with solver/stage.
class NewtonReference {
 public:
  NewtonReference(const SimulationModel& system, const Stage& stage)
      : system_(system), stage_(stage) {
    for (int i = 0; i < system.point_count(); ++i) {
      row_.push_back(system.pinned[i] ? -1 : size_);
      if (!system.pinned[i]) size_ += 3;
    }
  }

  double value(const Points& x) const {
    double sum = 0;
    for (int i = 0; i < system_.point_count(); ++i) {
      if (row_[i] < 0) continue;
      const double h = stage_.h;
      sum += system_.mass[i] / (2 * h * h) * (x.col(i) - stage_.x_tilde.col(i)).squaredNorm();
      sum += system_.drag[i] / (2 * h) * (x.col(i) - stage_.x_p.col(i)).squaredNorm();
    }
    for (int t = 0; t < terms().count(); ++t)
      sum += terms().volume[t] *
             energy_density(terms().material[t], deformation(x, t), terms().lame[t]);
    return sum;
  }

  Eigen::VectorXd gradient(const Points& x) const {
    Eigen::VectorXd g = Eigen::VectorXd::Zero(size_);
    for (int i = 0; i < system_.point_count(); ++i) {
      if (row_[i] < 0) continue;
      const double h = stage_.h;
      g.segment<3>(row_[i]) = system_.mass[i] / (h * h) * (x.col(i) - stage_.x_tilde.col(i)) +
                              system_.drag[i] / h * (x.col(i) - stage_.x_p.col(i));
    }
    for (int t = 0; t < terms().count(); ++t) {
      const Mat3 stress =
          terms().volume[t] * first_piola(terms().material[t], deformation(x, t), terms().lame[t]);
      const auto shape = shape_gradient(t);
      for (int a = 0; a < 4; ++a) {
        const int row = row_[terms().tets[t][a]];
        if (row >= 0) g.segment<3>(row) += stress * shape.row(a).transpose();
      }
    }
    return g;
  }

  // Stops when the Newton step no longer changes x beyond rounding.
  Points minimise(Points x) const {
    constexpr int kMaxSteps = 100;
    constexpr double kRounding = 1e-14;
    for (int k = 0; k < kMaxSteps; ++k) {
      const Eigen::VectorXd g = gradient(x);
      // Exact where that is downhill, which it is near the minimum.
      Eigen::LLT<Eigen::MatrixXd> factor(hessian(x, false));
      if (factor.info() != Eigen::Success) factor.compute(hessian(x, true));
      const Eigen::VectorXd step = -factor.solve(g);
      if (step.norm() <= kRounding * x.norm()) break;
      x = line_search(x, step, g.dot(step));
    }
    return x;
  }

 private:
  using Mat9 = Eigen::Matrix<double, 9, 9>;

  const TetTerms& terms() const { return system_.tets(); }

  Mat3 deformation(const Points& x, int t) const {
    return deformation_gradient(x, terms().tets[t], terms().inverse_rest_shape[t]);
  }

  // d(shape function of corner a)/dX, one row per corner.
  Eigen::Matrix<double, 4, 3> shape_gradient(int t) const {
    Eigen::Matrix<double, 4, 3> g;
    g.bottomRows<3>() = terms().inverse_rest_shape[t];
    g.row(0) = -terms().inverse_rest_shape[t].colwise().sum();
    return g;
  }

  // dP/dF by central differences; `convex` removes its negative eigenvalues.
  Mat9 material_hessian(const Mat3& f, int t, bool convex) const {
    constexpr double kStep = 1e-6;
    Mat9 h;
    for (int k = 0; k < 9; ++k) {
      Mat3 plus = f, minus = f;
      plus(k) += kStep;
      minus(k) -= kStep;
      const Mat3 column = (first_piola(terms().material[t], plus, terms().lame[t]) -
                           first_piola(terms().material[t], minus, terms().lame[t])) /
                          (2 * kStep);
      h.col(k) = Eigen::Map<const Eigen::Matrix<double, 9, 1>>(column.data());
    }
    h = (0.5 * (h + h.transpose())).eval();
    if (!convex) return h;
    const Eigen::SelfAdjointEigenSolver<Mat9> eigen(h);
    return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() *
           eigen.eigenvectors().transpose();
  }

  Eigen::MatrixXd hessian(const Points& x, bool convex) const {
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(size_, size_);
    for (int i = 0; i < system_.point_count(); ++i)
      if (row_[i] >= 0)
        out.diagonal().segment<3>(row_[i]).array() +=
            system_.mass[i] / (stage_.h * stage_.h) + system_.drag[i] / stage_.h;
    for (int t = 0; t < terms().count(); ++t) {
      const Mat9 h = terms().volume[t] * material_hessian(deformation(x, t), t, convex);
      const auto shape = shape_gradient(t);
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b) {
          const int row = row_[terms().tets[t][a]], col = row_[terms().tets[t][b]];
          if (row < 0 || col < 0) continue;
          for (int j = 0; j < 3; ++j)
            for (int l = 0; l < 3; ++l)
              out.block<3, 3>(row, col) += shape(a, j) * shape(b, l) * h.block<3, 3>(3 * j, 3 * l);
        }
    }
    return out;
  }

  Points line_search(const Points& x, const Eigen::VectorXd& step, double slope) const {
    // Below this the decrease drowns in the rounding error of the value.
    constexpr double kUnsearched = 1e-6;
    const double start = value(x);
    double t = 1;
    Points trial = moved(x, step);
    while (step.norm() > kUnsearched * x.norm() && value(trial) > start + 1e-4 * t * slope) {
      t *= 0.5;
      trial = moved(x, t * step);
    }
    return trial;
  }

  Points moved(Points x, const Eigen::VectorXd& step) const {
    for (int i = 0; i < system_.point_count(); ++i)
      if (row_[i] >= 0) x.col(i) += step.segment<3>(row_[i]);
    return x;
  }

  const SimulationModel& system_;
  const Stage& stage_;
  std::vector<int> row_;  // first row of each point, -1 if it is pinned
  int size_ = 0;
};

}  // namespace dashpot
