#pragma once

namespace dashpot {

// While one of these exists, the first SIGINT or SIGTERM only raises a flag, so that the program
// can finish properly; the second one ends it at once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool interrupted();
};

}  // namespace dashpot
