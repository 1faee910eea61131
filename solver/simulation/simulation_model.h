#pragma once

#include <memory>
#include <vector>

#include "solver/base/types.h"
#include "solver/contact/contact_model.h"
#include "solver/elements/tet_set.h"
#include "solver/simulation/scene.h"
#include "solver/stage/stage_model.h"

namespace dashpot {

// All bodies of a scene as one set of points and elements, in scene order: what is simulated.
struct SimulationModel : StageModel {
  struct PinnedSet {
    int body;
    std::vector<int> points;
    Points initial;
    std::shared_ptr<const PinMotion> motion;  // never nullptr
    bool moves = false;
  };
  // The elements of a body, one range for each set.
  using BodyElements = std::vector<ElementRange>;

  std::vector<int> point_offset;          // of each body, and one past the last
  std::vector<BodyElements> elements_of;  // of each body
  std::vector<double> stiffness_of;       // of each body: the sum of its elements' weights, N m
  std::vector<char> is_damped;  // bodies, of which something takes energy from their motion
  std::vector<PinnedSet> pins;
  Points initial_x, initial_v;
  ContactModel contact;
  Points external_force;  // N, of the host; empty: none

  explicit SimulationModel(const Scene& scene);

  int body_count() const { return static_cast<int>(point_offset.size()) - 1; }
  // All tets, which are the first of the elements.
  const TetTerms& tets() const;
  // visit(number of an element), in order.
  template <class Visit>
  void for_each_element_of(int body, const Visit& visit) const {
    for (std::size_t s = 0; s < elements_of[body].size(); ++s)
      for (int e = elements_of[body][s].begin; e < elements_of[body][s].end; ++e)
        visit(elements.sets()[s]->first() + e);
  }
  // Of values of all elements, those of a body.
  double sum_of(int body, const std::vector<double>& values) const {
    double sum = 0;
    for_each_element_of(body, [&](int e) { sum += values[e]; });
    return sum;
  }
  bool has_moving_pins() const;
  bool has_moving_pins(int body) const;
  // Adds factor * M^{-1} external_force to the points that are solved for.
  void add_external(double factor, Points& to) const;

  // Overwrites pinned points with their targets at a time.
  void place_pins(double time, Points& x, Points& v) const;
};

}  // namespace dashpot
