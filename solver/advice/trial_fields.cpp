#include "solver/advice/trial_fields.h"

#include <Eigen/Dense>
#include <limits>
#include <queue>
#include <utility>

namespace dashpot {
namespace {

// Centred, and of size 1.
Points normalized_points(const LinearPiece& piece) {
  const Vec3 middle = piece.rest.rowwise().mean();
  Points x = piece.rest.colwise() - middle;
  const double size = x.cwiseAbs().maxCoeff();
  return x / size;
}

bool has_pins(const LinearPiece& piece) {
  for (const char pinned : piece.pinned)
    if (pinned) return true;
  return false;
}

// Along edges from the nearest pinned point, in parts of the longest such way.
Eigen::VectorXd distance_from_pins(const LinearPiece& piece) {
  const int n = piece.point_count();
  std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(n));
  for (const LinearPiece::Element& element : piece.elements)
    for (const int a : element.points)
      for (const int b : element.points)
        if (a != b) neighbours[a].push_back(b);
  Eigen::VectorXd distance = Eigen::VectorXd::Constant(n, std::numeric_limits<double>::infinity());
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  for (int p = 0; p < n; ++p) {
    if (!piece.pinned[p]) continue;
    distance[p] = 0;
    open.emplace(0.0, p);
  }
  while (!open.empty()) {
    const auto [way, p] = open.top();
    open.pop();
    if (way > distance[p]) continue;
    for (const int q : neighbours[p]) {
      const double longer = way + (piece.rest.col(q) - piece.rest.col(p)).norm();
      if (longer >= distance[q]) continue;
      distance[q] = longer;
      open.emplace(longer, q);
    }
  }
  return distance / distance.maxCoeff();
}

// Each of the scalar functions, along each axis.
Eigen::MatrixXd along_axes(const Eigen::MatrixXd& functions) {
  Eigen::MatrixXd fields = Eigen::MatrixXd::Zero(3 * functions.rows(), 3 * functions.cols());
  for (Eigen::Index c = 0; c < functions.cols(); ++c)
    for (int axis = 0; axis < 3; ++axis)
      for (Eigen::Index p = 0; p < functions.rows(); ++p)
        fields(3 * p + axis, 3 * c + axis) = functions(p, c);
  return fields;
}

}  // namespace

Eigen::MatrixXd free_rigid_motions(const LinearPiece& piece) {
  const Points x = normalized_points(piece);
  const int n = piece.point_count();
  Eigen::MatrixXd motions = Eigen::MatrixXd::Zero(3L * n, 6);
  Eigen::MatrixXd held = Eigen::MatrixXd::Zero(6, 6);
  for (int p = 0; p < n; ++p) {
    auto rows = motions.middleRows<3>(3L * p);
    rows.leftCols<3>().setIdentity();
    for (int axis = 0; axis < 3; ++axis)
      rows.col(3 + axis) = Vec3::Unit(axis).cross(Vec3(x.col(p)));
    if (piece.pinned[p]) held += rows.transpose() * rows;
  }
  // Those that move no pinned point.
  constexpr double kHeld = 1e-9;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> pins(held);
  int free = 0;
  while (free < 6 && pins.eigenvalues()[free] <= kHeld * std::max(1.0, held.trace())) ++free;
  motions = (motions * pins.eigenvectors().leftCols(free)).eval();
  // Orthonormal.
  const Eigen::MatrixXd gram = motions.transpose() * (piece.mass.asDiagonal() * motions);
  const Eigen::LLT<Eigen::MatrixXd> factor(gram);
  return factor.matrixU().solve<Eigen::OnTheRight>(motions);
}

Eigen::MatrixXd trial_fields(const LinearPiece& piece) {
  const Points x = normalized_points(piece);
  const int n = piece.point_count();
  Eigen::MatrixXd functions;
  if (has_pins(piece)) {
    // They grow from the pins, straight or bent; what grows with the place across, too, turns
    // sections as bending does.
    const Eigen::VectorXd s = distance_from_pins(piece);
    functions.resize(n, 8);
    functions.col(0) = s;
    functions.col(1) = s.cwiseAbs2();
    for (int axis = 0; axis < 3; ++axis) {
      functions.col(2 + axis) = s.cwiseProduct(x.row(axis).transpose());
      functions.col(5 + axis) = functions.col(1).cwiseProduct(x.row(axis).transpose());
    }
  } else {
    functions.resize(n, 9);
    for (int axis = 0; axis < 3; ++axis) {
      functions.col(axis) = x.row(axis).transpose();
      const int next = (axis + 1) % 3;
      functions.col(3 + axis) = x.row(axis).cwiseAbs2().transpose();
      functions.col(6 + axis) = x.row(axis).cwiseProduct(x.row(next)).transpose();
    }
  }
  return along_axes(functions);
}

}  // namespace dashpot
