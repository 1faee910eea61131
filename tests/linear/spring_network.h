#pragma once

#include <Eigen/Dense>
#include <vector>

#include "solver/linear/global_matrix.h"
#include "tests/support/random_numbers.h"

namespace dashpot {

// A ring of points with random springs to both neighbours and across.
struct Network {
  int count;
  GlobalMatrix::Triplets stiffness;  // both triangles, with duplicates
  Eigen::MatrixXd k;
  std::vector<double> mass, drag;

  explicit Network(int n, std::uint64_t seed) : count(n), k(Eigen::MatrixXd::Zero(n, n)) {
    RandomNumbers random(seed);
    for (int i = 0; i < n; ++i) {
      mass.push_back(1.5 + random.next());
      drag.push_back(2.5 + random.next());
      for (int hop : {1, 1, 7}) {
        const int j = (i + hop) % n;
        const double s = 30 + 20 * random.next();
        add(i, i, s);
        add(j, j, s);
        add(i, j, -s);
        add(j, i, -s);
      }
    }
  }
  void add(int row, int col, double value) {
    stiffness.emplace_back(row, col, value);
    k(row, col) += value;
  }
  Eigen::MatrixXd matrix(double h) const {
    Eigen::MatrixXd a = k;
    for (int i = 0; i < count; ++i) a(i, i) += mass[i] / (h * h) + drag[i] / h;
    return a;
  }
};

// Solves for random right-hand sides in point numbering.
inline Points solve(const GlobalMatrix& system, const Points& rhs) {
  const VertexOrder& order = system.order();
  std::vector<double> b(4 * order.free_count, 0.0);
  for (int k = 0; k < order.free_count; ++k) Vec3::Map(&b[4 * k]) = rhs.col(order.point[k]);
  system.solve(b.data());
  Points x = Points::Zero(3, rhs.cols());
  for (int k = 0; k < order.free_count; ++k) x.col(order.point[k]) = Vec3::Map(&b[4 * k]);
  return x;
}

inline const std::vector<char>& no_pins() {
  static const std::vector<char> none(60, 0);
  return none;
}

inline std::vector<double> values(const GlobalMatrix::Triplets& entries, double scale) {
  std::vector<double> out;
  for (const auto& entry : entries) out.push_back(scale * entry.value());
  return out;
}

}  // namespace dashpot
