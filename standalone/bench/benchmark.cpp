#include "standalone/bench/benchmark.h"

#include <malloc.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>

#include "solver/simulation/simulation.h"
#include "standalone/bench/contest.h"
#include "standalone/bench/counted_mesh.h"

namespace dashpot {
namespace {

constexpr int kLargeEnough = 9000;  // tets: below, growth is hidden by what does not grow

// Peak memory since the last call, MiB; Linux only. Asking resets it.
double take_peak_mib() {
  double mib = 0;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0) mib = std::stod(line.substr(6)) / 1024;
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
  return mib;
}

BeamCells cells_of(int tets) {
  const int across = std::max(1, static_cast<int>(std::lround(std::cbrt(tets / 24.0))));
  return {std::max(1, static_cast<int>(std::lround(tets / (6.0 * across * across)))), across};
}

Scene stand_in(const PublishedScene& published) {
  Body body;
  body.name = "body";
  body.mesh = counted_mesh(published.nodes, published.tets);
  body.position = body.mesh.rest;
  body.velocity = Points::Zero(3, body.mesh.point_count());
  body.fields.set("material", static_cast<double>(published.material), body.name);
  body.fields.set("youngsmodulus", 1e5, body.name);
  body.fields.set("dampingmodel", static_cast<double>(published.damping), body.name);
  body.fields.set("dampingexponent", published.damping_exponent, body.name);
  Pin pin;
  for (int i = 0; i < body.mesh.point_count(); ++i)
    if (body.mesh.rest(0, i) <= 0) pin.points.push_back(i);
  body.pins.push_back(std::move(pin));
  Scene scene;
  scene.bodies.push_back(std::move(body));
  scene.settings.integrator = published.integrator;
  scene.settings.iterations = published.iterations;
  scene.settings.tolerance = 0;
  scene.settings.laplacian_damping = published.laplacian;
  scene.settings.stage_solver = SolverChoice::kAdmm;  // iterations of other methods do not compare
  return scene;
}

IterationTimes per_iteration(double local, double global, double total, int iterations) {
  return {local / iterations, global / iterations, total / iterations};
}

void keep_best(const IterationTimes& now, bool is_first, IterationTimes& best) {
  if (is_first || now.total < best.total) best = now;
}

// Charged for all that it does; the textbook only for its two steps.
IterationTimes best_iteration(BeamSolver& ours, const SizeRequest& request,
                              SolverChoice stage_solver) {
  IterationTimes best;
  Points x;
  for (int repeat = 0; repeat < request.repeats; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
    const StageResult run = ours.run({request.iterations, 0.0, stage_solver}, x);
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - begin;
    keep_best(per_iteration(run.ms_local, run.ms_global, wall.count(), request.iterations),
              repeat == 0, best);
  }
  return best;
}

}  // namespace

SceneResult run_published_scene(const PublishedScene& published, int repeats) {
  SceneResult result;
  result.published = published;
  if (published.tets == 0) return result;
  Simulation simulation(stand_in(published));
  const TetMesh& mesh = simulation.scene().bodies[0].mesh;
  result.was_run = true;
  result.points = mesh.point_count();
  result.tets = mesh.tet_count();
  result.frame = std::numeric_limits<double>::infinity();
  simulation.advance(published.dt);  // factors
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const FrameReport report = simulation.advance(published.dt);
    result.solves = report.iterations / published.iterations;
    if (report.ms.total >= result.frame) continue;
    result.frame = report.ms.total;
    result.local = report.ms.local / report.iterations;
    result.global = report.ms.global / report.iterations;
  }
  return result;
}

SizeResult run_size(const SizeRequest& request) {
  const BeamCells cells = cells_of(request.tets);
  SizeResult result;
  result.tets = cells.tets();
  take_peak_mib();
  const auto start = std::chrono::steady_clock::now();
  BeamSolver ours(cells, Material::kNeoHookean);
  result.setup = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.points = ours.system.point_count();
  result.single_precision = ours.solver.have_single_precision();
  for (const int threads : request.threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    result.ours.push_back({threads, best_iteration(ours, request, SolverChoice::kAutomatic)});
  }
  result.memory = take_peak_mib();

  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  request.threads.back());
  result.admm = best_iteration(ours, request, SolverChoice::kAdmm);
  if (result.tets > request.textbook_limit) return result;
  TextbookAdmm<NeoHookean> textbook(ours.system.tets(), ours.system.mass, ours.system.pinned,
                                    ours.problem.stage.h);
  result.has_textbook = true;
  Points x;
  for (int repeat = 0; repeat < request.repeats; ++repeat) {
    x = ours.problem.start;
    const auto run =
        textbook.solve(ours.problem.stage, ours.problem.before, request.iterations, 0.0, x);
    keep_best(per_iteration(run.ms_local, run.ms_global, run.ms_local + run.ms_global,
                            request.iterations),
              repeat == 0, result.textbook);
  }
  return result;
}

Growth growth_of(const std::vector<SizeResult>& sizes) {
  const auto large_enough = [](const SizeResult& s) { return s.tets >= kLargeEnough; };
  const auto first = std::find_if(sizes.begin(), sizes.end(), large_enough);
  if (first == sizes.end() || sizes.back().tets <= first->tets) return {};
  const double span = std::log(static_cast<double>(sizes.back().tets) / first->tets);
  const IterationTimes& a = first->ours.back().ours;
  const IterationTimes& b = sizes.back().ours.back().ours;
  return {std::log(b.local / a.local) / span, std::log(b.global / a.global) / span};
}

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

}  // namespace dashpot
