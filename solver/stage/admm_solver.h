#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "solver/base/lane_points.h"
#include "solver/base/parallel.h"
#include "solver/base/types.h"
#include "solver/contact/contact_solver.h"
#include "solver/elements/term_batch.h"
#include "solver/elements/tet_terms.h"
#include "solver/integrator/integrator.h"
#include "solver/linear/global_matrix.h"
#include "solver/stage/anderson.h"
#include "solver/stage/laplacian_damping.h"
#include "solver/stage/quasi_newton.h"
#include "solver/stage/rigid_alignment.h"
#include "solver/stage/solver_choice.h"

namespace dashpot {

struct AdmmSettings {
  int iterations = 60;
  double tolerance = 1e-4;
  SolverChoice stage_solver = SolverChoice::kAutomatic;
};

struct AdmmResult {
  int iterations = 0;
  // The mismatch |W(Dx - z)|, and the force that it leaves unbalanced in the norm of the inverse
  // diagonal, both relative to |W D(x - before)|: how much the stage deforms and turns the
  // body. Of quasi-Newton steps, the mismatch that a step of ADMM would leave: that of A^-1 g, in
  // the norm of A.
  double primal_residual = 0, dual_residual = 0;
  bool converged = false, cancelled = false;
  double ms_local = 0, ms_global = 0, ms_contact = 0;
};

// The colliders of a stage. rows: those that touched before on entry, all that may touch, with
// their forces, on return.
struct ContactState {
  ColliderKinematics stage;
  std::vector<Contact> rows;
};

// Minimises one stage's objective over the free points by ADMM (Brown et al. 2018 section 3.3) in
// the form with one variable p = Dx + u: z = prox(p), then a global solve with 2z - p, then p += Dx
// - z, accelerated. Where the objective is smooth it takes quasi-Newton steps with the same matrix
// instead, see admm_descent.cpp.
class AdmmSolver {
 public:
  // terms must outlive the solver. former: of a solver whose matrix may have been the same.
  AdmmSolver(const TetTerms& terms, const std::vector<double>& mass,
             const std::vector<double>& drag, const std::vector<char>& pinned,
             const PreparedMatrix& former = {});

  // From now on points `sites` (their vertex is filled in) are kept out of colliders.
  void add_contact(std::vector<Collider> colliders, std::vector<ContactVertex> sites);

  // before: positions at the start of the stage, for the scale of the residuals and for contact. x:
  // start position on entry, solution on return. Pinned points stay where x has them. dual: W^2 u
  // of the last stage on entry (zeros at first), of this one on return: the generalised forces. A
  // cancelled solve leaves x and dual as they were.
  AdmmResult solve(const Stage& stage, const Points& before, const AdmmSettings& settings,
                   const std::function<bool()>& cancelled, Points& x, std::vector<double>& dual,
                   ContactState* contact = nullptr);

  // After solve() with contact: velocities, then accelerations, at the end of the stage as contact
  // leaves them, see ContactSolver. bounce: of each of contact.rows, m/s.
  void solve_velocity_contacts(double h, double extrapolation, const Points& x,
                               const std::vector<double>& bounce, ContactState& contact, Points& v);
  void solve_acceleration_contacts(double h, const Points& v, ContactState& contact, Points& a);

  const GlobalMatrix& system() const { return system_; }
  std::size_t dual_size() const { return z_.size(); }
  // Of the factor that the last solve used.
  bool has_single_precision() const { return system_.precision() == FactorPrecision::kSingle; }

  // Gradient of the elastic energy at x, per point.
  Points energy_gradient(const Points& x);
  // The same minus the damping force at velocity v.
  Points force_gradient(const Points& x, const Points& v);

  bool is_damped() const { return is_damped_; }
  // The power that each tet's damping dissipates, W.
  void dissipation(const Points& x, const Points& v, std::vector<double>& power);

  // D^T W y for y = scaled duals: the internal force that the last solve balanced (its gradient of
  // U + hR).
  Points dual_gradient(const std::vector<double>& dual);

  // Adds the Laplacian damping force, with its sign turned, at positions x and velocities v.
  void add_laplacian_gradient(const Points& x, const Points& v, Points& gradient);

 private:
  // A run of blocks of one batch: the unit of parallel work, always the same ones.
  struct Chunk {
    TermBatch* batch;
    ChunkRange blocks;
    std::size_t batch_flat;              // first double of the batch in flat arrays
    std::size_t flat_begin, flat_end;    // doubles of this chunk in flat arrays
    std::size_t force_begin, force_end;  // in forces_
  };

