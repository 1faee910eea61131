#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "solver/linear/factor_tiles.h"
#include "solver/linear/symbolic_factor.h"

namespace dashpot {

// Forward and backward substitution over the supernodes, three right-hand sides at a time.
//
// The forest is cut once and for all (tree_partition.h). Independent subtrees collect what they
// subtract from rows above them in a boundary of their own; boundaries are added in a fixed order,
// then the top is solved with its large supernodes split over threads by rows and columns.
class SupernodalSolve {
 public:
  SupernodalSolve() = default;
  explicit SupernodalSolve(const SymbolicFactor& factor);

  // b: four doubles per row (x, y, z, unused) in factor order. Not reentrant: uses own scratch.
  void run(const SymbolicFactor& factor, const FactorTiles& tiles, double* b) const;

  std::size_t bytes() const { return targets_.size() * sizeof(int); }

 private:
  struct Subtree {
    int first, last;             // supernodes
    std::size_t boundary_begin;  // in rows
  };
  struct Task {
    std::vector<Subtree> subtrees;
    std::size_t scratch_begin;  // in doubles
  };
  template <class Scalar>  // of the factor's entries
  struct Supernode;

  void number_boundary(const SymbolicFactor& factor, const Subtree& subtree);
  template <class Scalar>
  Supernode<Scalar> view(const SymbolicFactor& factor, const FactorTiles& tiles, int s) const;
  template <class Scalar>
  void forward_subtrees(const SymbolicFactor& factor, const FactorTiles& tiles, const Task& task,
                        double* b) const;
  template <class Scalar>
  void backward_subtrees(const SymbolicFactor& factor, const FactorTiles& tiles, const Task& task,
                         double* b) const;
  template <class Scalar>
  void solve_top(const SymbolicFactor& factor, const FactorTiles& tiles, double* b) const;

  template <class Scalar>
  void run_with(const SymbolicFactor& factor, const FactorTiles& tiles, double* b) const;

  std::vector<Task> tasks_;
  std::vector<int> top_;
  // Like SymbolicFactor::rows, but from inside_[s] on the rows of supernode s lie above its
  // subtree and are numbered within the subtree's boundary.
  std::vector<int> targets_;
  std::vector<int> inside_;
  mutable Eigen::VectorXd boundary_;
  mutable Eigen::VectorXd scratch_;  // the top's, then one piece per task
};

}  // namespace dashpot
