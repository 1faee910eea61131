#include "solver/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

namespace dashpot {
namespace {

// A host runs many nodes at once. While one of ours waits for its chunks, its thread must not begin
// another task of the host's: that might want a lock which this one holds.
TEST(Parallel, AThreadThatWaitsTakesUpNothingElseOfTheHost) {
  std::atomic<int> nested{0};
  tbb::task_arena arena(4);
  arena.execute([&] {
    tbb::parallel_for(0, 400, [&](int) {
      static thread_local int depth = 0;
      if (depth > 0) ++nested;
      ++depth;
      std::atomic<double> sum{0};
      parallel_each(64, 1, [&](std::ptrdiff_t i) {
        double value = static_cast<double>(i);
        for (int k = 0; k < 2000; ++k) value = std::sqrt(value + k);
        sum = sum + value;
      });
      --depth;
    });
  });
  EXPECT_EQ(nested, 0);
}

}  // namespace
}  // namespace dashpot
