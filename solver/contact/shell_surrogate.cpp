#include "solver/contact/shell_surrogate.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "solver/base/parallel.h"

namespace dashpot {
namespace {

constexpr int kRings = 2;
constexpr int kSamplesPerSolve = 3;
constexpr int kSamples = kSamplesPerSolve * ShellFactor::kSolves;
constexpr std::ptrdiff_t kSlotsPerPiece = 512;
// Of the largest: what is smaller in the samples of the rest is rounding.
constexpr double kLeastShare = 1e-7;

// In [-1, 1), a function of its arguments alone (SplitMix64).
double sample(int position, int column) {
  std::uint64_t z = (static_cast<std::uint64_t>(position) * kSamples + column + 1) *
                    std::uint64_t{0x9e3779b97f4a7c15};
  z = (z ^ (z >> 30)) * std::uint64_t{0xbf58476d1ce4e5b9};
  z = (z ^ (z >> 27)) * std::uint64_t{0x94d049bb133111eb};
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-52 - 1.0;
}

// The set and its neighbours in the pattern of A, ascending.
std::vector<int> with_rings(const GlobalMatrix& system, const std::vector<int>& positions) {
  std::vector<int> all(static_cast<std::size_t>(system.order().free_count));
  std::iota(all.begin(), all.end(), 0);
  const Eigen::SparseMatrix<double> lower = system.submatrix(all);
  std::vector<char> inside(all.size(), 0);
  for (const int position : positions) inside[position] = 1;
  for (int ring = 0; ring < kRings; ++ring) {
    std::vector<char> grown = inside;
    for (int column = 0; column < lower.outerSize(); ++column)
      for (Eigen::SparseMatrix<double>::InnerIterator it(lower, column); it; ++it) {
        if (inside[column]) grown[it.row()] = 1;
        if (inside[it.row()]) grown[column] = 1;
      }
    inside.swap(grown);
  }
  std::vector<int> result;
  for (const int position : all)
    if (inside[position]) result.push_back(position);
  return result;
}

}  // namespace

ShellFactor::ShellFactor(const GlobalMatrix& system, std::vector<int> positions)
    : positions_(std::move(positions)) {
  factor_shell(system);
  sample_rest(system);
}

void ShellFactor::factor_shell(const GlobalMatrix& system) {
  const std::vector<int> shell = with_rings(system, positions_);
  const Eigen::SparseMatrix<double> lower = system.submatrix(shell);
  cholesky_.analyze(lower);
  cholesky_.factorize(lower);
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
  Eigen::MatrixXd omega(n, kSamples), rest(n, kSamples);
  for (int c = 0; c < kSamples; ++c)
    for (int i = 0; i < n; ++i) omega(i, c) = sample(positions_[i], c);
  std::vector<double> whole, shell;
  for (int first = 0; first < kSamples; first += kSamplesPerSolve) {
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
  const double least = kLeastShare * std::max(0.0, values[kSamples - 1]);
  const auto rank =
      std::count_if(values.begin(), values.end(), [&](double v) { return v > least; });
  const Eigen::VectorXd scale = values.tail(rank).cwiseSqrt().cwiseInverse();
  smooth_ = rest * (modes.eigenvectors().rightCols(rank) * scale.asDiagonal());
}

ShellSurrogate::ShellSurrogate(std::shared_ptr<const ShellFactor> shell,
                               const std::vector<int>& index)
    : shell_(std::move(shell)),
      cholesky_(shell_->cholesky()),
      smooth_(static_cast<Eigen::Index>(index.size()), shell_->smooth().cols()),
      lanes_(4 * static_cast<std::size_t>(shell_->shell_size())) {
  for (std::size_t i = 0; i < index.size(); ++i) {
    place_.push_back(shell_->place(index[i]));
    smooth_.row(static_cast<Eigen::Index>(i)) = shell_->smooth().row(index[i]);
  }
}

void ShellSurrogate::multiply(const Points& f, int first, int count, Points& u) const {
  std::fill(lanes_.begin(), lanes_.end(), 0.0);
  for (int i = 0; i < count; ++i)
    Vec3::Map(&lanes_[4 * static_cast<std::size_t>(place_[i])]) = f.col(first + i);
  cholesky_.solve(lanes_.data());
  const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(3, smooth_.cols());
  const Eigen::MatrixXd sums = parallel_sum(count, kSlotsPerPiece, zero, [&](ChunkRange r) {
    const std::ptrdiff_t n = r.end - r.begin;
    return Eigen::MatrixXd(f.middleCols(first + r.begin, n) * smooth_.middleRows(r.begin, n));
  });
  parallel_chunks(count, kSlotsPerPiece, [&](ChunkRange r, std::ptrdiff_t) {
    const std::ptrdiff_t n = r.end - r.begin;
    u.middleCols(first + r.begin, n).noalias() = sums * smooth_.middleRows(r.begin, n).transpose();
    for (std::ptrdiff_t i = r.begin; i < r.end; ++i)
      u.col(first + i) += Vec3::Map(&lanes_[4 * static_cast<std::size_t>(place_[i])]);
  });
}

}  // namespace dashpot
