// Wall time until one implicit solve is within 1e-3 of its converged solution: ours at default
// settings against projected Newton with the analytic Hessian, its negative eigenvalues removed, a
// line search, and our own supernodal factorisation of the 3n x 3n matrix, analysed beforehand.
// The beam of convergence_bench at 40 ms under gravity, neo-Hookean, first stages of steps 2, 5 and
// 8, from the same start, on all threads. Best of several runs.
//
//   newton_bench [along across]     # cells; default beams of 5k and 50k tets
#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "solver/base/svd3.h"
#include "solver/linear/sparse_cholesky.h"
#include "solver/simulation/simulation.h"
#include "standalone/bench/contest.h"

namespace dashpot {
namespace {

constexpr double kGoal = 1e-3;
constexpr int kRuns = 5;

using Clock = std::chrono::steady_clock;
using Mat9 = Eigen::Matrix<double, 9, 9>;
using Mat12 = Eigen::Matrix<double, 12, 12>;
using Vec9 = Eigen::Matrix<double, 9, 1>;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

class ProjectedNewton {
 public:
  ProjectedNewton(const SimulationModel& system, const Stage& stage)
      : system_(system), terms_(system.tets()), stage_(stage), element_(terms_.count()) {
    for (int i = 0; i < system.point_count(); ++i)
      row_.push_back(system.pinned[i] ? -1 : 3 * free_count_++);
    lay_out();
    cholesky_.analyze(matrix_);
  }

  void step(Points& x) {
    evaluate(x);
    cholesky_.factorize(matrix_);
    std::vector<double> b(4 * static_cast<std::size_t>(matrix_.rows()), 0.0);
    const std::vector<int>& original = cholesky_.permutation();
    for (std::size_t k = 0; k < original.size(); ++k) b[4 * k] = -gradient_[original[k]];
    cholesky_.solve(b.data());
    Eigen::VectorXd d(matrix_.rows());
    for (std::size_t k = 0; k < original.size(); ++k) d[original[k]] = b[4 * k];
    const double start = value(x), slope = gradient_.dot(d);
    double t = 1;
    for (Points trial = moved(x, d);; trial = moved(x, t * d)) {
      if (value(trial) <= start + 1e-4 * t * slope || t < 1e-6) {
        x = trial;
        return;
      }
      t *= 0.5;
    }
  }

 private:
  struct Element {
    Mat12 hessian;
    Eigen::Matrix<double, 12, 1> gradient;
    std::array<int, 144> place;  // in the matrix's values, -1: above the diagonal or pinned
  };

  Eigen::Matrix<double, 4, 3> shape(int t) const {
    Eigen::Matrix<double, 4, 3> g;
    g << -terms_.inverse_rest_shape[t].colwise().sum(), terms_.inverse_rest_shape[t];
    return g;
  }

  void lay_out() {
    const int n = 3 * free_count_;
    std::vector<Eigen::Triplet<double>> entries;
    const auto each = [&](const auto& visit) {
      for (int t = 0; t < terms_.count(); ++t)
        for (int r = 0; r < 12; ++r)
          for (int c = 0; c < 12; ++c) {
            const int a = row_[terms_.tets[t][r / 3]], b = row_[terms_.tets[t][c / 3]];
            visit(t, r, c, a < 0 ? -1 : a + r % 3, b < 0 ? -1 : b + c % 3);
          }
    };
    each([&](int, int, int, int row, int col) {
      if (row >= 0 && col >= 0 && row >= col) entries.emplace_back(row, col, 1.0);
    });
    matrix_.resize(n, n);
    matrix_.setFromTriplets(entries.begin(), entries.end());
    const int *outer = matrix_.outerIndexPtr(), *inner = matrix_.innerIndexPtr();
    each([&](int t, int r, int c, int row, int col) {
      const bool kept = row >= 0 && col >= 0 && row >= col;
      element_[t].place[12 * r + c] =
          kept ? static_cast<int>(
                     std::lower_bound(inner + outer[col], inner + outer[col + 1], row) - inner)
               : -1;
    });
  }

