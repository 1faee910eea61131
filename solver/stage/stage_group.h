#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "solver/stage/stage_problem.h"

namespace dashpot {

// Islands that are solved together, because they touch or may. Joined arrays hold the free vertices
// of all of them, four doubles each, one island after the other.
class StageGroup {
 public:
  explicit StageGroup(std::vector<StageProblem*> problems) : problems_(std::move(problems)) {
    begin_.push_back(0);
    for (const StageProblem* problem : problems_)
      begin_.push_back(begin_.back() + 4 * problem->matrix().order().free_count);
  }

  const std::vector<StageProblem*>& problems() const { return problems_; }
  int count() const { return static_cast<int>(problems_.size()); }
  StageProblem& problem(int k) const { return *problems_[k]; }
  std::ptrdiff_t begin(int k) const { return begin_[k]; }
  std::ptrdiff_t size() const { return begin_.back(); }

  // What residuals are measured by: those of its problems together, at their present positions.
  ResidualScale scale() const;
  // Copies the places of all free vertices to x.
  void store(Points& x) const {
    for (StageProblem* problem : problems_) problem->store(problem->x(), x);
  }
  // Moves all by a share of the way back to where the stage began.
  void go_back(double share) const {
    for (StageProblem* problem : problems_) problem->go_back(share);
  }

 private:
  std::vector<StageProblem*> problems_;
  std::vector<std::ptrdiff_t> begin_;  // and one past the last
};

}  // namespace dashpot