  void lay_out_batches();
  void index_forces();
  // body(const Chunk&, chunk number)
  template <class Body>
  void for_each_chunk(const Body& body) const;
  void load(const Points& points, std::vector<double>& into) const;
  void set_target(const Stage& stage);
  void set_stage(const Stage& stage);
  void set_laplacian_frame();
  void subtract_laplacian_forces(std::vector<double>& from);
  // Turns x_ as a whole to where the objective is least; returns by how much, as residuals are.
  double turn_rigidly();
  void add_laplacian_power(std::vector<double>& power);
  Points gathered_gradient(const double* v);
  void begin(const std::vector<double>& dual);
  void align();
  void store(const std::vector<double>& values, Points& into) const;
  void set_scale();
  double change_since(const std::vector<double>& other);  // |W D (x_ - other)|
  // True if the weights changed for deformations like that of x_; the matrix is then that of the
  // new ones.
  bool adapt_weights();
  void store_dual(std::vector<double>& dual) const;
  // The residual at which a stage is solved.
  double enough_for(const AdmmSettings& settings) const {
    return settings.tolerance > 0 ? std::max(settings.tolerance, rounding_ / scale_) : -1;
  }
  void iterate_admm(const AdmmSettings& settings, const std::function<bool()>& cancelled,
                    std::vector<double>& forces, AdmmResult& result);
  // Quasi-Newton steps; false where the objective is not smooth. x_ is then as good as it got.
  bool minimize_quasi_newton(const AdmmSettings& settings, const std::function<bool()>& cancelled,
                             AdmmResult& result);
  bool stage_gradient(AdmmResult& result);
  bool take_step(AdmmResult& result);
  double gradient_residual();
  void store_stage_force(std::vector<double>& dual);
  void iterate(AdmmResult& result);
  void local_pass();
  void global_pass();
  void residual_pass();
  double dual_residual();
  double contact_residual() const;
  // Where a chunk sums its forces, from zero.
  double* forces_of(const Chunk& c) {
    std::fill(forces_.begin() + c.force_begin, forces_.begin() + c.force_end, 0.0);
    return forces_.data() + c.force_begin;
  }
  // The sum of the chunks' forces on a vertex, always in the same order.
  Lane sum_forces(std::ptrdiff_t vertex) const {
    Lane sum{};
    for (int k = incidence_start_[vertex]; k < incidence_start_[vertex + 1]; ++k)
      sum += load_lane(&forces_[incidence_[k]]);
    return sum;
  }
  void gather_forces(Points& out) const;

  const TetTerms& terms_;
  std::vector<double> squared_weight_;  // of each tet, now
  GlobalMatrix system_;
  LaplacianDamping laplacian_;
  RigidAlignment alignment_;
  std::unique_ptr<ContactSolver> contact_;
  bool touches_ = false;          // this stage has colliders
  std::vector<char> in_contact_;  // pieces that the last alignment found touching
  double moved_ = 0;              // how far the stage moves points at most, m
  double place_rounding_ = 0;     // error of a position, m
  bool turns_freely_;             // the terms do not resist rotation
  std::vector<std::unique_ptr<TermBatch>> batches_;
  std::vector<Chunk> chunks_;
  std::vector<double> drag_;  // kg/s, by position
  // Slots in forces_ of each vertex, in a fixed order (compressed rows).
  std::vector<int> incidence_start_;
  std::vector<std::size_t> incidence_;

  std::vector<double> x_, before_, target_, step_;  // four doubles per vertex in solver order
  bool is_damped_ = false;
  std::vector<double> past_x_, past_v_, past_stage_, past_previous_;  // only with damping
  std::vector<double> stage_x_, rate_;  // x_p and (x - x_p) / h, only with Laplacian damping
  double h_ = 0;                        // of the stage, s
  std::vector<double> z_, forces_;
  Anderson anderson_;
  bool is_smooth_ = false;  // all terms are
  QuasiNewton newton_;
  std::vector<Anderson::Coefficients> chunk_dots_;
  double scale_ = 1;     // of the residuals of this stage
  double rounding_ = 0;  // mismatch that rounding of the positions alone makes
  double residual_norm_ = 0;
};

template <class Body>
void AdmmSolver::for_each_chunk(const Body& body) const {
  parallel_each(static_cast<std::ptrdiff_t>(chunks_.size()), 1,
                [&](std::ptrdiff_t c) { body(chunks_[c], static_cast<std::size_t>(c)); });
}

}  // namespace dashpot
