#include "solver/base/parallel.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_group.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace dashpot {
namespace {

// True once `flag` is set; gives up after a while.
bool wait_for(const std::atomic<int>& flag, int value, int milliseconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  while (flag < value && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return flag >= value;
}

// A host runs many nodes at once. While one of ours waits for its chunks, its thread must not begin
// another task of the host's: that might want a lock which this one holds.
TEST(Parallel, AThreadThatWaitsTakesUpNothingElseOfTheHost) {
  constexpr int kPatience = 5000, kMoment = 200;  // ms
  const tbb::global_control three(tbb::global_control::max_allowed_parallelism, 3);
  std::atomic<int> host_began{0}, both_chunks{0}, host_may_go{0}, other_task_ran{0};
  std::atomic<bool> inside{false}, nested{false};
  tbb::task_arena arena(3);
  const auto waiting = std::this_thread::get_id();
  arena.execute([&] {
    tbb::task_group host;
    host.run([&] {
      host_began = 1;
      wait_for(host_may_go, 1, kPatience);
      host.run([&] {
        if (inside && std::this_thread::get_id() == waiting) nested = true;
        other_task_ran = 1;
      });
      wait_for(other_task_ran, 1, kMoment);  // by somebody else
    });
    ASSERT_TRUE(wait_for(host_began, 1, kPatience));
    inside = true;
    parallel_each(2, 1, [&](std::ptrdiff_t) {
      ++both_chunks;
      wait_for(both_chunks, 2, kPatience);
      if (std::this_thread::get_id() == waiting) return;
      host_may_go = 1;
      wait_for(other_task_ran, 1, kMoment);
    });
    inside = false;
    host_may_go = 1;
    host.wait();
  });
  EXPECT_EQ(both_chunks, 2);
  EXPECT_FALSE(nested);
}

}  // namespace
}  // namespace dashpot
