#pragma once

#include <Eigen/SparseCore>
#include <cstdint>
#include <memory>
#include <vector>

#include "solver/base/types.h"
#include "solver/linear/sparse_cholesky.h"

namespace dashpot {

// The order in which the solver keeps vertices: free ones as the factor wants them, then pinned
// ones.
struct VertexOrder {
  std::vector<int> position;  // of each point
  std::vector<int> point;     // at each position
  int free_count = 0;

  int count() const { return static_cast<int>(point.size()); }
};

// How precisely the factor is kept. Automatic: in single precision where that is faster and as
// good, which a matrix always decides in the same way.
enum class GlobalPrecision { kAutomatic, kDouble, kSingle };

// The matrix of the global step, (M/h^2 + C/h + K) (x) I3 over free vertices, where K = sum w^2 D^T
// D, and C is diagonal or has the entries of K. Factors are kept for the last two values of h: an
// integrator has at most two.
class GlobalSystem {
 public:
  using Triplets = std::vector<Eigen::Triplet<double>>;

  // stiffness: entries of K in point numbers, either triangle, duplicates are added. mass (kg) and
  // drag (kg/s) per point. Pinned points leave the system.
  GlobalSystem(const Triplets& stiffness, std::vector<double> mass, std::vector<double> drag,
               const std::vector<char>& pinned,
               GlobalPrecision precision = GlobalPrecision::kAutomatic);

  const VertexOrder& order() const { return order_; }

  // New values for the entries that the constructor was given, in the same order.
  void set_stiffness(const std::vector<double>& values);
  // The same for C, kg/s; they add to the drag.
  void set_damping(const std::vector<double>& values);

  // Selects h = alpha dt, factoring if it is new.
  void select(double h);

  // M/h^2 + C/h and the whole diagonal, by position of free vertices, for the selected h.
  const std::vector<double>& inertia() const { return selected_->inertia; }
  const std::vector<double>& diagonal() const { return selected_->diagonal; }

  // A number that no other factor has had.
  std::uint64_t stamp() const { return selected_->stamp; }

  // Of the selected factor.
  FactorPrecision precision() const { return selected_->precision; }

  // b: four doubles per free vertex in solver order, replaced by the solution. With a factor of
  // single precision it is good to a few digits only, to be used in residual form.
  void solve(double* b) const { selected_->cholesky.solve(b); }

 private:
  struct Factor {
    double h = 0;
    std::uint64_t stamp = 0;
    SparseCholesky cholesky;
    std::vector<double> inertia, diagonal;
    FactorPrecision precision = FactorPrecision::kDouble;
  };

  void locate_entries(const Triplets& lower);
  void add_entries(const std::vector<double>& values, double* into) const;
  void forget_factors();
  FactorPrecision choose_precision(const Factor& factor) const;
  void factor(double h, Factor& into);

  GlobalPrecision precision_;
  VertexOrder order_;
  std::vector<double> mass_, drag_;               // by position
  Eigen::SparseMatrix<double> stiffness_;         // lower triangle, free vertices in input order
  std::vector<double> damping_;                   // entries of C as in stiffness_; empty: none
  std::vector<int> free_row_;                     // row of stiffness_ at each position
  std::vector<int> entry_;                        // place of each given entry in stiffness_, or -1
  std::vector<std::unique_ptr<Factor>> factors_;  // most recently selected first
  Factor* selected_ = nullptr;
  std::uint64_t stamps_ = 0;  // given to factors so far
};

}  // namespace dashpot
