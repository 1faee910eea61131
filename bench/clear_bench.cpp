// What contact costs where nothing touches: bodies that fly, swing, or stand beside each other,
// with contact between bodies and with themselves, against the same bodies without in the same run.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include "solver/simulation/simulation.h"
#include "tests/support/bodies.h"

using namespace dashpot;

namespace {

constexpr int kRounds = 3, kFrames = 12;

double seconds_of(Scene scene, bool contact) {
  scene.settings.body_contact = contact;
  for (Body& body : scene.bodies) body.contact.self_contact = contact;
  Simulation simulation(scene);
  simulation.advance(1.0 / 24);  // sets up what is needed once
  const auto begin = std::chrono::steady_clock::now();
  for (int f = 0; f < kFrames; ++f) simulation.advance(1.0 / 24);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void compare(const char* what, const Scene& scene) {
  double with = 1e300, without = 1e300;
  for (int round = 0; round < kRounds; ++round) {
    with = std::min(with, seconds_of(scene, true));
    without = std::min(without, seconds_of(scene, false));
  }
  std::printf("%-28s %8.2f ms per frame, without contact %8.2f ms: %+.1f %%\n", what,
              1e3 * with / kFrames, 1e3 * without / kFrames, 100 * (with / without - 1));
  std::fflush(stdout);
}

Body beam(double youngs) {
  return make_body(box_mesh({20, 4, 4}, {1, 0.2, 0.2}), {Material::kNeoHookean, youngs, 0.4});
}

}  // namespace

int main() {
  SolverSettings settings;
  Body thrown = beam(1e6);
  for (int p = 0; p < thrown.mesh.point_count(); ++p)
    thrown.velocity.col(p) = Vec3(3, 2, 0) + 4 * Vec3::UnitZ().cross(Vec3(thrown.position.col(p)));
  compare("a beam that flies and spins", make_scene(thrown, settings));

  Body hung = beam(3e5);
  Pin pin;
  for (int p = 0; p < hung.mesh.point_count(); ++p)
    if (hung.mesh.rest(0, p) < 1e-9) pin.points.push_back(p);
  hung.pins.push_back(pin);
  compare("a beam that hangs and bends", make_scene(hung, settings));

  Scene several = make_scene(beam(1e6), settings);
  for (int k = 1; k < 6; ++k) {
    Body other = beam(1e6);
    other.name = "beam" + std::to_string(k);
    other.position.colwise() += Vec3(0, 0.35 * k, 0);
    several.bodies.push_back(other);
  }
  compare("six beams side by side", several);
}
