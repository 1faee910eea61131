#include "solver/advice/linear_piece.h"

#include <algorithm>
#include <numeric>

#include "solver/admm/tet_stiffness.h"
#include "solver/base/parallel.h"

namespace dashpot {
namespace {

// The number of its piece for each point; -1 for those that no tet uses.
std::vector<int> piece_of_points(const std::vector<Tet>& tets, int point_count, int& pieces) {
  std::vector<int> parent(static_cast<std::size_t>(point_count));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int p) {
    while (parent[p] != p) p = parent[p] = parent[parent[p]];
    return p;
  };
  std::vector<char> used(parent.size(), 0);
  for (const Tet& tet : tets)
    for (const int point : tet) {
      used[point] = 1;
      const int a = root(point), b = root(tet[0]);
      parent[std::max(a, b)] = std::min(a, b);
    }
  std::vector<int> piece(parent.size(), -1);
  pieces = 0;
  for (int p = 0; p < point_count; ++p)
    if (used[p]) piece[p] = root(p) == p ? pieces++ : piece[root(p)];
  return piece;
}

LinearPiece::Element make_element(const System& system, int t) {
  const TetTerms& terms = system.terms;
  LinearPiece::Element element;
  element.points = terms.tets[t];
  element.gradients = corner_gradients(terms.inverse_edges[t]);
  element.volume = terms.volume[t];
  element.mu = terms.lame[t].mu;
  // Materials may ignore Poisson's ratio; what they resist dilation with at rest says so.
  const double dilation = curvature(terms.material[t], element.mu, terms.lame[t].lambda);
  element.lambda = (dilation - 2 * element.mu) / 3;
  element.tet = t;
  return element;
}

}  // namespace

std::vector<LinearPiece> linear_pieces(const Body& body, const System& system) {
  int count = 0;
  const std::vector<int> piece = piece_of_points(body.mesh.tets, body.mesh.point_count(), count);
  std::vector<std::vector<int>> points(static_cast<std::size_t>(count));
  std::vector<int> local(piece.size(), -1);
  for (std::size_t p = 0; p < piece.size(); ++p) {
    if (piece[p] < 0) continue;
    local[p] = static_cast<int>(points[piece[p]].size());
    points[piece[p]].push_back(static_cast<int>(p));
  }
  std::vector<LinearPiece> pieces(points.size());
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    pieces[k].points = points[k];
    pieces[k].rest.resize(3, static_cast<Eigen::Index>(points[k].size()));
    pieces[k].mass.resize(3 * pieces[k].rest.cols());
    for (std::size_t i = 0; i < points[k].size(); ++i) {
      const int p = points[k][i];
      pieces[k].rest.col(static_cast<Eigen::Index>(i)) = body.mesh.rest.col(p);
      pieces[k].mass.segment<3>(static_cast<Eigen::Index>(3 * i)).setConstant(system.mass[p]);
      pieces[k].pinned.push_back(system.pinned[p]);
    }
  }
  for (int t = 0; t < body.mesh.tet_count(); ++t) {
    LinearPiece::Element element = make_element(system, t);
    LinearPiece& owner = pieces[piece[element.points[0]]];
    for (int& point : element.points) point = local[point];
    owner.elements.push_back(element);
  }
  return pieces;
}

Mat3 displacement_gradient(const LinearPiece::Element& element, const double* displacement) {
  Mat3 gradient = Mat3::Zero();
  for (int a = 0; a < 4; ++a) {
    const Eigen::Map<const Vec3> u(displacement + 3L * element.points[a]);
    gradient += u * element.gradients.row(a);
  }
  return gradient;
}

Eigen::MatrixXd apply_stiffness(const LinearPiece& piece, const Eigen::MatrixXd& displacements) {
  Eigen::MatrixXd forces = Eigen::MatrixXd::Zero(displacements.rows(), displacements.cols());
  parallel_each(displacements.cols(), 1, [&](std::ptrdiff_t c) {
    double* force = forces.col(c).data();
    for (const LinearPiece::Element& element : piece.elements) {
      const Mat3 gradient = displacement_gradient(element, displacements.col(c).data());
      Mat3 stress = element.mu * (gradient + gradient.transpose());
      stress.diagonal().array() += element.lambda * gradient.trace();
      stress *= element.volume;
      for (int a = 0; a < 4; ++a)
        Eigen::Map<Vec3>(force + 3L * element.points[a]) +=
            stress * element.gradients.row(a).transpose();
    }
    for (int p = 0; p < piece.point_count(); ++p)
      if (piece.pinned[p]) Eigen::Map<Vec3>(force + 3L * p).setZero();
  });
  return forces;
}

}  // namespace dashpot
