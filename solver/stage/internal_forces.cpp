#include "solver/stage/internal_forces.h"

#include <algorithm>

#include "solver/base/parallel.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kElementGrainOfForces = 512;
constexpr std::ptrdiff_t kVertexGrainOfForces = 512;

}  // namespace

void InternalForces::gather(Points& gradient) const {
  const VertexOrder& order = problem_.matrix().order();
  const std::vector<int>& points = problem_.island().points;
  parallel_each(order.count(), kVertexGrainOfForces, [&](std::ptrdiff_t k) {
    const Lane sum = problem_.chunks().sum_forces(k);
    gradient.col(points[order.point[k]]) = Vec3(sum[0], sum[1], sum[2]);
  });
}

void InternalForces::gradient(const Points& x, const Points* v, Points& gradient) {
  TermChunks& chunks = problem_.chunks();
  problem_.load(x, problem_.x());
  const bool damps = v && problem_.is_damped();
  if (damps) {
    velocity_.resize(problem_.x().size());
    problem_.load(*v, velocity_);
  }
  chunks.for_each([&](const TermChunk& c, std::size_t) {
    c.batch->force_gradient(c.blocks, problem_.x().data(), damps ? velocity_.data() : nullptr,
                            chunks.forces_of(c));
  });
  gather(gradient);
  if (damps) add_laplacian_gradient(x, *v, gradient);
}

void InternalForces::gradient_of(const double* forces, Points& gradient) {
  TermChunks& chunks = problem_.chunks();
  chunks.for_each([&](const TermChunk& c, std::size_t) {
    c.batch->dual_forces(c.blocks, forces + c.batch_flat, chunks.forces_of(c));
  });
  gather(gradient);
}

void InternalForces::add_laplacian_gradient(const Points& x, const Points& v, Points& gradient) {
  LaplacianDamping& laplacian = problem_.laplacian();
  if (!laplacian.is_active()) return;
  velocity_.resize(problem_.x().size());
  problem_.load(x, problem_.x());
  problem_.load(v, velocity_);
  laplacian.set_frame(problem_.x().data());
  std::vector<double>& force = problem_.scratch();
  std::fill(force.begin(), force.end(), 0.0);
  laplacian.subtract_forces(velocity_.data(), force.data());
  const VertexOrder& order = problem_.matrix().order();
  for (int k = 0; k < order.count(); ++k)
    gradient.col(problem_.island().points[order.point[k]]) -=
        Vec3::Map(&force[4 * static_cast<std::size_t>(k)]);
}

void InternalForces::add_laplacian_power(std::vector<double>& power) {
  LaplacianDamping& laplacian = problem_.laplacian();
  if (!laplacian.is_active()) return;
  laplacian.set_frame(problem_.x().data());
  laplacian.remove_rotation(velocity_.data());
  const Island& island = problem_.island();
  const auto velocity = [&](int point) {
    return Vec3::Map(&velocity_[4 * static_cast<std::size_t>(island.position(point))]);
  };
  const auto& sets = problem_.elements().sets();
  for (std::size_t s = 0; s < sets.size(); ++s)
    parallel_each(static_cast<std::ptrdiff_t>(island.elements[s].size()), kElementGrainOfForces,
                  [&](std::ptrdiff_t k) {
                    const int e = island.elements[s][k];
                    const int* points = sets[s]->points(e);
                    const ElementSet::Gradients g = sets[s]->gradients(e);
                    Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> rate =
                        (velocity(points[1]) - velocity(points[0])) * g.row(1);
                    for (int a = 2; a < sets[s]->points_per_element(); ++a)
                      rate += (velocity(points[a]) - velocity(points[0])) * g.row(a);
                    const int number = sets[s]->first() + e;
                    power[number] += problem_.laplacian_coefficient(number) * rate.squaredNorm();
                  });
}

void InternalForces::dissipation(const Points& x, const Points& v, std::vector<double>& power) {
  if (!problem_.is_damped()) return;
  velocity_.resize(problem_.x().size());
  problem_.load(x, problem_.x());
  problem_.load(v, velocity_);
  problem_.chunks().for_each([&](const TermChunk& c, std::size_t) {
    c.batch->dissipation(c.blocks, problem_.x().data(), velocity_.data(), power);
  });
  add_laplacian_power(power);
}

}  // namespace dashpot