  // dP/dF without its negative eigenvalues, from those in the principal axes.
  static Mat9 convex_hessian(const Matrix3<double>& u, const Stretches<double>& s,
                             const Matrix3<double>& v, const Lame<double>& lame) {
    const Mat3 U = to_eigen(u), V = to_eigen(v);
    const StretchEvaluation<double> at = NeoHookean::evaluate(s, lame);
    const Vec3 direction(at.hessian.direction.data());
    Mat3 stretch = at.hessian.rank_one * direction * direction.transpose();
    stretch.diagonal() += Vec3(at.hessian.diagonal.data());
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(stretch);
    Mat9 h = Mat9::Zero();
    const auto add = [&](double curvature, const Mat3& mode) {
      const Mat3 m = U * mode * V.transpose();
      const Vec9 flat = Eigen::Map<const Vec9>(m.data());
      if (curvature > 0) h += curvature * flat * flat.transpose();
    };
    for (int k = 0; k < 3; ++k)
      add(eigen.eigenvalues()[k], Mat3(eigen.eigenvectors().col(k).asDiagonal()));
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      const double gi = at.gradient[i], gj = at.gradient[j];
      Mat3 flip = Mat3::Zero(), twist = Mat3::Zero();
      flip(i, j) = flip(j, i) = twist(i, j) = std::sqrt(0.5);
      twist(j, i) = -twist(i, j);
      const double gap = s[i] - s[j];
      add(std::abs(gap) > 1e-6 ? (gi - gj) / gap : stretch(i, i) - stretch(i, j), flip);
      add((gi + gj) / std::max(s[i] + s[j], 1e-6), twist);
    }
    return h;
  }

  void evaluate_element(const Points& x, int t) {
    Matrix3<double> u, v;
    Stretches<double> s;
    const Mat3 f = deformation_gradient(x, terms_.tets[t], terms_.inverse_rest_shape[t]);
    signed_svd(to_matrix3(f), u, s, v);
    const Mat9 h = terms_.volume[t] * convex_hessian(u, s, v, terms_.lame[t]);
    const Mat3 stress =
        terms_.volume[t] * to_eigen(compose(u, NeoHookean::gradient(s, terms_.lame[t]), v));
    const auto g = shape(t);
    Eigen::Matrix<double, 9, 12> b = Eigen::Matrix<double, 9, 12>::Zero();  // dF/dx
    for (int a = 0; a < 4; ++a)
      for (int c = 0; c < 3; ++c)
        for (int d = 0; d < 3; ++d) b(3 * c + d, 3 * a + d) = g(a, c);
    element_[t].hessian = b.transpose() * h * b;
    element_[t].gradient = b.transpose() * Eigen::Map<const Vec9>(stress.data());
  }

  void evaluate(const Points& x) {
    parallel_each(terms_.count(), 64,
                  [&](std::ptrdiff_t t) { evaluate_element(x, static_cast<int>(t)); });
    double* values = matrix_.valuePtr();
    std::fill(values, values + matrix_.nonZeros(), 0.0);
    gradient_.setZero(matrix_.rows());
    for (int t = 0; t < terms_.count(); ++t)
      for (int r = 0; r < 12; ++r) {
        const int row = row_[terms_.tets[t][r / 3]];
        if (row >= 0) gradient_[row + r % 3] += element_[t].gradient[r];
        for (int c = 0; c < 12; ++c) {
          const int place = element_[t].place[12 * r + c];
          if (place >= 0) values[place] += element_[t].hessian(r, c);
        }
      }
    const double h2 = stage_.h * stage_.h;
    for (int i = 0; i < system_.point_count(); ++i)
      for (int d = 0; d < 3 && row_[i] >= 0; ++d) {
        const double k = system_.mass[i] / h2;
        matrix_.coeffRef(row_[i] + d, row_[i] + d) += k;
        gradient_[row_[i] + d] += k * (x(d, i) - stage_.x_tilde(d, i));
      }
  }

  double value(const Points& x) const {
    double sum = 0;
    for (int i = 0; i < system_.point_count(); ++i)
      if (row_[i] >= 0)
        sum += system_.mass[i] / (2 * stage_.h * stage_.h) *
               (x.col(i) - stage_.x_tilde.col(i)).squaredNorm();
    return sum + parallel_sum(terms_.count(), 256, 0.0, [&](ChunkRange range) {
             double energy = 0;
             for (auto t = range.begin; t < range.end; ++t)
               energy += terms_.volume[t] *
                         energy_density(
                             Material::kNeoHookean,
                             deformation_gradient(x, terms_.tets[t], terms_.inverse_rest_shape[t]),
                             terms_.lame[t]);
             return energy;
           });
  }

