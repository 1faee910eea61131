#pragma once

#include <memory>

#include "solver/simulation/simulation.h"
#include "tests/support/bodies.h"
#include "tests/support/random_numbers.h"

namespace dashpot {

// Three bodies that between them use every material, drag, still and moving pins and strong
// deformation: whatever can go differently has a chance to.
inline Scene lively_scene(Integrator integrator, const Cells& cells) {
  RandomNumbers random(11);
  Scene scene;
  scene.settings.integrator = integrator;
  for (int b = 0; b < 3; ++b) {
    Body body = make_body(box_mesh(cells, {0.6, 0.5, 0.4}), {Material::kNeoHookean, 5e4, 0.3},
                          "body" + std::to_string(b));
    const int tets = body.mesh.tet_count(), points = body.mesh.point_count();
    std::vector<double> material(tets);
    for (int t = 0; t < tets; ++t) material[t] = t % 4;
    body.fields.set_per_element("material", material, body.name);
    body.fields.set("massdamping", b, body.name);
    body.position.colwise() += Vec3(b, 0, 0);
    body.position += 0.03 * random.points(points);
    body.velocity = 2 * random.points(points);
    scene.bodies.push_back(body);
  }
  const auto motion = std::make_shared<RigidMotion>();
  motion->velocity = {0.3, 0, 0};
  motion->angular_velocity = {0, 1, 2};
  scene.bodies[1].pins.push_back(pin_slab(scene.bodies[1].mesh, 0, -1, 1e-9));
  scene.bodies[2].pins.push_back(pin_slab(scene.bodies[2].mesh, 0, -1, 1e-9, motion));
  return scene;
}

}  // namespace dashpot
