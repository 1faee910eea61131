#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "solver/base/flush_denormals.h"

namespace dashpot {

// Parallel loops whose result does not depend on the number of threads: the range is cut into
// chunks of `grain` elements, always the same ones, and partial results are combined in order.

struct ChunkRange {
  std::ptrdiff_t begin, end;
};

inline std::ptrdiff_t chunk_count(std::ptrdiff_t n, std::ptrdiff_t grain) {
  return (n + grain - 1) / grain;
}

// body(ChunkRange, chunk number)
template <class Body>
void parallel_chunks(std::ptrdiff_t n, std::ptrdiff_t grain, const Body& body) {
  const std::ptrdiff_t chunks = chunk_count(n, grain);
  auto run = [&](std::ptrdiff_t chunk) {
    const FlushDenormals flush;
    body(ChunkRange{chunk * grain, std::min(n, (chunk + 1) * grain)}, chunk);
  };
  if (chunks <= 1) {
    if (chunks == 1) run(0);
    return;
  }
  // A thread that waits for its chunks must not take up another task of the host meanwhile: that
  // one might want a lock which this thread holds.
  tbb::this_task_arena::isolate([&] { tbb::parallel_for(std::ptrdiff_t{0}, chunks, run); });
}

// body(index)
template <class Body>
void parallel_each(std::ptrdiff_t n, std::ptrdiff_t grain, const Body& body) {
  parallel_chunks(n, grain, [&](ChunkRange range, std::ptrdiff_t) {
    for (std::ptrdiff_t i = range.begin; i < range.end; ++i) body(i);
  });
}

// Sum of body(ChunkRange) over all chunks, added in chunk order. T needs += and a zero.
template <class T, class Body>
T parallel_sum(std::ptrdiff_t n, std::ptrdiff_t grain, const T& zero, const Body& body) {
  std::vector<T> partial(static_cast<std::size_t>(chunk_count(n, grain)), zero);
  parallel_chunks(n, grain, [&](ChunkRange range, std::ptrdiff_t chunk) {
    partial[static_cast<std::size_t>(chunk)] = body(range);
  });
  T total = zero;
  for (const T& part : partial) total += part;
  return total;
}

}  // namespace dashpot
