#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <chrono>
#include <cmath>
#include <vector>

#include "solver/base/parallel.h"
#include "solver/base/types.h"
#include "solver/elasticity/corotated.h"
#include "solver/elasticity/neohookean.h"
#include "solver/elements/tet_set.h"
#include "solver/integrator/integrator.h"
#include "solver/mesh/rest_shape.h"

namespace dashpot {

// What one would write from the papers with a good library and no further thought, as the yardstick
// of our solver: plain ADMM in z and u, tet by tet, Eigen's JacobiSVD and LDLT, one SimplicialLLT
// (AMD) solved for x, y and z in turn, scatter assembly. The local step runs on all TBB threads.
// Same energies, weights and start as Islands; no drag.
template <class Model>
class TextbookAdmm {
 public:
  struct Result {
    int iterations = 0;
    double primal_residual = 0;  // |W(Dx - z)| / |W D(start - before)|
    double ms_local = 0, ms_global = 0;
  };

  TextbookAdmm(const TetTerms& terms, std::vector<double> mass, std::vector<char> pinned, double h);

  Result solve(const Stage& stage, const Points& before, int iterations, double tolerance,
               Points& x);

  // The same one iteration at a time: begin once, then iterate.
  void begin(const Points& x);
  void iterate(const Stage& stage, Points& x, Result& result);

 private:
  using SparseMatrix = Eigen::SparseMatrix<double>;
  using Clock = std::chrono::steady_clock;

  static double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  }
  Mat3 gradient(const Points& x, std::size_t t) const {
    return deformation_gradient(x, terms_.tets[t], terms_.inverse_rest_shape[t]);
  }
  void local_step(const Points& x);
  void global_step(const Stage& stage, Points& x);
  double weighted_norm(const Points& x, const Points& y) const;
  double mismatch(const Points& x) const;

  const TetTerms& terms_;
  std::vector<double> mass_;
  std::vector<int> row_;  // of each point, -1 if it is pinned
  int free_count_ = 0;
  double h_;
  Eigen::SimplicialLLT<SparseMatrix> factor_;
  SparseMatrix pinned_columns_;  // K between free rows and all points
  std::vector<Mat3> z_, u_;
  std::vector<Vec3> stretches_;         // warm starts of the prox
  Eigen::MatrixXd pinned_force_, rhs_;  // free_count x 3
};

// argmin value(s) + k/2 |s - p|^2
inline Vec3 textbook_prox(Corotated /*model*/, const Vec3& p, const Lame<double>& lame, double k,
                          const Vec3& /*start*/) {
  const Stretches<double> at = {p[0], p[1], p[2]};
  const Stretches<double> g = Corotated::gradient(at, lame);
  Mat3 hessian = Mat3::Constant(lame.lambda);
  hessian.diagonal().array() += 2 * lame.mu + k;
  return p - hessian.ldlt().solve(Vec3(g.data()));
}

// Newton's method with halving.
inline Vec3 textbook_prox(NeoHookean /*model*/, const Vec3& p, const Lame<double>& lame, double k,
                          const Vec3& start) {
  const auto evaluate = [&](const Vec3& s, StretchEvaluation<double>& at) {
    at = NeoHookean::evaluate<double>({s[0], s[1], s[2]}, lame);
    return at.value + 0.5 * k * (s - p).squaredNorm();
  };
  Vec3 s = start;
  StretchEvaluation<double> at;
  double value = evaluate(s, at);
  for (int iteration = 0; iteration < 20; ++iteration) {
    const Vec3 direction(at.hessian.direction.data());
    Mat3 hessian = at.hessian.rank_one * direction * direction.transpose();
    hessian.diagonal() += Vec3(at.hessian.diagonal.data()) + Vec3::Constant(k);
    Vec3 step = hessian.ldlt().solve(k * (p - s) - Vec3(at.gradient.data()));
    if (step.lpNorm<Eigen::Infinity>() < 1e-8) return s + step;
    double next = evaluate(s + step, at);
    for (int halving = 0; halving < 20 && next > value + 1e-12 * std::abs(value); ++halving) {
      step *= 0.5;
      next = evaluate(s + step, at);
    }
    s += step;
    value = next;
  }
  return s;
}

template <class Model>
TextbookAdmm<Model>::TextbookAdmm(const TetTerms& terms, std::vector<double> mass,
                                  std::vector<char> pinned, double h)
    : terms_(terms), mass_(std::move(mass)), row_(mass_.size(), -1), h_(h) {
  for (std::size_t i = 0; i < mass_.size(); ++i)
    if (!pinned[i]) row_[i] = free_count_++;
  std::vector<Eigen::Triplet<double>> entries, coupling;
  for (std::size_t i = 0; i < mass_.size(); ++i)
    if (row_[i] >= 0) entries.emplace_back(row_[i], row_[i], mass_[i] / (h * h));
  for (std::size_t t = 0; t < terms.tets.size(); ++t) {
    Eigen::Matrix<double, 4, 3> g;
    g << -terms.inverse_rest_shape[t].colwise().sum(), terms.inverse_rest_shape[t];
    const Eigen::Matrix4d k = terms.squared_weight[t] * g * g.transpose();
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        const int i = terms.tets[t][a], j = terms.tets[t][b];
        if (row_[i] >= 0 && row_[j] >= 0) entries.emplace_back(row_[i], row_[j], k(a, b));
        if (row_[i] >= 0 && row_[j] < 0) coupling.emplace_back(row_[i], j, k(a, b));
      }
  }
  SparseMatrix matrix(free_count_, free_count_);
  matrix.setFromTriplets(entries.begin(), entries.end());
  pinned_columns_.resize(free_count_, static_cast<Eigen::Index>(mass_.size()));
  pinned_columns_.setFromTriplets(coupling.begin(), coupling.end());
  factor_.compute(matrix);
  z_.resize(terms.tets.size());
  u_.resize(terms.tets.size());
  stretches_.resize(terms.tets.size());
  rhs_.resize(free_count_, 3);
}

