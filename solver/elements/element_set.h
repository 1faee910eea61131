#pragma once

#include <Eigen/Core>
#include <memory>
#include <utility>
#include <vector>

#include "solver/base/parallel.h"
#include "solver/base/types.h"
#include "solver/elements/element_diagnostics.h"
#include "solver/elements/term_batch.h"
#include "solver/linear/global_matrix.h"
#include "solver/mesh/mesh_pieces.h"

namespace dashpot {

// Elements begin ... end - 1.
struct ElementRange {
  int begin = 0, end = 0;
};

// What elements store, and how far they are deformed.
struct ElementMeasurement {
  double elastic = 0;  // J
  int inverted = 0;
  double max_stretch = -1e300, min_stretch = 1e300;

  ElementMeasurement& operator+=(const ElementMeasurement& other);
};

// All elements of one kind of all bodies, in the order of the scene: tets, springs, and whatever
// else has a force. Nothing outside this room needs to know which kind it is.
//
// An element maps the positions of its points x_a to local coordinates D x = sum x_a g_a^T, where
// the g_a sum to zero: 3x3 for a tet, 3x1 for a spring. `factor` and `power` below have an entry
// for each element of all sets; those of this set begin at first().
class ElementSet {
 public:
  using Triplets = GlobalMatrix::Triplets;
  using Gradients = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 4, 3>;
  using TermBatches = std::vector<std::unique_ptr<TermBatch>>;

  virtual ~ElementSet() = default;

  virtual int count() const = 0;
  int first() const { return first_; }
  void set_first(int first) { first_ = first; }

  virtual int points_per_element() const = 0;
  virtual const int* points(int e) const = 0;
  // The g_a of an element, one row for each point, 1/m.
  virtual Gradients gradients(int e) const = 0;

  // How stiff each is at rest: w^2 for ADMM, N m.
  virtual double squared_weight(int e) const = 0;
  // What Laplacian damping of `time` (s) resists changes of D x with, N s m.
  virtual double laplacian_coefficient(int e, double time) const = 0;
  virtual double size(int e) const = 0;  // m
  virtual bool is_damped(int e) const = 0;
  // The damping is a force on rigid rotation too.
  virtual bool resists_rotation() const = 0;

  // One batch per law in use of the elements `members`, ascending. vertex_position maps a point to
  // its place in the solver's order.
  virtual TermBatches make_batches(const std::vector<int>& members,
                                   const std::vector<int>& vertex_position) const = 0;

  virtual ElementMeasurement measure(const Points& x, ElementRange range) const = 0;
  // Adds tau times the power that drag against all motion takes at velocities v.
  virtual void add_drag(double tau, const Points& v, std::vector<double>& dissipated) const = 0;
  // One value per element. dissipated: in the last frame, of each element of all sets, J.
  virtual std::vector<double> evaluate(const ElementDiagnostic& diagnostic, const Points& x,
                                       const std::vector<double>& dissipated) const = 0;

  // factor g_a g_b^T of the elements `members`, one after the other, row by row up to the diagonal.
  virtual std::vector<double> stiffness_values(const std::vector<int>& members,
                                               const std::vector<double>& factor) const = 0;

 private:
  int first_ = 0;
};

// For ElementSet::stiffness_values. gradients(e): a matrix whose size is known when compiled.
template <class GradientsOf>
std::vector<double> stiffness_values_of(const std::vector<int>& members, const double* factor,
                                        const GradientsOf& gradients) {
  constexpr std::ptrdiff_t kElementGrain = 512;
  constexpr int kPoints = decltype(gradients(0))::RowsAtCompileTime;
  constexpr std::size_t kEntries = kPoints * (kPoints + 1) / 2;
  std::vector<double> values(members.size() * kEntries);
  parallel_each(static_cast<std::ptrdiff_t>(members.size()), kElementGrain, [&](std::ptrdiff_t k) {
    const auto g = gradients(members[k]);
    double* value = &values[k * kEntries];
    for (int a = 0; a < kPoints; ++a)
      for (int b = 0; b <= a; ++b) *value++ = factor[members[k]] * g.row(a).dot(g.row(b));
  });
  return values;
}

// All elements of a scene, set after set. Elements are numbered through all sets.
class Elements {
 public:
  Elements() = default;
  explicit Elements(std::vector<std::unique_ptr<ElementSet>> sets);

  const std::vector<std::unique_ptr<ElementSet>>& sets() const { return sets_; }
  int count() const { return count_; }
  std::vector<double> squared_weight() const;
  Connectivity connectivity() const;
  bool resist_rotation() const;
  ElementMeasurement measure(const Points& x, const std::vector<ElementRange>& ranges) const;

 private:
  std::vector<std::unique_ptr<ElementSet>> sets_;
  int count_ = 0;
};

}  // namespace dashpot
