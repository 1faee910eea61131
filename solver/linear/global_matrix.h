#pragma once

#include <Eigen/SparseCore>
#include <cstdint>
#include <memory>
#include <vector>

#include "solver/base/types.h"
#include "solver/linear/setup_work.h"
#include "solver/linear/sparse_cholesky.h"
#include "solver/mesh/vertex_order.h"

namespace dashpot {

// How precisely the factor is kept. Automatic: in single precision where that is faster and as
// good, which a matrix always decides in the same way.
enum class GlobalPrecision { kAutomatic, kDouble, kSingle };

// What a system leaves to others, which take of it what is true of them: the order and the symbolic
// factor if the pattern is the same, a factor if the values are. Everything is compared exactly, so
// that a system with a former one gives the bits of one without. Nothing in it changes any more: it
// may be shared, also with a system that is in use.
struct PreparedMatrix {
  std::vector<SparseCholesky> factors;
};

// The matrix of the global step, (M/h^2 + C/h + K) (x) I3 over free vertices, where K = sum w^2 D^T
// D, and C is diagonal or has the entries of K. A few factors are kept and known by the values
// of their matrices, so that values which come back are not factored again.
class GlobalMatrix {
 public:
  using Triplets = std::vector<Eigen::Triplet<double>>;

  // stiffness: entries of K in point numbers, either triangle, duplicates are added. mass (kg) and
  // drag (kg/s) per point. Pinned points leave the system.
  GlobalMatrix(const Triplets& stiffness, std::vector<double> mass, std::vector<double> drag,
               const std::vector<char>& pinned,
               GlobalPrecision precision = GlobalPrecision::kAutomatic,
               const PreparedMatrix& former = {});

  const VertexOrder& order() const { return order_; }

  // New values for the entries that the constructor was given, in the same order.
  void set_stiffness(const std::vector<double>& values);
  // The same for C, kg/s; they add to the drag.
  void set_damping(const std::vector<double>& values);

  // Selects h = alpha dt, factoring if there is no factor yet of its matrix.
  void select(double h);

  // M/h^2 + C/h and the whole diagonal, by position of free vertices, for the selected h.
  const std::vector<double>& inertia() const { return selected_->inertia; }
  const std::vector<double>& diagonal() const { return selected_->diagonal; }

  // Rows and columns of the selected matrix at positions of free vertices, in their order, none
  // twice: the lower triangle.
  Eigen::SparseMatrix<double> submatrix(const std::vector<int>& positions) const;

  const std::vector<double>& mass() const { return mass_; }  // by position, kg
  const std::vector<double>& drag() const { return drag_; }  // kg/s

  PreparedMatrix prepared() const;
  SetupWork work() const { return work_; }

  // A number that no other factor has had.
  std::uint64_t stamp() const { return selected_->stamp; }

  // Of the selected factor.
  FactorPrecision precision() const { return selected_->precision; }

  // b: four doubles per free vertex in solver order, replaced by the solution. With a factor of
  // single precision it is good to a few digits only, to be used in residual form.
  void solve(double* b) const {
    ++solves_;
    selected_->cholesky.solve(b);
  }
  std::int64_t solves() const { return solves_; }  // so far

 private:
  struct Factor {
    SparseCholesky cholesky;
    double h = 0;             // 0: its matrix is not that of any h now
    std::uint64_t stamp = 0;  // 0: from a former system, and not used yet
    std::vector<double> inertia, diagonal;
    FactorPrecision precision = FactorPrecision::kDouble;
  };
  using Factors = std::vector<std::unique_ptr<Factor>>;

  void prepare_factors(const PreparedMatrix& former);
  void locate_entries(const Triplets& lower);
  void add_entries(const std::vector<double>& values, double* into) const;
  void forget_factors();
  Eigen::SparseMatrix<double> assemble(double h, std::vector<double>& inertia,
                                       std::vector<double>& diagonal) const;
  FactorPrecision choose_precision(const std::vector<double>& inertia,
                                   const std::vector<double>& diagonal) const;
  Factors::iterator free_place();
  Factors::iterator factor(double h);  // of its matrix, kept or new

  GlobalPrecision precision_;
  VertexOrder order_;
  std::vector<double> mass_, drag_;        // by position
  Eigen::SparseMatrix<double> stiffness_;  // lower triangle, free vertices in input order
  std::vector<double> damping_;            // entries of C as in stiffness_; empty: none
  std::vector<int> free_row_;              // row of stiffness_ at each position
  std::vector<int> entry_;                 // place of each given entry in stiffness_, or -1
  Factors factors_;                        // most recently selected first
  Factor* selected_ = nullptr;
  std::uint64_t stamps_ = 0;  // given to factors so far
  SetupWork work_;
  mutable std::int64_t solves_ = 0;
};

}  // namespace dashpot
