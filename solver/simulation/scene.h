#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/base/types.h"
#include "solver/contact/contact_model.h"
#include "solver/dissipation/ramp.h"
#include "solver/kinematics/pin_motion.h"
#include "solver/mesh/tet_mesh.h"
#include "solver/parameters/body_contact.h"
#include "solver/parameters/solver_settings.h"

namespace dashpot {

// The prim-scope parameters of one body: each token has one value for all tets, or one per tet.
class ElementFields {
 public:
  // Throw InputError (out of range, not finite), naming `where` and the element.
  void set(const std::string& token, double value, const std::string& where);
  void set_per_element(const std::string& token, std::vector<double> values,
                       const std::string& where);

  // Throws InputError if a token has neither one value nor one per element.
  void check_count(int element_count, const std::string& where) const;

  // The values of one token, which is looked up once for all elements.
  class Column {
   public:
    double operator[](int element) const { return values_ ? values_[element] : all_; }

   private:
    friend class ElementFields;
    const double* values_ = nullptr;  // nullptr: all_ everywhere
    double all_ = 0;
  };

  // The declared default where nothing was set. A column is valid until its token is set.
  Column column(const std::string& token) const;
  double get(const std::string& token, int element) const;
  std::vector<double> expand(const std::string& token, int element_count) const;

 private:
  std::map<std::string, std::vector<double>> values_;  // size 1: uniform
};

// Points that follow a motion exactly.
struct Pin {
  std::vector<int> points;
  std::shared_ptr<const PinMotion> motion;  // nullptr: they stay at their initial position
};

// Edges that resist changes of their length, between points of a body's mesh.
struct Springs {
  std::vector<std::array<int, 2>> edges;
  std::vector<double> stiffness, damping;  // of each edge, N/m and N s/m
};

// A part of a body that meets the other parts as bodies meet.
struct Piece {
  std::vector<std::string> names;       // that it goes by; none: no one can name it
  std::vector<std::string> no_contact;  // as that of bodies
  std::optional<BodyContact> contact;   // none: that of the body
};

struct Body {
  std::string name;
  TetMesh mesh;
  Points position, velocity;  // initial state, one column per mesh point
  ElementFields fields;
  std::vector<Pin> pins;                     // a point may be in one pin only
  std::shared_ptr<const Ramp> damping_ramp;  // nullptr: the declared default
  std::vector<double> friction;              // of each point: multiplies that of the pair; empty: 1
  BodyContact contact;
  std::vector<std::string> no_contact;  // names of bodies and pieces that it does not collide with
  std::vector<char> no_contact_points;  // of each point: not 0 if no body feels it; empty: none
  std::vector<int> piece;               // of each point, in `pieces`; empty: 0
  std::vector<Piece> pieces;            // empty: the body is one, and goes by its own name only
  Springs springs;
  std::vector<double> point_mass;  // of each point besides that of its tets, kg; empty: 0
};

struct Scene {
  SolverSettings settings;
  std::vector<Body> bodies;
  std::vector<SceneCollider> colliders;
};

// Throws InputError if the scene cannot be simulated: settings out of range, no body, two bodies of
// one name, sizes that disagree, states that are not finite, a point pinned twice or out of range,
// a collider without a shape, a name in no_contact that nothing has.
void check_scene(const Scene& scene);

}  // namespace dashpot
