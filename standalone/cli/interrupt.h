#pragma once

#include <csignal>
#include <iterator>

namespace dashpot {

// While one of these exists, the first SIGINT, SIGTERM, SIGQUIT or SIGHUP only raises a flag, so
// that the program can finish properly; the second one of a kind ends it at once. A SIGHUP that
// nohup told the program to ignore stays ignored.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool interrupted();

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};

  struct sigaction before_[std::size(kSignals)];
};

}  // namespace dashpot
