#pragma once

#include <chrono>

namespace dashpot {

// Adds the time until its end to a sum.
class Stopwatch {
 public:
  explicit Stopwatch(double& ms) : ms_(ms), start_(std::chrono::steady_clock::now()) {}
  ~Stopwatch() {
    ms_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_)
               .count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& ms_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace dashpot
