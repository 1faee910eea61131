// The part of AdmmSolver that is about forces and power at given positions and velocities.
#include <algorithm>

#include "solver/stage/admm_solver.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kTetGrainOfForces = 512;
constexpr std::ptrdiff_t kVertexGrainOfForces = 512;

}  // namespace

Points AdmmSolver::gathered_gradient(const double* v) {
  for_each_chunk([&](const Chunk& c, std::size_t) {
    c.batch->force_gradient(c.blocks, x_.data(), v, forces_of(c));
  });
  Points gradient;
  gather_forces(gradient);
  return gradient;
}

Points AdmmSolver::energy_gradient(const Points& x) {
  load(x, x_);
  return gathered_gradient(nullptr);
}

Points AdmmSolver::force_gradient(const Points& x, const Points& v) {
  load(x, x_);
  if (!is_damped_) return gathered_gradient(nullptr);
  load(v, past_v_);
  Points gradient = gathered_gradient(past_v_.data());
  add_laplacian_gradient(x, v, gradient);
  return gradient;
}

// Rotations are those of x_, as good as it is known.
void AdmmSolver::set_laplacian_frame() {
  if (!laplacian_.is_projected()) return;
  laplacian_.set_frame(x_.data());
  laplacian_.prepare_correction(h_, system_);
}

void AdmmSolver::subtract_laplacian_forces(std::vector<double>& from) {
  if (!laplacian_.is_active()) return;
  parallel_each(system_.order().count(), kVertexGrainOfForces, [&](std::ptrdiff_t k) {
    store_lane(&rate_[4 * k], (load_lane(&x_[4 * k]) - load_lane(&stage_x_[4 * k])) / h_);
  });
  laplacian_.subtract_forces(rate_.data(), from.data());
}

void AdmmSolver::add_laplacian_gradient(const Points& x, const Points& v, Points& gradient) {
  if (!laplacian_.is_active()) return;
  load(x, x_);
  load(v, rate_);
  laplacian_.set_frame(x_.data());
  std::fill(step_.begin(), step_.end(), 0.0);
  laplacian_.subtract_forces(rate_.data(), step_.data());
  const VertexOrder& order = system_.order();
  for (int k = 0; k < order.count(); ++k)
    gradient.col(order.point[k]) -= Vec3::Map(&step_[4 * static_cast<std::size_t>(k)]);
}

void AdmmSolver::add_laplacian_power(std::vector<double>& power) {
  if (!laplacian_.is_active()) return;
  laplacian_.set_frame(x_.data());
  rate_ = past_v_;
  laplacian_.remove_rotation(rate_.data());
  const std::vector<int>& position = system_.order().position;
  parallel_each(terms_.count(), kTetGrainOfForces, [&](std::ptrdiff_t t) {
    const Tet& tet = terms_.tets[t];
    const auto velocity = [&](int corner) { return Vec3::Map(&rate_[4 * position[tet[corner]]]); };
    Mat3 edges;
    for (int a = 0; a < 3; ++a) edges.col(a) = velocity(a + 1) - velocity(0);
    power[t] +=
        laplacian_.tet_coefficients()[t] * (edges * terms_.inverse_rest_shape[t]).squaredNorm();
  });
}

void AdmmSolver::dissipation(const Points& x, const Points& v, std::vector<double>& power) {
  power.assign(terms_.tets.size(), 0.0);
  if (!is_damped_) return;
  load(x, x_);
  load(v, past_v_);
  for_each_chunk([&](const Chunk& c, std::size_t) {
    c.batch->dissipation(c.blocks, x_.data(), past_v_.data(), power);
  });
  add_laplacian_power(power);
}

Points AdmmSolver::dual_gradient(const std::vector<double>& dual) {
  for_each_chunk([&](const Chunk& c, std::size_t) {
    c.batch->dual_forces(c.blocks, dual.data() + c.batch_flat, forces_of(c));
  });
  Points gradient;
  gather_forces(gradient);
  return gradient;
}

}  // namespace dashpot
