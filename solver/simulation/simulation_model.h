#pragma once

#include <memory>
#include <vector>

#include "solver/base/types.h"
#include "solver/contact/collision_detector.h"
#include "solver/elements/tet_terms.h"
#include "solver/simulation/frame_report.h"
#include "solver/simulation/scene.h"

namespace dashpot {

// All bodies of a scene as one set of points and tets, in scene order: what the solver works on.
struct SimulationModel {
  struct PinnedSet {
    int body;
    std::vector<int> points;
    Points initial;
    std::shared_ptr<const PinMotion> motion;  // never nullptr
    bool moves = false;
  };

  std::vector<int> point_offset, tet_offset;  // of each body, and one past the last
  TetTerms terms;
  std::vector<double> mass;      // kg per point
  std::vector<double> drag;      // kg/s per point, from massdamping
  std::vector<double> tet_drag;  // kg/s per tet; empty if there is none
  std::vector<char> is_damped;   // bodies, of which something takes energy from their motion
  std::vector<char> pinned;      // points that are not solved for: pinned, or in no tet
  std::vector<PinnedSet> pins;
  Points initial_x, initial_v;
  std::vector<SceneCollider> colliders;
  std::vector<ContactVertex> sites;  // free points of surfaces; none without colliders
  Points external_force;             // N, of the host; empty: none

  explicit SimulationModel(const Scene& scene);

  int point_count() const { return static_cast<int>(mass.size()); }
  int body_count() const { return static_cast<int>(point_offset.size()) - 1; }
  bool has_moving_pins() const;
  bool has_moving_pins(int body) const;
  // Adds factor * M^{-1} external_force to the points that are solved for.
  void add_external(double factor, Points& to) const;

  // Overwrites pinned points with their targets at a time.
  void place_pins(double time, Points& x, Points& v) const;
};

// Energies, momenta and stretches of one body, or of all with body = -1.
Measurement measure(const SimulationModel& system, const Points& x, const Points& v,
                    const Vec3& gravity, int body);
std::vector<Measurement> measure_bodies(const SimulationModel& system, const Points& x,
                                        const Points& v, const Vec3& gravity);

// The smallest and the largest signed singular value of any F.
struct StretchRange {
  double min, max;
};
StretchRange stretch_range(const SimulationModel& system, const Points& x);

}  // namespace dashpot