  Points moved(Points x, const Eigen::VectorXd& d) const {
    for (int i = 0; i < system_.point_count(); ++i)
      if (row_[i] >= 0) x.col(i) += d.segment<3>(row_[i]);
    return x;
  }

  const SimulationModel& system_;
  const TetTerms& terms_;
  const Stage& stage_;
  std::vector<int> row_;
  int free_count_ = 0;
  std::vector<Element> element_;
  Eigen::SparseMatrix<double> matrix_;
  Eigen::VectorXd gradient_;
  SparseCholesky cholesky_;
};

double mass_norm(const SimulationModel& system, const Points& d) {
  double sum = 0;
  for (int i = 0; i < system.point_count(); ++i)
    if (!system.pinned[i]) sum += system.mass[i] * d.col(i).squaredNorm();
  return std::sqrt(sum);
}

struct Score {
  int iterations = 0;
  double ms = std::numeric_limits<double>::infinity();
};

struct StageContest {
  const SimulationModel& system;
  const BeamStage& problem;
  Points solution;

  double error(const Points& x) const {
    return mass_norm(system, x - solution) / mass_norm(system, problem.stage.x_tilde - solution);
  }

  Score ours(Islands& solver) const {
    Score score;
    Points x;
    const auto run = [&](int iterations) {
      std::vector<double> dual(solver.force_size(), 0.0);
      x = problem.start;
      const auto start = Clock::now();
      solver.solve(problem.stage, problem.before, {iterations, 0.0}, {}, x, dual);
      return ms_since(start);
    };
    do run(++score.iterations);
    while (error(x) >= kGoal && score.iterations < 500);
    for (int k = 0; k < kRuns; ++k) score.ms = std::min(score.ms, run(score.iterations));
    return score;
  }

  Score newtons(ProjectedNewton& newton) const {
    Score score;
    for (int k = 0; k < kRuns; ++k) {
      Points x = problem.start;
      double ms = 0;
      for (score.iterations = 0; error(x) >= kGoal && score.iterations < 50; ++score.iterations) {
        const auto start = Clock::now();
        newton.step(x);
        ms += ms_since(start);
      }
      score.ms = std::min(score.ms, ms);
    }
    return score;
  }
};

void compare(BeamCells cells) {
  const Scene scene = beam_scene(cells, Material::kNeoHookean);
  const SimulationModel system(scene);
  Islands solver(system);
  Simulation simulation(scene);
  double ours_ms = 0, newton_ms = 0;
  std::printf("%d tets, to %.0e:\n", cells.tets(), kGoal);
  for (int step = 1; step <= 8; ++step) {
    if (step == 2 || step == 5 || step == 8) {
      const State& from = simulation.state();
      BeamStage problem = beam_stage(from, 0, from.x, from.v, from.a);
      Points velocity = from.v;
      system.place_pins(0, problem.start, velocity);
      ProjectedNewton newton(system, problem.stage);
      Points solution = problem.start;
      for (int k = 0; k < 10; ++k) newton.step(solution);
      const StageContest contest{system, problem, solution};
      const Score ours = contest.ours(solver), newtons = contest.newtons(newton);
      std::printf("  step %d: ours %2d iterations %7.1f ms, Newton %d iterations %8.1f ms\n", step,
                  ours.iterations, ours.ms, newtons.iterations, newtons.ms);
      ours_ms += ours.ms;
      newton_ms += newtons.ms;
    }
    simulation.advance(kBeamDt);
  }
  std::printf("  ratio %.1f\n", newton_ms / ours_ms);
}

}  // namespace
}  // namespace dashpot

int main(int argc, char** argv) {
  using namespace dashpot;
  if (argc == 3) {
    compare({std::atoi(argv[1]), std::atoi(argv[2])});
    return 0;
  }
  for (const BeamCells cells : {BeamCells{24, 6}, BeamCells{49, 13}}) compare(cells);
}
