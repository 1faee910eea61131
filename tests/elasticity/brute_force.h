#pragma once

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "solver/base/types.h"
#include "solver/elasticity/stretches.h"

namespace dashpot {

// value(s) + k/2 |s - p|^2, minimised without any of the prox's own ideas: a grid over
// [-4, 12]^3, then Levenberg-Marquardt from every grid point lower than its 26 neighbours.
template <class Model>
class BruteForceProx {
 public:
  BruteForceProx(const Stretches<double>& p, const Lame<double>& lame, double k)
      : p_(p), lame_(lame), k_(k), grid_(make_grid()), n_(static_cast<int>(grid_.size())) {}

  double objective(const Stretches<double>& s) const {
    double distance = 0.0;
    for (int i = 0; i < 3; ++i) distance += (s[i] - p_[i]) * (s[i] - p_[i]);
    return Model::value(s, lame_) + 0.5 * k_ * distance;
  }

  double minimum() const {
    std::vector<double> values(static_cast<std::size_t>(n_) * n_ * n_);
    for (int id = 0; id < n_ * n_ * n_; ++id) values[id] = objective(point(id));
    double lowest = *std::min_element(values.begin(), values.end());
    for (int id = 0; id < n_ * n_ * n_; ++id)
      if (is_local_minimum(values, id)) lowest = std::min(lowest, descend(point(id)));
    return lowest;
  }

 private:
  // Finest where densities change their formula.
  static std::vector<double> make_grid() {
    std::vector<double> grid;
    grid.reserve(38);
    for (int i = 0; i < 3; ++i) grid.push_back(-4.0 + i);
    for (int i = 0; i < 24; ++i) grid.push_back(-1.0 + 0.125 * i);
    for (int i = 0; i <= 10; ++i) grid.push_back(2.0 + i);
    return grid;
  }

  Stretches<double> point(int id) const {
    return {grid_[id / (n_ * n_)], grid_[id / n_ % n_], grid_[id % n_]};
  }

  bool is_local_minimum(const std::vector<double>& values, int id) const {
    const std::array<int, 3> at = {id / (n_ * n_), id / n_ % n_, id % n_};
    for (int offset = 0; offset < 27; ++offset) {
      const std::array<int, 3> d = {offset / 9 - 1, offset / 3 % 3 - 1, offset % 3 - 1};
      bool inside = true;
      for (int i = 0; i < 3; ++i) inside = inside && at[i] + d[i] >= 0 && at[i] + d[i] < n_;
      if (inside && values[id + (d[0] * n_ + d[1]) * n_ + d[2]] < values[id]) return false;
    }
    return true;
  }

  double descend(Stretches<double> s) const {
    double lowest = objective(s), damping = 1e-3;
    for (int iteration = 0; iteration < 500 && damping < 1e12; ++iteration) {
      const Stretches<double> g = Model::gradient(s, lame_);
      const StretchHessian<double> h = Model::hessian(s, lame_);
      const Vec3 direction(h.direction.data());
      Mat3 hessian = h.rank_one * direction * direction.transpose();
      hessian.diagonal() += Vec3(h.diagonal.data()) + Vec3::Constant(k_ * (1.0 + damping));
      const Eigen::LLT<Mat3> factor(hessian);
      const Vec3 force = k_ * (Vec3(p_.data()) - Vec3(s.data())) - Vec3(g.data());
      const Vec3 next = Vec3(s.data()) + factor.solve(force);
      const Stretches<double> trial = {next[0], next[1], next[2]};
      if (factor.info() == Eigen::Success && objective(trial) < lowest) {
        s = trial;
        lowest = objective(s);
        damping *= 0.2;
      } else {
        damping = 4.0 * damping + 1e-12;
      }
    }
    return lowest;
  }

  Stretches<double> p_;
  Lame<double> lame_;
  double k_;
  std::vector<double> grid_;
  int n_;
};

}  // namespace dashpot
