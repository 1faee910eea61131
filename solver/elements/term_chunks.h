#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "solver/base/hash.h"
#include "solver/base/lane_points.h"
#include "solver/base/parallel.h"
#include "solver/base/types.h"
#include "solver/elements/term_batch.h"
#include "solver/mesh/vertex_order.h"

namespace dashpot {

// A run of blocks of one batch: the unit of parallel work, always the same ones.
struct TermChunk {
  TermBatch* batch;
  ChunkRange blocks;
  std::size_t batch_flat;              // first double of the batch in flat arrays
  std::size_t flat_begin, flat_end;    // doubles of this chunk in flat arrays
  std::size_t force_begin, force_end;  // of the slots of its vertices
};

// Batches of terms laid out for parallel passes: their local coordinates one after the other in
// flat arrays, and the forces that each chunk sums for its own vertices.
class TermChunks {
 public:
  TermChunks(std::vector<std::unique_ptr<TermBatch>> batches, int vertex_count);

  // Doubles in flat arrays.
  std::size_t flat_size() const { return flat_size_; }
  std::size_t count() const { return chunks_.size(); }

  // Adds all that the order of flat arrays depends on.
  void fingerprint(Hash& hash) const;

  bool are_smooth() const;
  bool are_damped() const;
  double squared_norm() const;  // |W D|^2

  // body(const TermChunk&, chunk number)
  template <class Body>
  void for_each(const Body& body) const {
    parallel_each(static_cast<std::ptrdiff_t>(chunks_.size()), 1,
                  [&](std::ptrdiff_t c) { body(chunks_[c], static_cast<std::size_t>(c)); });
  }
  // The sum of value(const TermChunk&), always in the same order.
  template <class Value>
  double sum(const Value& value) {
    for_each([&](const TermChunk& c, std::size_t number) { values_[number] = value(c); });
    double total = 0;
    for (const double part : values_) total += part;
    return total;
  }

  // Where a chunk sums its forces, from zero.
  double* forces_of(const TermChunk& c) {
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

 private:
  void index_forces(int vertex_count);

  std::vector<std::unique_ptr<TermBatch>> batches_;
  std::vector<TermChunk> chunks_;
  std::size_t flat_size_ = 0;
  std::vector<double> forces_, values_;
  // Slots in forces_ of each vertex, in a fixed order (compressed rows).
  std::vector<int> incidence_start_;
  std::vector<std::size_t> incidence_;
};

}  // namespace dashpot
