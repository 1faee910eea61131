// A rubber beam, held at one end, swings under its own weight. Prints where its tip is, frame by
// frame. It is the beam of ../cantilever.toml, and moves by the same bits.
#include <dashpot/dashpot.h>
#include <cstdio>

int main() {
  dashpot::Body beam;
  beam.name = "beam";
  beam.mesh = dashpot::make_box({1.0, 0.2, 0.2}, {20, 4, 4});  // m, cells
  beam.position = beam.mesh.rest;
  beam.velocity = dashpot::Points::Zero(3, beam.mesh.point_count());
  beam.fields.set("youngsmodulus", 1e6, beam.name);  // Pa: soft rubber

  dashpot::Pin held;
  for (int i = 0; i < beam.mesh.point_count(); ++i)
    if (beam.mesh.rest(0, i) == -0.5) held.points.push_back(i);
  beam.pins.push_back(held);

  dashpot::Scene scene;
  scene.bodies.push_back(beam);
  dashpot::Simulation simulation(scene);
  for (int frame = 2; frame <= 25; ++frame) {
    simulation.advance(1.0 / 24);  // s
    const dashpot::Vec3 tip = simulation.state().x.rightCols<1>();
    std::printf("frame %d: tip at %.4f %.4f %.4f m\n", frame, tip.x(), tip.y(), tip.z());
  }
}
