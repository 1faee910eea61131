#include "solver/contact/shell_surrogate.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace dashpot {
namespace {

constexpr int kRings = 2;
constexpr int kSamplesPerSolve = 3;
// Of the largest: what is smaller in the samples of the rest is rounding.
constexpr double kLeastShare = 1e-7;

// In [-1, 1), a function of its arguments alone (SplitMix64).
double sample(int position, int column) {
  std::uint64_t z = ((static_cast<std::uint64_t>(position) << 16) + column + 1) *
                    std::uint64_t{0x9e3779b97f4a7c15};
  z = (z ^ (z >> 30)) * std::uint64_t{0xbf58476d1ce4e5b9};
  z = (z ^ (z >> 27)) * std::uint64_t{0x94d049bb133111eb};
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-52 - 1.0;
}

}  // namespace

std::vector<int> shell_around(const Eigen::SparseMatrix<double>& pattern,
                              const std::vector<int>& positions) {
  std::vector<char> inside(static_cast<std::size_t>(pattern.rows()), 0);
  for (const int position : positions) inside[position] = 1;
  for (int ring = 0; ring < kRings; ++ring) {
    std::vector<char> grown = inside;
    for (int column = 0; column < pattern.outerSize(); ++column)
      for (Eigen::SparseMatrix<double>::InnerIterator it(pattern, column); it; ++it) {
        if (inside[column]) grown[it.row()] = 1;
        if (inside[it.row()]) grown[column] = 1;
      }
    inside.swap(grown);
  }
  std::vector<int> result;
  for (std::size_t position = 0; position < inside.size(); ++position)
    if (inside[position]) result.push_back(static_cast<int>(position));
  return result;
}

ShellFactor::ShellFactor(const GlobalMatrix& system, std::vector<int> positions,
                         const std::vector<int>& shell)
    : positions_(std::move(positions)) {
  factor_shell(system, shell);
  sample_rest(system);
}

int ShellFactor::solves(std::size_t positions) {
  // Measured on faces of 26, 36, 50 and 70 vertices squared: at most 3, 5, 5 and 10 % of the work
  // of any wave are missing.
  constexpr std::size_t kFewest = 10, kMost = 30, kPositionsPerSolve = 96;
  return static_cast<int>(std::clamp(positions / kPositionsPerSolve, kFewest, kMost));
}

void ShellFactor::factor_shell(const GlobalMatrix& system, const std::vector<int>& shell) {
  const Eigen::SparseMatrix<double> lower = system.submatrix(shell);
  cholesky_.analyze(lower);
  cholesky_.factorize(lower, FactorPrecision::kSingle);
  std::vector<int> place(shell.size());
  for (std::size_t k = 0; k < shell.size(); ++k)
    place[cholesky_.permutation()[k]] = static_cast<int>(k);
  for (const int position : positions_) {
    const auto found = std::lower_bound(shell.begin(), shell.end(), position);
    place_.push_back(place[found - shell.begin()]);
  }
}

void ShellFactor::sample_rest(const GlobalMatrix& system) {
  const int n = static_cast<int>(positions_.size());
  const int samples = kSamplesPerSolve * solves(positions_.size());
  Eigen::MatrixXd omega(n, samples), rest(n, samples);
  for (int c = 0; c < samples; ++c)
    for (int i = 0; i < n; ++i) omega(i, c) = sample(positions_[i], c);
  std::vector<double> whole, shell;
  for (int first = 0; first < samples; first += kSamplesPerSolve) {
    whole.assign(4 * static_cast<std::size_t>(system.order().free_count), 0.0);
    shell.assign(4 * static_cast<std::size_t>(shell_size()), 0.0);
    for (int c = 0; c < kSamplesPerSolve; ++c)
      for (int i = 0; i < n; ++i)
        whole[4 * static_cast<std::size_t>(positions_[i]) + c] =
            shell[4 * static_cast<std::size_t>(place_[i]) + c] = omega(i, first + c);
    system.solve(whole.data());
    cholesky_.solve(shell.data());
    for (int c = 0; c < kSamplesPerSolve; ++c)
      for (int i = 0; i < n; ++i)
        rest(i, first + c) = whole[4 * static_cast<std::size_t>(positions_[i]) + c] -
                             shell[4 * static_cast<std::size_t>(place_[i]) + c];
  }
  const Eigen::MatrixXd seen = omega.transpose() * rest;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(0.5 * (seen + seen.transpose()));
  const Eigen::VectorXd& values = modes.eigenvalues();  // ascending
  const double least = kLeastShare * std::max(0.0, values[samples - 1]);
  const auto rank =
      std::count_if(values.begin(), values.end(), [&](double v) { return v > least; });
  const Eigen::VectorXd scale = values.tail(rank).cwiseSqrt().cwiseInverse();
  smooth_ = rest * (modes.eigenvectors().rightCols(rank) * scale.asDiagonal());
}

ShellSurrogate::ShellSurrogate(const ShellFactor& shell, const std::vector<int>& index)
    : cholesky_(shell.cholesky()),
      smooth_(shell.smooth(), index),
      lanes_(4 * static_cast<std::size_t>(shell.shell_size())) {
  for (const int i : index) place_.push_back(shell.place(i));
}

void ShellSurrogate::multiply(const Points& f, int first, int count, Points& u) const {
  std::fill(lanes_.begin(), lanes_.end(), 0.0);
  for (int i = 0; i < count; ++i)
    Vec3::Map(&lanes_[4 * static_cast<std::size_t>(place_[i])]) = f.col(first + i);
  cholesky_.solve(lanes_.data());
  for (int i = 0; i < count; ++i)
    u.col(first + i) = Vec3::Map(&lanes_[4 * static_cast<std::size_t>(place_[i])]);
  smooth_.add(f, first, u);
}

}  // namespace dashpot
