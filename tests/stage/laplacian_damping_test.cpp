#include "solver/stage/laplacian_damping.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <memory>
#include <numeric>

#include "solver/elements/tet_set.h"
#include "solver/simulation/simulation_model.h"
#include "tests/support/bodies.h"

namespace dashpot {
namespace {

constexpr double kCoefficient = 0.02, kStep = 0.01;

// Two boxes, one of them pinned at a point: two pieces that must not know of each other.
Scene two_boxes() {
  Scene scene;
  scene.bodies.push_back(make_body(box_mesh({2, 1, 1}, {1, 0.5, 0.4}), {}, "free"));
  scene.bodies.push_back(make_body(box_mesh({1, 1, 2}, {0.5, 0.4, 1}), {}, "pinned"));
  scene.bodies[1].position.colwise() += Vec3(3, 0, 0);
  scene.bodies[1].pins.push_back({{0}, nullptr});
  return scene;
}

// The definition, with dense matrices over all points: x, y, z of one point after the other.
struct Dense {
  Eigen::MatrixXd damping, projected;

  Dense(const SimulationModel& system, const Points& x) {
    const int n = system.point_count();
    damping.setZero(3 * n, 3 * n);
    const TetTerms& terms = system.tets();
    for (int t = 0; t < terms.count(); ++t) {
      Eigen::MatrixXd gradient = Eigen::MatrixXd::Zero(9, 3 * n);
      for (int a = 0; a < 4; ++a)
        for (int j = 0; j < 3; ++j)
          for (int i = 0; i < 3; ++i) {
            const double g = a == 0 ? -terms.inverse_rest_shape[t].col(j).sum()
                                    : terms.inverse_rest_shape[t](a - 1, j);
            gradient(3 * j + i, 3 * terms.tets[t][a] + i) = g;
          }
      damping +=
          kCoefficient * 2 * terms.lame[t].mu * terms.volume[t] * gradient.transpose() * gradient;
    }
    Eigen::MatrixXd keep = Eigen::MatrixXd::Identity(3 * n, 3 * n);
    for (std::size_t b = 0; b + 1 < system.point_offset.size(); ++b) {
      Vec3 center = Vec3::Zero();
      double mass = 0;
      Eigen::MatrixXd rotations = Eigen::MatrixXd::Zero(3 * n, 3);
      Eigen::MatrixXd masses = Eigen::MatrixXd::Zero(3 * n, 3 * n);
      for (int i = system.point_offset[b]; i < system.point_offset[b + 1]; ++i) {
        center += system.mass[i] * x.col(i);
        mass += system.mass[i];
      }
      center /= mass;
      for (int i = system.point_offset[b]; i < system.point_offset[b + 1]; ++i) {
        masses.block<3, 3>(3 * i, 3 * i) = system.mass[i] * Mat3::Identity();
        for (int axis = 0; axis < 3; ++axis)
          rotations.block<3, 1>(3 * i, axis) = Vec3::Unit(axis).cross(Vec3(x.col(i)) - center);
      }
      keep -= rotations * (rotations.transpose() * masses * rotations).inverse() *
              rotations.transpose() * masses;
    }
    projected = keep.transpose() * damping * keep;
  }
};

class DampedBoxes {
 protected:
  DampedBoxes() : system_(two_boxes()) {
    std::srand(3);
    x_ = system_.initial_x + 0.1 * Points::Random(3, system_.point_count());
  }

  static std::vector<double> in_order(const Points& points, const VertexOrder& order) {
    std::vector<double> values(4 * static_cast<std::size_t>(order.count()), 0.0);
    for (int k = 0; k < order.count(); ++k) Vec3::Map(&values[4 * k]) = points.col(order.point[k]);
    return values;
  }

