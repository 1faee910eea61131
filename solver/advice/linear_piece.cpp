#include "solver/advice/linear_piece.h"

#include <utility>

#include "solver/base/parallel.h"
#include "solver/elements/tet_set.h"
#include "solver/stage/island.h"

namespace dashpot {
namespace {

LinearPiece::Element make_element(const SimulationModel& model, int t) {
  const TetTerms& terms = model.tets();
  LinearPiece::Element element;
  element.points = terms.tets[t];
  element.gradients = corner_gradients(terms.inverse_rest_shape[t]);
  element.volume = terms.volume[t];
  element.mu = terms.lame[t].mu;
  // Materials may ignore Poisson's ratio; what they resist dilation with at rest says so.
  const double dilation = curvature(terms.material[t], element.mu, terms.lame[t].lambda);
  element.lambda = (dilation - 2 * element.mu) / 3;
  element.tet = t;
  return element;
}

}  // namespace

std::vector<LinearPiece> linear_pieces(const Body& body, const SimulationModel& model) {
  std::vector<std::vector<int>> points;
  for (Island& piece : find_islands(model.elements, model.point_count()))
    points.push_back(std::move(piece.points));
  std::vector<int> piece_of(model.mass.size(), -1), local(model.mass.size(), -1);
  for (std::size_t k = 0; k < points.size(); ++k)
    for (std::size_t i = 0; i < points[k].size(); ++i) {
      piece_of[points[k][i]] = static_cast<int>(k);
      local[points[k][i]] = static_cast<int>(i);
    }
  std::vector<LinearPiece> pieces(points.size());
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    pieces[k].points = points[k];
    pieces[k].rest.resize(3, static_cast<Eigen::Index>(points[k].size()));
    pieces[k].mass.resize(3 * pieces[k].rest.cols());
    for (std::size_t i = 0; i < points[k].size(); ++i) {
      const int p = points[k][i];
      pieces[k].rest.col(static_cast<Eigen::Index>(i)) = body.mesh.rest.col(p);
      pieces[k].mass.segment<3>(static_cast<Eigen::Index>(3 * i)).setConstant(model.mass[p]);
      pieces[k].pinned.push_back(model.pinned[p]);
    }
  }
  for (int t = 0; t < body.mesh.tet_count(); ++t) {
    LinearPiece::Element element = make_element(model, t);
    LinearPiece& owner = pieces[piece_of[element.points[0]]];
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
