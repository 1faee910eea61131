#include "solver/elements/term_chunks.h"

#include <utility>

namespace dashpot {

TermChunks::TermChunks(std::vector<std::unique_ptr<TermBatch>> batches, int vertex_count)
    : batches_(std::move(batches)) {
  constexpr std::ptrdiff_t kBlocks = TermBatch::kBlocksPerChunk;
  std::size_t force = 0;
  for (const auto& batch : batches_) {
    const std::ptrdiff_t blocks = batch->block_count();
    const std::size_t doubles = batch->block_doubles();
    for (std::ptrdiff_t first = 0; first < blocks; first += kBlocks) {
      const std::ptrdiff_t last = std::min(blocks, first + kBlocks);
      const std::size_t force_end = force + 4 * batch->chunk_vertices(first / kBlocks).size();
      chunks_.push_back({batch.get(),
                         {first, last},
                         flat_size_,
                         flat_size_ + first * doubles,
                         flat_size_ + last * doubles,
                         force,
                         force_end});
      force = force_end;
    }
    flat_size_ += blocks * doubles;
  }
  forces_.assign(force, 0.0);
  values_.resize(chunks_.size());
  index_forces(vertex_count);
}

void TermChunks::index_forces(int vertex_count) {
  std::vector<int> vertex;  // of each slot
  for (const TermChunk& c : chunks_) {
    const auto& own = c.batch->chunk_vertices(c.blocks.begin / TermBatch::kBlocksPerChunk);
    vertex.insert(vertex.end(), own.begin(), own.end());
  }
  incidence_start_.assign(vertex_count + 1, 0);
  for (int v : vertex) ++incidence_start_[v / 4 + 1];
  for (std::size_t k = 1; k < incidence_start_.size(); ++k)
    incidence_start_[k] += incidence_start_[k - 1];
  incidence_.resize(incidence_start_.back());
  std::vector<int> next(incidence_start_.begin(), incidence_start_.end() - 1);
  for (std::size_t slot = 0; slot < vertex.size(); ++slot)
    incidence_[next[vertex[slot] / 4]++] = slot * 4;
}

void TermChunks::fingerprint(Hash& hash) const {
  for (const auto& batch : batches_) {
    hash.add_value(batch->block_doubles());
    hash.add(batch->members().data(), batch->members().size() * sizeof(int));
  }
}

bool TermChunks::are_smooth() const {
  return std::all_of(batches_.begin(), batches_.end(),
                     [](const auto& batch) { return batch->is_smooth(); });
}

bool TermChunks::are_damped() const {
  return std::any_of(batches_.begin(), batches_.end(),
                     [](const auto& batch) { return batch->is_damped(); });
}

double TermChunks::squared_norm() const {
  double sum = 0;
  for (const auto& batch : batches_) sum += batch->squared_norm();
  return sum;
}

}  // namespace dashpot