  SimulationModel system_;
  Points x_;
};

class LaplacianDampingTest : public DampedBoxes, public testing::TestWithParam<bool> {};
class ProjectedLaplacianDamping : public DampedBoxes, public testing::Test {};

INSTANTIATE_TEST_SUITE_P(WithAndWithoutProjection, LaplacianDampingTest, testing::Bool(),
                         [](const auto& info) { return info.param ? "Projected" : "Plain"; });

std::vector<int> all_tets(const SimulationModel& system) {
  std::vector<int> all(static_cast<std::size_t>(system.elements.count()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<double> coefficients(const SimulationModel& system) {
  std::vector<double> all;
  for (int t = 0; t < system.elements.count(); ++t)
    all.push_back(system.elements.sets()[0]->laplacian_coefficient(t, kCoefficient));
  return all;
}

// M/h^2 (x) I + C/h, without any elasticity.
GlobalMatrix make_global(const SimulationModel& system) {
  const TetTerms& terms = system.tets();
  GlobalMatrix::Triplets nothing;
  for (const Tet& tet : terms.tets)
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b <= a; ++b)
        nothing.emplace_back(std::max(tet[a], tet[b]), std::min(tet[a], tet[b]), 0.0);
  GlobalMatrix global(nothing, system.mass, std::vector<double>(system.mass.size(), 0.0),
                      system.pinned);
  global.set_damping(
      system.elements.sets()[0]->stiffness_values(all_tets(system), coefficients(system)));
  global.select(kStep);
  return global;
}

// In the frame of x.
LaplacianDamping make_damping(const SimulationModel& system, const GlobalMatrix& global,
                              bool conserve_angular, const std::vector<double>& x) {
  const VertexOrder& order = global.order();
  Island island;
  island.elements = {all_tets(system), {}};
  island.positions = std::make_shared<std::vector<int>>(order.position);
  LaplacianDamping damping(system.elements, island, coefficients(system), conserve_angular,
                           global.mass(), connected_pieces(system.elements.connectivity(), order));
  if (conserve_angular) {
    damping.set_frame(x.data());
    damping.prepare_correction(kStep, global);
  }
  return damping;
}

TEST_P(LaplacianDampingTest, ForceIsMinusTheMatrixTimesTheVelocity) {
  const GlobalMatrix global = make_global(system_);
  const VertexOrder& order = global.order();
  LaplacianDamping damping = make_damping(system_, global, GetParam(), in_order(x_, order));
  const Points v = Points::Random(3, system_.point_count());
  std::vector<double> forces(4 * static_cast<std::size_t>(order.count()), 0.0);
  damping.subtract_forces(in_order(v, order).data(), forces.data());

  const Dense dense(system_, x_);
  const Eigen::MatrixXd& matrix = GetParam() ? dense.projected : dense.damping;
  const Eigen::VectorXd expected = -matrix * Eigen::Map<const Eigen::VectorXd>(v.data(), v.size());
  for (int k = 0; k < order.free_count; ++k)
    EXPECT_LT((Vec3::Map(&forces[4 * k]) - expected.segment<3>(3 * order.point[k])).norm(),
              1e-12 * expected.norm());
}

TEST_P(LaplacianDampingTest, GlobalSolveIsThatOfTheWholeMatrix) {
  const GlobalMatrix global = make_global(system_);
  const VertexOrder& order = global.order();
  LaplacianDamping damping = make_damping(system_, global, GetParam(), in_order(x_, order));
  const Points r = Points::Random(3, system_.point_count());
  std::vector<double> step = in_order(r, order);
  global.solve(step.data());
  damping.correct(step.data());

  const Dense dense(system_, x_);
  Eigen::MatrixXd matrix = (GetParam() ? dense.projected : dense.damping) / kStep;
  for (int i = 0; i < system_.point_count(); ++i)
    for (int d = 0; d < 3; ++d) matrix(3 * i + d, 3 * i + d) += system_.mass[i] / kStep / kStep;
  std::vector<int> free;
  for (int i = 0; i < system_.point_count(); ++i)
    if (!system_.pinned[i])
      for (int d = 0; d < 3; ++d) free.push_back(3 * i + d);
  const Eigen::VectorXd right = Eigen::Map<const Eigen::VectorXd>(r.data(), r.size())(free);
  const Eigen::VectorXd expected = matrix(free, free).ldlt().solve(right);
  for (std::size_t i = 0; i < free.size(); ++i)
    EXPECT_NEAR(step[4 * order.position[free[i] / 3] + free[i] % 3], expected[i],
                1e-11 * expected.norm());
}

TEST_F(ProjectedLaplacianDamping, LeavesRigidMotionAloneAndHasNoTorque) {
  const GlobalMatrix global = make_global(system_);
  const VertexOrder& order = global.order();
  LaplacianDamping damping = make_damping(system_, global, true, in_order(x_, order));
  Points rigid(3, system_.point_count());
  for (int i = 0; i < system_.point_count(); ++i)
    rigid.col(i) = Vec3(1, 2, 3) + Vec3(5, -4, 3).cross(Vec3(x_.col(i)));
  const std::vector<double> zero(4 * static_cast<std::size_t>(order.count()), 0.0);
  std::vector<double> forces = zero;
  damping.subtract_forces(in_order(rigid, order).data(), forces.data());
  const double scale = Dense(system_, x_).damping.norm() * rigid.norm();
  for (const double f : forces) EXPECT_NEAR(f, 0, 1e-13 * scale);

  forces = zero;
  damping.subtract_forces(in_order(Points::Random(3, system_.point_count()), order).data(),
                          forces.data());
  Vec3 torque = Vec3::Zero(), force = Vec3::Zero();
  for (int i = 0; i < system_.point_offset[1]; ++i) {  // the free box
    const Vec3 f = Vec3::Map(&forces[4 * order.position[i]]);
    force += f;
    torque += Vec3(x_.col(i)).cross(f);
  }
  EXPECT_LT(force.norm(), 1e-13 * scale);
  EXPECT_LT(torque.norm(), 1e-13 * scale);
}

}  // namespace
}  // namespace dashpot
