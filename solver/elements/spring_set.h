#pragma once

#include <array>
#include <vector>

#include "solver/base/types.h"
#include "solver/elements/element_set.h"

namespace dashpot {

// The springs of all bodies, one entry per spring: an edge that resists changes of its length l
// with the force k (l - L) + c dl/dt.
struct SpringTerms {
  std::vector<std::array<int, 2>> edges;
  std::vector<double> rest_length;         // L, m
  std::vector<double> stiffness, damping;  // k, N/m, and c, N s/m

  int count() const { return static_cast<int>(edges.size()); }
  const int* points(int e) const { return edges[e].data(); }
  // D x = (x1 - x0) / L, whose length is the stretch.
  double rest_shape(int e, int /*edge*/, int /*column*/) const { return 1 / rest_length[e]; }
};

class SpringSet final : public ElementSet {
 public:
  explicit SpringSet(SpringTerms terms) : terms_(std::move(terms)) {}

  int count() const override { return terms_.count(); }
  int points_per_element() const override { return 2; }
  const int* points(int e) const override { return terms_.points(e); }
  Gradients gradients(int e) const override { return edge_gradients(e); }
  double squared_weight(int e) const override;
  double laplacian_coefficient(int e, double time) const override {
    return time * squared_weight(e);
  }
  double size(int e) const override { return terms_.rest_length[e]; }
  bool is_damped(int e) const override { return terms_.damping[e] > 0; }
  bool resists_rotation() const override { return false; }
  TermBatches make_batches(const std::vector<int>& members,
                           const std::vector<int>& vertex_position) const override;
  std::vector<double> stiffness_values(const std::vector<int>& members,
                                       const std::vector<double>& factor) const override {
    return stiffness_values_of(members, factor.data() + first(),
                               [&](int e) { return edge_gradients(e); });
  }
  ElementMeasurement measure(const Points& x, ElementRange range) const override;
  // Springs have no mass, and mass is what drag acts on.
  void add_drag(double, const Points&, std::vector<double>&) const override {}
  std::vector<double> evaluate(const ElementDiagnostic& diagnostic, const Points& x,
                               const std::vector<double>& dissipated) const override;

 private:
  Eigen::Matrix<double, 2, 1> edge_gradients(int e) const {
    return {-1 / terms_.rest_length[e], 1 / terms_.rest_length[e]};
  }
  double stretch(const Points& x, int e) const;
  double energy(double stretch, int e) const;

  SpringTerms terms_;
};

}  // namespace dashpot
