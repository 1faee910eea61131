#pragma once

#include <Eigen/Core>
#include <vector>

#include "solver/contact/rigid_response.h"
#include "solver/stage/stage_problem.h"

namespace dashpot {

// An island that is hit, and what of its velocities a stage can resolve: S = P + s (1 - P), with P
// the projection on rigid motions in the norm of the masses. Arrays hold four doubles per vertex.
class FilteredIsland {
 public:
  using RigidMotions = Eigen::Matrix<double, 3, 6>;
  using Mat6 = Eigen::Matrix<double, 6, 6>;
  using Vec6 = Eigen::Matrix<double, 6, 1>;

  // At positions x, hit by impulses on its free vertices, N s.
  FilteredIsland(StageProblem& problem, const Points& x, const std::vector<double>& impulse);

  double share() const { return share_; }  // s
  bool is_free() const { return piece_.is_free; }
  double mass_at(int vertex) const { return mass()[vertex / 4]; }
  int free_size() const { return 4 * problem_.matrix().order().free_count; }
  StageProblem& problem() const { return problem_; }

  // How a vertex moves in each of the rigid motions, and how they answer to impulses.
  RigidMotions rigid_motions(int vertex) const;
  Mat6 inverse_inertia() const;

  // v becomes S v.
  void filter(std::vector<double>& v) const;

 private:
  const std::vector<double>& mass() const { return problem_.matrix().mass(); }
  Vec6 rigid_part(const std::vector<double>& v) const;
  void set_share(const std::vector<double>& impulse);
  std::vector<double> smoothed(std::vector<double> z) const;

  StageProblem& problem_;
  std::vector<double> x_;
  RigidPiece piece_;
  double share_ = 0;
};

}  // namespace dashpot
