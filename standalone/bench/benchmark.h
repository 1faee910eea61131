#pragma once

#include <functional>
#include <string>
#include <vector>

#include "standalone/bench/seed_tables.h"

namespace dashpot {

// Where the time goes. On a machine that is busy, only ever too long: the best of several runs
// counts, and only ratios within one run should be quoted.

struct SceneResult {
  PublishedScene published;
  bool was_run = false;
  int points = 0, tets = 0;
  int solves = 0;                           // of a frame
  double local = 0, global = 0, frame = 0;  // ms: of one iteration, of a frame
};

// Runs a body of as many points and tets for as many iterations of ADMM; contact is left out.
SceneResult run_published_scene(const PublishedScene& published, int repeats);

// ms of one iteration.
struct IterationTimes {
  double local = 0, global = 0, total = 0;
};

struct ThreadResult {
  int threads = 0;
  IterationTimes ours;
};

// A neo-Hookean beam.
struct SizeResult {
  int tets = 0, points = 0;
  double setup = 0;   // s: ordering, symbolic analysis and factorisation
  double memory = 0;  // MiB at most, of the scene and the solver; 0 where it cannot be measured
  bool single_precision = false;   // the factor
  std::vector<ThreadResult> ours;  // with the default stage solver
  // With as many threads as the last of these:
  IterationTimes admm;  // with stagesolver = admm
  bool has_textbook = false;
  IterationTimes textbook;
};

struct SizeRequest {
  int tets = 0;
  std::vector<int> threads;
  int repeats = 1;
  int iterations = 30;
  int textbook_limit = 0;  // no comparison with the textbook above so many tets: it would take long
};

SizeResult run_size(const SizeRequest& request);

struct BenchmarkResult {
  std::string processor;
  int processors = 0;
  std::vector<SceneResult> scenes;
  std::vector<SizeResult> sizes;
};

// How cost grows: the exponent between the first size of 10k tets or more and the last one. 0 if
// there are not two such sizes.
struct Growth {
  double local = 0, global = 0;
};
Growth growth_of(const std::vector<SizeResult>& sizes);

std::string processor_name();

}  // namespace dashpot
