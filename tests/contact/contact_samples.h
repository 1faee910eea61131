#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "solver/contact/cone_newton.h"
#include "solver/contact/dense_block.h"
#include "solver/contact/inverse_blocks.h"
#include "solver/elements/tet_set.h"
#include "solver/linear/global_matrix.h"
#include "tests/support/bodies.h"
#include "tests/support/random_numbers.h"

namespace dashpot {

constexpr double kStageLength = 1.0 / 24;

// The global matrix of a box of 1000 kg/m^3, and its vertices on the floor.
struct BoxSystem {
  TetMesh mesh;
  std::unique_ptr<GlobalMatrix> matrix;
  std::vector<int> bottom;   // positions of vertices with y = 0, ascending
  std::vector<int> surface;  // positions of vertices on any face

  BoxSystem(const Cells& cells, const Vec3& size, double youngs) : mesh(box_mesh(cells, size)) {
    const int n = mesh.point_count();
    GlobalMatrix::Triplets stiffness;
    std::vector<double> mass(n, 0.0);
    for (const Tet& tet : mesh.tets) {
      Mat3 edges;
      for (int k = 0; k < 3; ++k) edges.col(k) = mesh.rest.col(tet[k + 1]) - mesh.rest.col(tet[0]);
      const double volume = edges.determinant() / 6;
      const double weight = 2 * youngs / 2.8 * volume;
      const Eigen::Matrix<double, 4, 3> gradients = corner_gradients(edges.inverse());
      for (int i = 0; i < 4; ++i) {
        mass[tet[i]] += 1000 * volume / 4;
        for (int j = 0; j < 4; ++j)
          stiffness.emplace_back(tet[i], tet[j], weight * gradients.row(i).dot(gradients.row(j)));
      }
    }
    matrix = std::make_unique<GlobalMatrix>(stiffness, mass, std::vector<double>(n, 0.0),
                                            std::vector<char>(n, 0));
    matrix->select(kStageLength);
    for (int i = 0; i < n; ++i) {
      const Vec3 x = mesh.rest.col(i);
      const int position = matrix->order().position[i];
      if (x.y() <= 1e-9) bottom.push_back(position);
      if ((x.array() <= 1e-9).any() || (x.array() >= size.array() - 1e-9).any())
        surface.push_back(position);
    }
    std::sort(bottom.begin(), bottom.end());
    std::sort(surface.begin(), surface.end());
  }

  std::vector<int> all() const {
    std::vector<int> positions(static_cast<std::size_t>(matrix->order().free_count));
    std::iota(positions.begin(), positions.end(), 0);
    return positions;
  }

  // Exact, of the lower triangle that submatrix() gives of all.
  Eigen::MatrixXd dense_inverse(const std::vector<int>& at) const {
    const Eigen::MatrixXd lower = matrix->submatrix(all());
    const Eigen::MatrixXd inverse =
        Eigen::MatrixXd(lower.selfadjointView<Eigen::Lower>())
            .llt()
            .solve(Eigen::MatrixXd::Identity(lower.rows(), lower.cols()));
    Eigen::MatrixXd result(at.size(), at.size());
    for (std::size_t i = 0; i < at.size(); ++i)
      for (std::size_t j = 0; j < at.size(); ++j) result(i, j) = inverse(at[i], at[j]);
    return result;
  }
};

// All that ConeSolver wants to know.
struct ConeSample {
  std::vector<ContactPlane> planes;
  std::vector<SlotRow> rows;
  std::vector<double> compliance;
  Eigen::SparseMatrix<double> touched;
  std::shared_ptr<const InverseBlock> inverse;
  Eigen::MatrixXd basis, middle;  // U and K
  Points y, force;
  std::vector<double> slip;

  ContactOperator response() const {
    const int slots = static_cast<int>(touched.rows());
    return ContactOperator(rows, {{0, slots, inverse}}, basis, middle);
  }
  void set_compliance() {
    compliance.clear();
    for (const SlotRow& row : rows) {
      double sum = 0;
      for (int k = 0; k < row.count; ++k)
        sum += row.weight[k] * row.weight[k] / touched.coeff(row.slot[k], row.slot[k]);
      compliance.push_back(sum);
    }
  }
  ConeResult solve(ConeSolver& solver, const ConeSettings& settings) {
    return solver.solve(planes, compliance, response(), touched, settings, slip, y, force);
  }
};

// The box on the floor y = 0 with gravity in `direction`, one row for each vertex there; the floor
// is uneven by `rough`, m.
inline ConeSample box_on_floor(const BoxSystem& box, std::shared_ptr<const InverseBlock> inverse,
                               const Vec3& direction, double friction, double rough = 0) {
  ConeSample sample;
  RandomNumbers random(3);
  const int count = static_cast<int>(box.bottom.size());
  const Vec3 fall = 9.81 * kStageLength * kStageLength * direction.normalized();
  sample.y.resize(3, count);
  for (int c = 0; c < count; ++c) {
    const Vec3 rest = box.mesh.rest.col(box.matrix->order().point[box.bottom[c]]);
    ContactPlane plane;
    plane.normal = Vec3::UnitY();
    plane.offset = rough * random.next();
    plane.rest = rest;
    plane.friction = friction;
    sample.planes.push_back(plane);
    SlotRow row;
    row.count = 1;
    row.slot[0] = c;
    row.weight[0] = 1;
    sample.rows.push_back(row);
    sample.y.col(c) = rest + fall;
  }
  sample.force.setZero(3, count);
  sample.touched = box.matrix->submatrix(box.bottom);
  sample.inverse = std::move(inverse);
  sample.set_compliance();
  return sample;
}

}  // namespace dashpot
