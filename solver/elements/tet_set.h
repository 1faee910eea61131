#pragma once

#include <memory>
#include <vector>

#include "solver/base/types.h"
#include "solver/dissipation/damping.h"
#include "solver/elasticity/material.h"
#include "solver/elements/element_set.h"

namespace dashpot {

// The tets of all bodies, one entry per tet.
struct TetTerms {
  std::vector<Tet> tets;
  std::vector<Mat3> inverse_rest_shape;  // Dm^-1
  std::vector<double> volume;            // m^3
  std::vector<Material> material;
  std::vector<Lame<double>> lame;      // Pa
  std::vector<double> squared_weight;  // w^2 without damping, N m
  std::vector<double> drag;            // against all motion, kg/s
  std::vector<Damping> damping;
  bool conserve_angular = true;                    // of rayleigh and rayleighlagged
  bool second_order = true;                        // of rayleigh
  std::vector<std::shared_ptr<const Ramp>> ramps;  // those that `damping` points to

  int count() const { return static_cast<int>(tets.size()); }
  const int* points(int t) const { return tets[t].data(); }
  double rest_shape(int t, int edge, int column) const {
    return inverse_rest_shape[t](edge, column);
  }
};

// w^2 for ADMM: the geometric mean of the term's softest and stiffest curvature at rest. Measured
// on beams over poissonratio 0 ... 0.48 and youngsmodulus 2e5 ... 1e6: never more than 15 % more
// iterations than the best multiple of either.
double automatic_squared_weight(Material material, const Lame<double>& lame, double volume);

// Gradients of a tet's barycentric coordinates, one row per corner, 1/m: D of the tet, for each
// coordinate alike.
Eigen::Matrix<double, 4, 3> corner_gradients(const Mat3& inverse_rest_shape);

// Adds a batch for each material and damping model in use among the tets `sorted`. first: number of
// the first tet among the elements of all sets.
void add_elastic_batches(const TetTerms& terms, int first, const std::vector<int>& sorted,
                         const std::vector<int>& vertex_position, ElementSet::TermBatches& batches);
void add_damped_batches(const TetTerms& terms, int first, const std::vector<int>& sorted,
                        const std::vector<int>& vertex_position, ElementSet::TermBatches& batches);

class TetSet final : public ElementSet {
 public:
  explicit TetSet(TetTerms terms);

  const TetTerms& terms() const { return terms_; }

  int count() const override { return terms_.count(); }
  int points_per_element() const override { return 4; }
  const int* points(int t) const override { return terms_.points(t); }
  Gradients gradients(int t) const override {
    return corner_gradients(terms_.inverse_rest_shape[t]);
  }
  double squared_weight(int t) const override { return terms_.squared_weight[t]; }
  double laplacian_coefficient(int t, double time) const override {
    return time * 2 * terms_.lame[t].mu * terms_.volume[t];
  }
  double size(int t) const override;
  bool is_damped(int t) const override {
    return is_active(terms_.damping[t]) || terms_.drag[t] > 0;
  }
  bool resists_rotation() const override;
  // Tets are put in the solver's order, so that neighbours in memory are neighbours in space.
  TermBatches make_batches(const std::vector<int>& members,
                           const std::vector<int>& vertex_position) const override;
  std::vector<double> stiffness_values(const std::vector<int>& members,
                                       const std::vector<double>& factor) const override {
    return stiffness_values_of(members, factor.data() + first(), [&](int t) {
      return corner_gradients(terms_.inverse_rest_shape[t]);
    });
  }
  ElementMeasurement measure(const Points& x, ElementRange range) const override;
  void add_drag(double tau, const Points& v, std::vector<double>& dissipated) const override;
  std::vector<double> evaluate(const ElementDiagnostic& diagnostic, const Points& x,
                               const std::vector<double>& dissipated) const override;

 private:
  TetTerms terms_;
  bool has_drag_;
};

}  // namespace dashpot
