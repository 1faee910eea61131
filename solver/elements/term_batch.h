#pragma once

#include <cstddef>
#include <vector>

#include "solver/base/parallel.h"
#include "solver/base/types.h"
#include "solver/integrator/integrator.h"

namespace dashpot {

// A term's local coordinates are D x. The solver keeps them scaled by the term's weight w, in
// flat arrays where each batch owns a contiguous range, cut into blocks of equal size. Scaled, the
// ADMM residual W(Dx - z) is a plain difference and its norm a plain norm.
//
// A batch is a homogeneous array of like terms: one virtual call per chunk of blocks, never per
// term. Positions come as four doubles per vertex in the solver's vertex order. Forces are summed
// within a chunk first, in a slot of four doubles for each of its vertices, and then per vertex
// over the chunks: sums do not depend on the number of threads, and little memory is moved.
class TermBatch {
 public:
  // 256 tets, whose flat ranges fit the L2 cache.
  static constexpr std::ptrdiff_t kBlocksPerChunk = 64;

  virtual ~TermBatch() = default;

  virtual std::ptrdiff_t block_count() const = 0;
  virtual int block_doubles() const = 0;  // flat doubles per block

  // Numbers of its elements, in order.
  virtual const std::vector<int>& members() const = 0;

  // The vertex (times four) of each slot of a chunk.
  virtual const std::vector<int>& chunk_vertices(std::ptrdiff_t chunk) const = 0;

  // |W D|^2, Frobenius: how much a unit error in every position can change the coordinates.
  virtual double squared_norm() const = 0;

  // Pointers below are to the first block of the batch, `forces` to the slots of the chunk that
  // `blocks` is; what is said that they receive is added.

  // Chooses weights for deformations like that of x. True if any changed; w^2 of each term is
  // written to its place in squared_weight.
  virtual bool adapt_weights(ChunkRange blocks, const double* x,
                             std::vector<double>& squared_weight) = 0;

  // Forgets where the last stage's iterations ended.
  virtual void forget(ChunkRange blocks) = 0;

  // z = W D x and p = z + W^-1 dual.
  virtual void begin_stage(ChunkRange blocks, const double* x, const double* dual, double* z,
                           double* p) = 0;

  // |W D (x - before)|^2
  virtual double squared_change(ChunkRange blocks, const double* x, const double* before) const = 0;

  // z = W prox(W^-1 p), in place of the last z. Forces receive D^T W (2z - p - previous), where
  // previous = W D x of the current x.
  virtual void local_step(ChunkRange blocks, const double* p, double* z, const double* residual,
                          double* forces) = 0;

  // residual = W D x - z
  virtual void residual(ChunkRange blocks, const double* x, const double* z,
                        double* residual) const = 0;

  // Forces receive D^T W y.
  virtual void weighted_forces(ChunkRange blocks, const double* y, double* forces) const = 0;

  // dual = W (p - z): the generalised force on each coordinate, whatever the weights are.
  virtual void dual(ChunkRange blocks, const double* p, const double* z, double* dual) const = 0;
  // Forces receive D^T dual.
  virtual void dual_forces(ChunkRange blocks, const double* dual, double* forces) const = 0;

  // Forces receive the gradient of the elastic energy at x plus, unless v is nullptr, minus the
  // damping force at velocity v.
  virtual void force_gradient(ChunkRange blocks, const double* x, const double* v,
                              double* forces) const = 0;

  // Whether the force on the coordinates is smooth in x, unless terms are squeezed far.
  virtual bool is_smooth() const = 0;
  // Forces receive D^T of that force: of the energy and, with damping, of the stage. dual receives
  // the force itself, unless it is nullptr. False if a term is squeezed too far.
  virtual bool stage_force(ChunkRange blocks, const double* x, double* forces, double* dual) = 0;

  // The rest is about damping; terms without any do nothing.
  virtual bool is_damped() const = 0;
  // A stage of h seconds. Positions and velocities are in the solver's order.
  virtual void set_stage(ChunkRange blocks, double h, const StageHistory<double>& history) = 0;
  // The power that each damped term dissipates (W), written to its place in power.
  virtual void dissipation(ChunkRange blocks, const double* x, const double* v,
                           std::vector<double>& power) const = 0;
};

}  // namespace dashpot
