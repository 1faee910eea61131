#include <tbb/global_control.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <thread>

#include "solver/base/error.h"
#include "standalone/bench/benchmark.h"
#include "standalone/bench/benchmark_output.h"
#include "standalone/cli/commands.h"
#include "standalone/files/atomic_file.h"
#include "standalone/files/file_ending.h"

namespace dashpot {
namespace {

struct BenchArguments {
  std::vector<int> sizes = {2000, 10000, 50000};
  std::vector<int> threads;  // empty: powers of two up to all
  int repeats = 5, iterations = 30, textbook_limit = 100000;
  std::string only = "all", plot;
  bool json = false;
};

void require_between(int value, int low, int high, const std::string& option) {
  if (value < low || value > high)
    throw InputError(option + " must be between " + std::to_string(low) + " and " +
                     std::to_string(high) + ", not " + std::to_string(value) + ".");
}

std::vector<int> threads_up_to(int all) {
  std::vector<int> threads;
  for (int n = 1; n < all; n *= 2) threads.push_back(n);
  threads.push_back(all);
  return threads;
}

void check_arguments(BenchArguments& arguments, int processors) {
  constexpr int kMostTets = 2000000, kMostThreads = 1024;
  for (int tets : arguments.sizes) require_between(tets, 6, kMostTets, "--sizes");
  std::sort(arguments.sizes.begin(), arguments.sizes.end());
  for (int n : arguments.threads) require_between(n, 1, kMostThreads, "--threads");
  if (arguments.threads.empty()) arguments.threads = threads_up_to(processors);
  require_between(arguments.repeats, 1, 1000, "--repeats");
  require_between(arguments.iterations, 1, 10000, "--iterations");
  require_between(arguments.textbook_limit, 0, kMostTets, "--textbook-limit");
  if (arguments.only != "all" && arguments.only != "tables" && arguments.only != "sizes")
    throw InputError("--only must be tables or sizes, not '" + arguments.only + "'.");
  if (!arguments.plot.empty()) require_ending(arguments.plot, {".svg"}, "--plot");
  if (!arguments.plot.empty() && arguments.only == "tables")
    throw InputError("--plot shows sizes, but --only tables leaves them out.");
}

int run_bench(BenchArguments arguments) {
  BenchmarkResult result;
  result.processor = processor_name();
  result.processors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  check_arguments(arguments, result.processors);
  if (arguments.only != "sizes") {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(arguments.threads.back()));
    for (const PublishedScene& scene : published_scenes()) {
      std::fprintf(stderr, "%s: %s\n", scene.table.c_str(), scene.name.c_str());
      result.scenes.push_back(run_published_scene(scene, arguments.repeats));
    }
  }
  if (arguments.only != "tables")
    for (const int tets : arguments.sizes) {
      std::fprintf(stderr, "%d tets\n", tets);
      result.sizes.push_back(run_size({tets, arguments.threads, arguments.repeats,
                                       arguments.iterations, arguments.textbook_limit}));
    }
  const std::string text = arguments.json ? benchmark_json(result) : benchmark_text(result);
  std::fputs(text.c_str(), stdout);
  if (!arguments.plot.empty()) write_file_atomically(arguments.plot, benchmark_plot(result));
  return kExitDone;
}

}  // namespace

void add_bench_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<BenchArguments>();
  CLI::App* command =
      app.add_subcommand("bench", "Measure this machine: published tables, sizes, threads, memory");
  command->add_option("--only", arguments->only, "tables or sizes; default both");
  command->add_option("--sizes", arguments->sizes, "Tets of the beams, e.g. 2000,10000,50000")
      ->delimiter(',');
  command
      ->add_option("--threads", arguments->threads,
                   "Numbers of threads to compare, e.g. 1,2; default powers of two up to all")
      ->delimiter(',');
  command->add_option("--repeats", arguments->repeats, "Runs of each, of which the best counts")
      ->capture_default_str();
  command->add_option("--iterations", arguments->iterations, "Iterations of a run with the beams")
      ->capture_default_str();
  command
      ->add_option("--textbook-limit", arguments->textbook_limit,
                   "No comparison with the textbook solver above so many tets")
      ->capture_default_str();
  command->add_option("--plot", arguments->plot, "Also draw the sizes into this .svg");
  command->add_flag("--json", arguments->json, "Print JSON instead of tables");
  command->callback(
      [arguments, &action] { action = [arguments] { return run_bench(*arguments); }; });
}

}  // namespace dashpot
