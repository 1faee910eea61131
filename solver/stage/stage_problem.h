#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "solver/base/types.h"
#include "solver/contact/inverse_blocks.h"
#include "solver/contact/rigid_response.h"
#include "solver/elements/term_chunks.h"
#include "solver/integrator/integrator.h"
#include "solver/linear/global_matrix.h"
#include "solver/stage/island.h"
#include "solver/stage/laplacian_damping.h"
#include "solver/stage/rigid_alignment.h"
#include "solver/stage/stage_model.h"

namespace dashpot {

// What residuals of a stage are measured by.
struct ResidualScale {
  double change = 1;          // |W D (x - before)|
  double rounding = 0;        // mismatch that rounding of the positions alone makes
  double moved = 0;           // how far the stage moves points at most, m
  double place_rounding = 0;  // error of a position, m

  // The residual at which a stage is solved.
  double enough_for(double tolerance) const {
    return tolerance > 0 ? std::max(tolerance, rounding / change) : -1;
  }
};

// Values of all elements of a scene, of which every island has its own.
struct ElementValues {
  std::vector<double> squared_weight;  // w^2 now, N m
  std::vector<double> laplacian;       // N s m; empty: there is none
};

// One stage of one island: the terms, the matrix of their weights, contact, and where the points
// are. Arrays hold four doubles per vertex in the matrix's order.
class StageProblem {
 public:
  // values must outlive it. former: of a matrix that may have been the same.
  StageProblem(const StageModel& model, Island island, ElementValues& values,
               const PreparedMatrix& former);

  // before: positions at the start of the stage, for the scale of the residuals. x: where it may
  // end; pinned points stay there. in_contact: something touches it, or may.
  void begin(const Stage& stage, const Points& before, const Points& x, bool in_contact);

  const GlobalMatrix& matrix() const { return matrix_; }
  TermChunks& chunks() { return chunks_; }
  LaplacianDamping& laplacian() { return laplacian_; }
  const Island& island() const { return island_; }
  const MeshPiece& piece() const { return alignment_.pieces().front(); }
  const Elements& elements() const { return elements_; }
  double laplacian_coefficient(int element) const { return values_.laplacian[element]; }
  bool is_in_contact() const { return in_contact_; }
  // How its free vertices answer to forces.
  RigidResponse& rigid_response() { return rigid_response_; }
  InverseBlocks& inverse_blocks() { return inverse_blocks_; }
  // Of contact, on free vertices; only for problems in contact.
  std::vector<double>& contact_forces() { return contact_forces_; }
  // Of the objective at x without contact, on free vertices; false if a term is squeezed too far.
  bool gradient(double* into);
  // The generalised forces on local coordinates at x.
  void store_forces(double* forces);

  std::vector<double>& x() { return x_; }
  const std::vector<double>& target() const { return target_; }
  std::vector<double>& scratch() { return scratch_; }
  const ResidualScale& scale() const { return scale_; }
  double h() const { return h_; }

  bool is_smooth() const { return traits_.smooth; }
  bool is_damped() const { return traits_.damped; }
  bool turns_freely() const { return traits_.turns_freely; }
  bool has_pins() const { return matrix_.order().free_count < matrix_.order().count(); }

  // True if the weights changed for deformations like that of x; the matrix is then that of the
  // new ones.
  bool adapt_weights();
  // By how far x is from where the stage began, and by how well it can be known at all.
  void set_scale();
  // Turns x as a whole to where the objective is least; returns by how much, as residuals are.
  double turn_rigidly();
  // Moves x by a share of the way back to where the stage began.
  void go_back(double share);
  // Rotations are those of x, as good as it is known.
  void set_laplacian_frame();
  void subtract_laplacian_forces(std::vector<double>& from);

  void load(const Points& points, std::vector<double>& into) const;
  // Free points only.
  void store(const std::vector<double>& values, Points& into) const;

 private:
  static GlobalMatrix make_matrix(const StageModel& model, const Island& island,
                                  const ElementValues& values, const PreparedMatrix& former);
  void set_target(const Stage& stage);
  void set_history(const Stage& stage);
  double change_since(const std::vector<double>& other);  // |W D (x - other)|
  void align();

  // Only with damping: what the stage looks back at, x_p and (x - x_p) / h.
  struct Past {
    std::vector<double> x, v, stage, previous, x_p, rate;
  };

  struct Traits {
    bool smooth;        // all terms are
    bool damped;        // some are
    bool turns_freely;  // none resists rotation
  };

  const Elements& elements_;
  Island island_;
  ElementValues& values_;
  GlobalMatrix matrix_;
  TermChunks chunks_;
  RigidAlignment alignment_;
  LaplacianDamping laplacian_;
  RigidResponse rigid_response_;
  InverseBlocks inverse_blocks_;
  bool in_contact_ = false;  // this stage
  std::vector<double> contact_forces_;
  Traits traits_;
  double h_ = 0;  // of the stage, s
  ResidualScale scale_;
  std::vector<double> x_, before_, target_, scratch_;
  Past past_;
};

}  // namespace dashpot
