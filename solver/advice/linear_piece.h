#pragma once

#include <Eigen/Core>
#include <vector>

#include "solver/base/types.h"
#include "solver/simulation/simulation_model.h"

namespace dashpot {

// A connected piece of a body that moves little about its rest shape. Displacements are vectors of
// three numbers per point, zero where points are pinned.
struct LinearPiece {
  struct Element {
    Tet points;
    Eigen::Matrix<double, 4, 3> gradients;  // of the corners' barycentric coordinates, 1/m
    double volume, mu, lambda;
    int tet;  // of the model
  };
  std::vector<int> points;  // of the body
  Points rest;
  Eigen::VectorXd mass;  // three times per point, kg
  std::vector<char> pinned;
  std::vector<Element> elements;

  int point_count() const { return static_cast<int>(rest.cols()); }
};

// Of a scene with one body.
std::vector<LinearPiece> linear_pieces(const Body& body, const SimulationModel& model);

Mat3 displacement_gradient(const LinearPiece::Element& element, const double* displacement);

// K u of each column.
Eigen::MatrixXd apply_stiffness(const LinearPiece& piece, const Eigen::MatrixXd& displacements);

}  // namespace dashpot
