#pragma once

#include <string>

#include "standalone/bench/benchmark.h"

namespace dashpot {

// For reading on a terminal.
std::string benchmark_text(const BenchmarkResult& result);
// The same numbers for programs.
std::string benchmark_json(const BenchmarkResult& result);
// An SVG: ms of one iteration over tets, both on logarithmic scales.
std::string benchmark_plot(const BenchmarkResult& result);

}  // namespace dashpot
