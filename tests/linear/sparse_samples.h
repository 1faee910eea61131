#pragma once

#include <gtest/gtest.h>

#include <Eigen/SparseCholesky>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <random>
#include <vector>

#include "solver/linear/sparse_cholesky.h"

namespace dashpot {

using SparseMatrix = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

inline SparseMatrix lower_matrix(int n, const Triplets& entries) {
  SparseMatrix matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix.triangularView<Eigen::Lower>();
}

inline void add_edge(Triplets& entries, int a, int b, double weight) {
  entries.emplace_back(a, a, weight);
  entries.emplace_back(b, b, weight);
  entries.emplace_back(a, b, -weight);
  entries.emplace_back(b, a, -weight);
}

// Laplacian of a box grid with the edges of its Kuhn tets and random weights, plus a small mass.
inline SparseMatrix grid_laplacian(int nx, int ny, int nz, double mass = 0.01, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> weight(0.5, 2.0);
  const auto point = [&](int i, int j, int k) { return (i * ny + j) * nz + k; };
  Triplets entries;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k) {
        entries.emplace_back(point(i, j, k), point(i, j, k), mass);
        for (int corner = 1; corner < 8; ++corner) {
          const int a = i + (corner & 1), b = j + ((corner >> 1) & 1), c = k + (corner >> 2);
          if (a < nx && b < ny && c < nz)
            add_edge(entries, point(i, j, k), point(a, b, c), weight(random));
        }
      }
  return lower_matrix(nx * ny * nz, entries);
}

inline SparseMatrix random_spd(int n, int edges, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> row(0, n - 1);
  std::uniform_real_distribution<double> weight(0.1, 10.0);
  Triplets entries;
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, weight(random));
  for (int e = 0; e < edges; ++e) {
    const int a = row(random), b = row(random);
    if (a != b) add_edge(entries, a, b, weight(random));
  }
  return lower_matrix(n, entries);
}

inline Eigen::MatrixXd random_right_hand_side(int n) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  Eigen::MatrixXd b(n, 3);
  for (double& entry : b.reshaped()) entry = value(random);
  return b;
}

inline Eigen::MatrixXd solve(const SparseCholesky& cholesky, const Eigen::MatrixXd& b) {
  const int n = cholesky.size();
  const std::vector<int>& original = cholesky.permutation();
  // The unused fourth entry is the caller's: whatever it holds must not matter.
  std::vector<double> rows(4 * static_cast<std::size_t>(n), std::nan(""));
  for (int k = 0; k < n; ++k)
    for (int d = 0; d < 3; ++d) rows[4 * k + d] = b(original[k], d);
  cholesky.solve(rows.data());
  Eigen::MatrixXd x(n, 3);
  for (int k = 0; k < n; ++k)
    for (int d = 0; d < 3; ++d) x(original[k], d) = rows[4 * k + d];
  return x;
}

inline SparseCholesky factored(const SparseMatrix& lower) {
  SparseCholesky cholesky;
  cholesky.analyze(lower);
  cholesky.factorize(lower);
  return cholesky;
}

inline void expect_agrees_with_eigen(const SparseCholesky& cholesky, const SparseMatrix& lower) {
  const Eigen::MatrixXd b = random_right_hand_side(static_cast<int>(lower.rows()));
  const Eigen::MatrixXd reference = Eigen::SimplicialLLT<SparseMatrix>(lower).solve(b);
  EXPECT_LE((solve(cholesky, b) - reference).norm(), 1e-10 * reference.norm());
}

inline bool same_bits(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

}  // namespace dashpot
