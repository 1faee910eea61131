// One ADMM iteration of our solver (stagesolver = admm) and of the textbook baseline
// (textbook_admm.h), side by side:
// ms per iteration of the local, the global and both steps, for beams of about 2k, 10k, 50k and
// 200k tets. Best of all repetitions; the table at the end has the ratios.
//
//   stage_bench --benchmark_repetitions=5 --benchmark_enable_random_interleaving=true
//
// Both solve the same stage from the same start with the same weights. Ours is charged for all that
// solve() does (begin of the stage, residuals, acceleration), the baseline for its two steps only.
// First, both are run to a tight residual on the smallest beam, and must agree on the solution.
#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "standalone/bench/contest.h"

namespace dashpot {
namespace {

constexpr int kIterations = 30;
constexpr std::array<BeamCells, 4> kBeams = {{{21, 4}, {34, 7}, {49, 13}, {83, 20}}};

// ms per iteration. cpu is the time of all threads together: the figure to trust on a machine that
// is busy with other work.
struct Times {
  double local = 0, global = 0;
  double total = std::numeric_limits<double>::infinity(), cpu = total;

  void keep_best(const Times& other) {
    const double least_cpu = std::min(cpu, other.cpu);
    if (other.total < total) *this = other;
    cpu = least_cpu;
  }
};

double process_cpu_ms() {
  return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

const char* material_name(Corotated /*model*/) {
  return "corotated";
}
const char* material_name(NeoHookean /*model*/) {
  return "neohookean";
}
// Kept for all repetitions: factoring costs more than they do.
template <class Model>
Contest<Model>& contest_of(BeamCells cells) {
  static std::map<int, std::unique_ptr<Contest<Model>>> contests;
  auto& contest = contests[cells.tets()];
  if (!contest) contest = std::make_unique<Contest<Model>>(cells);
  return *contest;
}

enum class Solver { kOurs, kTextbook };

// tets, material, threads, solver
using Key = std::tuple<int, std::string, int, Solver>;
std::map<Key, Times>& best_times() {
  static std::map<Key, Times> best;
  return best;
}

template <class Model>
Times time_once(Contest<Model>& contest, Solver solver) {
  Points x;
  const StageSettings fixed{kIterations, 0.0, SolverChoice::kAdmm};
  const double cpu = process_cpu_ms();
  const auto start = std::chrono::steady_clock::now();
  Times times;
  if (solver == Solver::kOurs) {
    const StageResult result = contest.run_ours(fixed, x);
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
    times = {result.ms_local, result.ms_global, wall.count(), 0};
  } else {
    const auto result = contest.run_textbook(fixed, x);
    times = {result.ms_local, result.ms_global, result.ms_local + result.ms_global, 0};
  }
  times.cpu = process_cpu_ms() - cpu;
  for (double* ms : {&times.local, &times.global, &times.total, &times.cpu}) *ms /= kIterations;
  return times;
}

template <class Model>
void run_iterations(benchmark::State& state, BeamCells cells, int threads, Solver solver) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  Contest<Model>& contest = contest_of<Model>(cells);
  Times best;
  for (auto _ : state) {
    const Times now = time_once(contest, solver);
    state.SetIterationTime(now.total * 1e-3);
    best.keep_best(now);
  }
  state.counters["local_ms"] = best.local;
  state.counters["global_ms"] = best.global;
  state.counters["total_ms"] = best.total;
  state.counters["cpu_ms"] = best.cpu;
  best_times()[{cells.tets(), material_name(Model{}), threads, solver}].keep_best(best);
}

template <class Model>
void register_beam(BeamCells cells) {
  for (int threads : {1, 2})
    for (Solver solver : {Solver::kOurs, Solver::kTextbook}) {
      const std::string name = std::string(solver == Solver::kOurs ? "ours" : "textbook") + "/" +
                               material_name(Model{}) + "/tets:" + std::to_string(cells.tets()) +
                               "/threads:" + std::to_string(threads);
      benchmark::RegisterBenchmark(name.c_str(), run_iterations<Model>, cells, threads, solver)
          ->UseManualTime()
          ->MinTime(0.02)  // of time per iteration: real time is kIterations as long
          ->Unit(benchmark::kMillisecond);
    }
}

void print_table() {
  std::printf(
      "\nms per ADMM iteration, best run; ratio = textbook / ours; cpu: all threads together\n");
  std::printf("%7s %-10s %7s |%34s |%34s | %s\n", "", "", "", "ours", "textbook", "ratio");
  std::printf("%7s %-10s %7s |", "tets", "material", "threads");
  for (int column = 0; column < 2; ++column)
    std::printf(" %7s %7s %8s %8s |", "local", "global", "total", "cpu");
  std::printf(" %6s %6s %6s %6s\n", "local", "global", "total", "cpu");
  for (const auto& [key, ours] : best_times()) {
    const auto& [tets, material, threads, solver] = key;
    const auto found = best_times().find({tets, material, threads, Solver::kTextbook});
    if (solver != Solver::kOurs || found == best_times().end()) continue;
    const Times& book = found->second;
    std::printf("%7d %-10s %7d |", tets, material.c_str(), threads);
    for (const Times& t : {ours, book})
      std::printf(" %7.2f %7.2f %8.2f %8.2f |", t.local, t.global, t.total, t.cpu);
    std::printf(" %6.1f %6.1f %6.1f %6.1f\n", book.local / ours.local, book.global / ours.global,
                book.total / ours.total, book.cpu / ours.cpu);
  }
}

// Both solvers at a tight residual, and how many iterations and ms they took there.
template <class Model>
bool solutions_agree(BeamCells cells) {
  constexpr double kTight = 1e-10, kAgreement = 1e-7;
  Contest<Model>& contest = contest_of<Model>(cells);
  Points ours, textbook;
  const StageResult a = contest.run_ours({20000, kTight, SolverChoice::kAdmm}, ours);
  const auto b = contest.run_textbook({20000, kTight}, textbook);
  const double motion = (ours - contest.ours.problem.before).cwiseAbs().maxCoeff();
  const double difference = (ours - textbook).cwiseAbs().maxCoeff() / motion;
  const bool agree = a.converged && b.primal_residual <= kTight && difference <= kAgreement;
  std::printf(
      "%s, %d tets, to a residual of %.0e: ours %d iterations (%.1e), textbook %d (%.1e); "
      "positions "
      "differ by %.1e of the largest displacement: %s\n",
      material_name(Model{}), cells.tets(), kTight, a.iterations, a.primal_residual, b.iterations,
      b.primal_residual, difference, agree ? "they agree" : "THEY DISAGREE");
  return agree;
}

}  // namespace
}  // namespace dashpot

int main(int argc, char** argv) {
  using namespace dashpot;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const bool corotated = solutions_agree<Corotated>(kBeams.front());
  const bool neohookean = solutions_agree<NeoHookean>(kBeams.front());
  for (const BeamCells cells : kBeams) {
    register_beam<Corotated>(cells);
    register_beam<NeoHookean>(cells);
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  print_table();
  return corotated && neohookean ? 0 : 1;
}
