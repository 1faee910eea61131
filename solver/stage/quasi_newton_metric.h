#pragma once

#include <Eigen/Core>
#include <vector>

#include "solver/stage/stage_group.h"

namespace dashpot {

// The metric B of quasi-Newton steps with contact, as its inverse
//   B^-1 = G + [S Q] M [S Q]^T,   G = A^-1 with rotation set free (RigidResponse), Q = G Y,
// the compact form of L-BFGS (Byrd, Nocedal and Schnabel 1994 (3.1)): what was learnt of the
// Hessian is of low rank, so that contact can be solved in B as cheaply as in A.
class QuasiNewtonMetric {
 public:
  static constexpr int kPairs = 5;

  // At the present positions; forgets what it has learnt.
  void begin(const StageGroup& group);
  void restart();
  bool has_learnt() const { return count() > 0; }

  // G f, one solve.
  void precondition(const std::vector<double>& f, std::vector<double>& result) const;
  // Adds B^-1 f - G f.
  void add_learnt(const std::vector<double>& f, std::vector<double>& result) const;
  // From a step, the change of the gradient that it made, and G times that.
  void learn(const std::vector<double>& step, const std::vector<double>& change,
             const std::vector<double>& preconditioned);

  // B^-1 - A^-1 = U K U^T at vertices, three rows each.
  struct Vertex {
    int problem;
    int vertex;  // place of its four doubles in the problem's arrays
  };
  struct LowRank {
    Eigen::MatrixXd u, k;
  };
  LowRank low_rank(const std::vector<Vertex>& vertices) const;

 private:
  int count() const { return static_cast<int>(steps_.size()); }
  void set_middle();

  const StageGroup* group_ = nullptr;
  std::vector<std::vector<double>> steps_, changes_;  // s and G y, oldest first
  Eigen::MatrixXd step_change_, change_change_;       // s^T y and y^T G y
  Eigen::MatrixXd middle_;
};

// In a fixed order.
double joined_dot(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace dashpot
