// What contact adds to an iteration: a block of 12k tets on a floor, with 1 %, 10 % and 100 % of
// its surface points pressed on colliders, against the same block without colliders in the same
// run.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <vector>

#include "solver/contact/plane_shape.h"
#include "solver/simulation/simulation.h"
#include "standalone/bench/beam.h"
#include "standalone/formats/level_set_shapes.h"
#include "tests/support/bodies.h"

using namespace dashpot;

namespace {

constexpr int kIterations = 20, kFrames = 5;

struct Cost {
  double per_iteration = 0, contact = 0;  // ms
  int contacts = 0;
};

Cost run(const Scene& scene) {
  Simulation simulation(scene);
  Cost best;
  best.per_iteration = best.contact = 1e300;
  for (int f = 0; f < kFrames; ++f) {
    const FrameReport report = simulation.advance(1.0 / 24);
    // The first frames solve for the columns of new contacts.
    if (f < 2) continue;
    best.per_iteration =
        std::min(best.per_iteration,
                 (report.ms.local + report.ms.global + report.ms.contact) / report.iterations);
    best.contact = std::min(best.contact, report.ms.contact / report.iterations);
    best.contacts = report.contact.contacts;
  }
  return best;
}

Body block(const Vec3& size, const Cells& cells) {
  Body body = make_body(box_mesh(cells, size), {Material::kNeoHookean, 1e5, 0.3});
  body.position.colwise() -= 0.5 * size;
  return body;
}

SceneCollider plane(const Vec3& point, const Vec3& normal) {
  SceneCollider collider;
  collider.collider.name = "plane";
  collider.collider.shape = std::make_shared<PlaneShape>(point, normal);
  collider.collider.friction = 0.5;
  return collider;
}

void print(const char* what, const Cost& cost, const Cost& none) {
  std::printf("%-34s %5d contacts %8.3f ms per iteration, contact %7.3f ms (%5.1f %%)\n", what,
              cost.contacts, cost.per_iteration, cost.contact,
              100 * cost.contact / none.per_iteration);
  std::fflush(stdout);
}

}  // namespace

int main() {
  const Cells cells{10, 20, 10};  // 12000 tets
  const Vec3 size(0.5, 1, 0.5);
  SolverSettings settings;
  settings.iterations = kIterations;
  settings.tolerance = 0;
  Scene none = make_scene(block(size, cells), settings);
  const Cost bare = run(none);
  print("no colliders", bare, bare);

  Scene far = none;
  far.colliders.push_back(plane({0, -50, 0}, Vec3::UnitY()));
  print("a plane far below", run(far), bare);

  const double bottom = -0.5 * size.y();
  const auto on_box = [&](double side) {
    LevelSetShape box;
    box.type = "box";
    box.size = Vec3(side, 0.4, side);
    box.translation = Vec3(0, bottom - 0.2 + 1e-4, 0);
    box.voxel_size = 0.02;
    Scene scene = none;
    scene.colliders.push_back(plane(Vec3::Zero(), Vec3::UnitY()));
    scene.colliders[0].collider.shape = make_level_set_collider(box);
    return scene;
  };
  print("1 %: the middle on a level set", run(on_box(0.12)), bare);

  Scene face = none;
  face.colliders.push_back(plane({0, bottom + 1e-4, 0}, Vec3::UnitY()));
  print("10 %: the bottom on a plane", run(face), bare);

  print("10 %: the bottom on a level set", run(on_box(1)), bare);

  Scene all = none;  // a box of six planes, a little too small
  for (int d = 0; d < 3; ++d)
    for (const double side : {-1.0, 1.0}) {
      Vec3 normal = Vec3::Zero();
      normal[d] = -side;
      all.colliders.push_back(plane(-(0.5 * size[d] - 1e-3) * normal, normal));
    }
  print("100 %: all sides pressed", run(all), bare);
}
