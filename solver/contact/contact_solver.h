#pragma once

#include <vector>

#include "solver/contact/collision_detector.h"
#include "solver/contact/delassus_matrix.h"
#include "solver/contact/rigid_response.h"
#include "solver/contact/sweeps.h"
#include "solver/linear/global_matrix.h"
#include "solver/mesh/mesh_pieces.h"

namespace dashpot {

// Contact and Coulomb friction as part of the global step: it minimises the quadratic of the ADMM
// iteration plus the contact terms of the objective over all positions. Forces on the points in
// contact act through the columns of A^-1 that belong to them, so that the factor stays as it is
// and no weight has to be chosen; the rest of the iteration sees only positions that do not
// penetrate. Each row is solved in closed form (friction_prox.h), one after the other until nothing
// changes.
class ContactSolver {
 public:
  // pieces and matrix must outlive it.
  ContactSolver(std::vector<Collider> colliders, std::vector<ContactVertex> sites,
                const GlobalMatrix& matrix, const std::vector<MeshPiece>& pieces);

  const CollisionDetector& detector() const { return detector_; }

  void begin(const ColliderKinematics& stage, const std::vector<double>& before,
             const std::vector<double>& guess, const Points& x_p,
             const std::vector<Contact>& known);

  // Adds the forces to right-hand sides, four doubles per vertex.
  void add_forces(double* forces) const;

  // x: the minimiser with the forces as they are; becomes that with contact. step is scratch.
  void correct(std::vector<double>& x, std::vector<double>& step);

  // The largest correction of a position that the last call of correct() made, m.
  double change() const { return change_; }

  // Moves pieces in contact rigidly to where their inertia and the contact want them, and tells
  // which pieces those are. Pieces with pins are left alone, but told, too.
  void align(const std::vector<double>& target, std::vector<double>& x,
             std::vector<char>& in_contact);

  // More pairs have come near, or planes have changed since: another iteration is needed.
  bool extend(const std::vector<double>& x) { return detector_.extend(x); }

  // At the end of a stage that is solved, with velocities and accelerations of its rule, four
  // doubles per vertex: forces of contact that keep points from moving into colliders at the
  // velocity level replace those of the stage, because what position-level contact does to
  // velocities depends on where in the stage it happened. Forces of rows become those.
  struct Settling {
    double h = 0;
    double extrapolation = 1;  // v is that at the end of the step, see ColliderKinematics
    bool turns_freely = true;  // nothing but inertia resists rotation
    const std::vector<double>* x = nullptr;  // where the stage ends
    std::vector<double> bounce;              // of each row: velocity away from the collider, m/s
  };
  void solve_velocity_contacts(const Settling& settling, std::vector<double>& v);
  // After that: accelerations that turn no velocity into a collider within h. Supports of rows
  // become the forces in them.
  void solve_acceleration_contacts(double h, const std::vector<double>& v, std::vector<double>& a);

 private:
  bool is_active(const Contact& row, const std::vector<double>& x) const;
  std::vector<SweepRow> gather_rows(const std::vector<int>& active);
  // What answers to a force on a site: all of its piece, or the site's own vertex only.
  enum class Answer { kWhole, kPoints };
  std::vector<double> response(const std::vector<SweepRow>& rows, Answer answer);
  void sweep_velocities(const std::vector<double>& v, double scale, const std::vector<Vec3>& goal,
                        Answer answer, std::vector<SweepRow>& rows);
  std::vector<double> rigid_fraction(const std::vector<SweepRow>& rows);
  std::vector<Vec3> settle(const std::vector<double>& v, double scale,
                           const std::vector<Vec3>& goal, double factor,
                           std::vector<double>& field);

  CollisionDetector detector_;
  const GlobalMatrix& matrix_;
  const std::vector<MeshPiece>& pieces_;
  DelassusMatrix columns_;
  RigidResponse response_;
  std::vector<int> active_, active_sites_, slot_of_site_;
  double change_ = 0;
  // Of the stage that settles: its active rows, and how far pieces answer as a whole.
  std::vector<SweepRow> stage_rows_;
  std::vector<double> whole_;
};

}  // namespace dashpot