template <class Model>
void TextbookAdmm<Model>::local_step(const Points& x) {
  constexpr std::ptrdiff_t kGrain = 256;
  parallel_each(static_cast<std::ptrdiff_t>(z_.size()), kGrain, [&](std::ptrdiff_t t) {
    const Mat3 p = gradient(x, t) + u_[t];
    const Eigen::JacobiSVD<Mat3> svd(p, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat3 u = svd.matrixU(), v = svd.matrixV();
    Vec3 sigma = svd.singularValues();
    if (u.determinant() < 0) {
      u.col(2) *= -1;
      sigma[2] *= -1;
    }
    if (v.determinant() < 0) {
      v.col(2) *= -1;
      sigma[2] *= -1;
    }
    const double k = terms_.squared_weight[t] / terms_.volume[t];
    stretches_[t] = textbook_prox(Model{}, sigma, terms_.lame[t], k, stretches_[t]);
    z_[t] = u * stretches_[t].asDiagonal() * v.transpose();
    u_[t] = p - z_[t];
  });
}

template <class Model>
void TextbookAdmm<Model>::global_step(const Stage& stage, Points& x) {
  const FlushDenormals flush;
  rhs_ = -pinned_force_;
  for (std::size_t i = 0; i < row_.size(); ++i)
    if (row_[i] >= 0) rhs_.row(row_[i]) += mass_[i] / (h_ * h_) * stage.x_tilde.col(i).transpose();
  for (std::size_t t = 0; t < z_.size(); ++t) {
    const Mat3 force =
        terms_.squared_weight[t] * (z_[t] - u_[t]) * terms_.inverse_rest_shape[t].transpose();
    const Tet& tet = terms_.tets[t];
    if (row_[tet[0]] >= 0) rhs_.row(row_[tet[0]]) -= force.rowwise().sum().transpose();
    for (int a = 1; a < 4; ++a)
      if (row_[tet[a]] >= 0) rhs_.row(row_[tet[a]]) += force.col(a - 1).transpose();
  }
  for (int d = 0; d < 3; ++d) {
    const Eigen::VectorXd solution = factor_.solve(rhs_.col(d));
    for (std::size_t i = 0; i < row_.size(); ++i)
      if (row_[i] >= 0) x(d, static_cast<Eigen::Index>(i)) = solution[row_[i]];
  }
}

// |W D (x - y)|
template <class Model>
double TextbookAdmm<Model>::weighted_norm(const Points& x, const Points& y) const {
  double sum = 0;
  for (std::size_t t = 0; t < z_.size(); ++t)
    sum += terms_.squared_weight[t] * (gradient(x, t) - gradient(y, t)).squaredNorm();
  return std::sqrt(sum);
}

// |W (Dx - z)|
template <class Model>
double TextbookAdmm<Model>::mismatch(const Points& x) const {
  double sum = 0;
  for (std::size_t t = 0; t < z_.size(); ++t)
    sum += terms_.squared_weight[t] * (gradient(x, t) - z_[t]).squaredNorm();
  return std::sqrt(sum);
}

template <class Model>
void TextbookAdmm<Model>::begin(const Points& x) {
  for (std::size_t t = 0; t < z_.size(); ++t) {
    u_[t].setZero();
    stretches_[t].setOnes();
  }
  pinned_force_ = pinned_columns_ * x.transpose();
}

template <class Model>
void TextbookAdmm<Model>::iterate(const Stage& stage, Points& x, Result& result) {
  const auto start = Clock::now();
  local_step(x);
  result.ms_local += ms_since(start);
  const auto middle = Clock::now();
  global_step(stage, x);
  result.ms_global += ms_since(middle);
  ++result.iterations;
}

template <class Model>
typename TextbookAdmm<Model>::Result TextbookAdmm<Model>::solve(const Stage& stage,
                                                                const Points& before,
                                                                int iterations, double tolerance,
                                                                Points& x) {
  Result result;
  const double scale = weighted_norm(x, before);
  begin(x);
  bool converged = false;
  while (result.iterations < iterations && !converged) {
    iterate(stage, x, result);
    // A fixed budget needs no residual before its end.
    if (tolerance == 0 && result.iterations < iterations) continue;
    result.primal_residual = mismatch(x) / scale;
    converged = result.primal_residual <= tolerance;
  }
  return result;
}

}  // namespace dashpot
