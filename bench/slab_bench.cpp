// What many contacts cost: flat slabs that fall onto a plane and come to rest on it, against the
// same slabs that fall freely, in one run; slabs on each other, whose meshes do not match; and
// thousands of contacts. Arguments: rows to run by the begin of their
// names, such as slab26e5; none: all.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "solver/contact/plane_shape.h"
#include "solver/simulation/simulation.h"
#include "tests/support/bodies.h"

using namespace dashpot;

namespace {

constexpr double kCell = 0.05;  // m
constexpr double kDrop = 0.02;  // m
constexpr int kLayers = 3, kFrames = 12, kAtRest = 6;

double resident_mib() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word)
    if (word == "VmRSS:") {
      double kib = 0;
      status >> kib;
      return kib / 1024;
    }
  return 0;
}

// Its lowest points, `side` by `side` of them, at `bottom`.
Body slab(int side, double youngs, double bottom, const std::string& name, double turned = 0) {
  const Cells cells{side - 1, kLayers, side - 1};
  const Vec3 size(kCell * cells[0], kCell * cells[1], kCell * cells[2]);
  Body body = make_body(box_mesh(cells, size), {Material::kNeoHookean, youngs, 0.3}, name);
  body.position.colwise() -= Vec3(0.5 * size.x(), 0, 0.5 * size.z());
  const Mat3 turn = Eigen::AngleAxisd(turned, Vec3::UnitY()).toRotationMatrix();
  body.position = turn * body.position;
  body.position.row(1).array() += bottom;
  return body;
}

void add_floor(Scene& scene) {
  SceneCollider collider;
  collider.collider.name = "floor";
  collider.collider.shape = std::make_shared<PlaneShape>(Vec3::Zero(), Vec3::UnitY());
  collider.collider.friction = 0.5;
  scene.colliders.push_back(std::move(collider));
}

// Means of a frame.
struct Cost {
  double ms = 0, cpu_ms = 0, iterations = 0, stages = 0, solves = 0, newton = 0, products = 0;
  int contacts = 0, exhausted = 0;
};

Cost measure(Simulation& simulation, int frames) {
  Cost cost;
  const SolverWork before = simulation.solver_work();
  const std::clock_t start = std::clock();
  for (int f = 0; f < frames; ++f) {
    const FrameReport report = simulation.advance(1.0 / 24);
    cost.ms += report.ms.total / frames;
    cost.contacts = std::max(cost.contacts, report.contact.contacts + report.contact.pairs);
    cost.exhausted += report.has(Status::kBudgetExhausted);
  }
  cost.cpu_ms = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / frames;
  const SolverWork after = simulation.solver_work();
  const auto mean = [&](std::int64_t now, std::int64_t then) {
    return static_cast<double>(now - then) / frames;
  };
  cost.stages = mean(after.stages, before.stages);
  cost.iterations = mean(after.iterations, before.iterations);
  cost.solves = mean(after.solves, before.solves);
  cost.newton = mean(after.cones.newton, before.cones.newton);
  cost.products = mean(after.cones.products, before.cones.products);
  return cost;
}

void print(const std::string& what, const Cost& cost, double free_cpu) {
  std::printf("%-26s %6d %9.1f %9.1f %6.1f %6.1f %6.1f %8.1f %8.1f %8.1f %7.2f %5d %8.0f\n",
              what.c_str(), cost.contacts, cost.ms, cost.cpu_ms, cost.stages, cost.iterations,
              cost.solves, cost.stages > 0 ? cost.solves / cost.stages : 0, cost.newton,
              cost.products, free_cpu > 0 ? cost.cpu_ms / free_cpu : 0, cost.exhausted,
              resident_mib());
  std::fflush(stdout);
}

Scene slabs(int side, double youngs, bool is_pair) {
  Scene scene = make_scene(slab(side, youngs, kDrop, "lower"), {});
  // Turned, so that neither vertices nor edges meet.
  if (is_pair)
    scene.bodies.push_back(slab(side, youngs, 2 * kDrop + kLayers * kCell, "upper", 0.3));
  return scene;
}

void run(int side, double youngs, bool is_pair) {
  char name[64];
  std::snprintf(name, sizeof name, "%s %d E=%.0e", is_pair ? "pair" : "slab", side, youngs);
  Scene scene = slabs(side, youngs, is_pair);
  double free_cpu = 0;
  {
    Simulation simulation(scene);
    measure(simulation, 1);
    const Cost cost = measure(simulation, kAtRest);
    free_cpu = cost.cpu_ms;
    print(std::string(name) + " free", cost, free_cpu);
  }
  add_floor(scene);
  Simulation simulation(scene);
  measure(simulation, 1);
  print(std::string(name) + " lands", measure(simulation, kFrames), free_cpu);
  measure(simulation, kFrames);
  print(std::string(name) + " rests", measure(simulation, kAtRest), free_cpu);
}

struct Row {
  std::string name;
  std::function<void()> run;
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<Row> rows;
  const auto add = [&](const std::string& kind, int side, int exponent) {
    rows.push_back({kind + std::to_string(side) + "e" + std::to_string(exponent),
                    [=] { run(side, std::pow(10, exponent), kind == "pair"); }});
  };
  for (const int side : {12, 18, 26})
    for (const int exponent : {5, 6, 7, 8}) add("slab", side, exponent);
  for (const int side : {12, 26})
    for (const int exponent : {6, 8}) add("pair", side, exponent);
  for (const int side : {10, 71, 142}) add("slab", side, 6);
  for (const int side : {8, 50}) add("pair", side, 6);
  std::printf("%-26s %6s %9s %9s %6s %6s %6s %8s %8s %8s %7s %5s %8s\n", "per frame", "most", "ms",
              "cpu ms", "stages", "iter", "solves", "sol/stg", "newton", "products", "x free",
              "unsol", "MiB now");
  for (const Row& row : rows) {
    const bool is_wanted = argc == 1 || std::any_of(argv + 1, argv + argc, [&](const char* name) {
                             return row.name.find(name) == 0;
                           });
    if (is_wanted) row.run();
  }
}
