// The pieces of docs/embedding.md, compiled against an installed Dashpot and run. What the page
// shows stands here line by line; consumer_test.py compares.
#include <dashpot/dashpot.h>
#include <tbb/task_arena.h>

#include <Eigen/Geometry>
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#if defined(__AVX__)
#error "This file is to be compiled without AVX, unlike the library."
#endif

using namespace dashpot;

namespace {

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::exit(1);
}

Body body_at_rest(TetMesh mesh, const std::string& name) {
  Body body;
  body.name = name;
  body.position = mesh.rest;
  body.velocity = Points::Zero(3, mesh.point_count());
  body.mesh = std::move(mesh);
  return body;
}

Scene scene_of(Body body) {
  Scene scene;
  scene.bodies.push_back(std::move(body));
  return scene;
}

Body jelly() {
  return body_at_rest(make_box({0.4, 0.4, 0.4}, {2, 2, 2}), "jelly");
}

std::vector<int> left_points(const TetMesh& mesh) {
  std::vector<int> left;
  const double end = mesh.rest.row(0).minCoeff();
  for (int i = 0; i < mesh.point_count(); ++i)
    if (mesh.rest(0, i) == end) left.push_back(i);
  return left;
}

void own_mesh() {
  Points rest(3, 5);      // one column per point, m
  rest << 0, 1, 0, 0, 1,  //
      0, 0, 1, 0, 1,      //
      0, 0, 0, 1, 1;
  const std::vector<Tet> tets = {{0, 1, 2, 3}, {1, 2, 3, 4}};
  Body body = body_at_rest(make_tet_mesh(rest, tets, "two tets"), "two tets");
  Simulation simulation(scene_of(std::move(body)));
  simulation.advance(0.1);
  expect(simulation.state().x(1, 4) < 1, "two tets fall");
}

void fields() {
  Body body = jelly();
  body.fields.set("poissonratio", 0.45, body.name);
  body.fields.set("material", static_cast<int>(Material::kCorotated), body.name);
  std::vector<double> stiffness(body.mesh.tet_count(), 1e4);  // Pa
  for (int t = 0; t < body.mesh.tet_count(); ++t)
    if (body.mesh.rest(0, body.mesh.tets[t][0]) < 0) stiffness[t] = 1e6;
  body.fields.set_per_element("youngsmodulus", stiffness, body.name);
  expect(body.fields.get("youngsmodulus", 0) == 1e6, "the left half is stiff");
}

void damping() {
  Body body = jelly();
  apply_preset(find_preset("jelly", "my program"), body);

  body.fields.set("dampingmodel", static_cast<int>(DampingModel::kRayleigh), body.name);
  body.fields.set("dampingtime", 0.02, body.name);  // s
  body.fields.set("dampingrampmode", static_cast<int>(RampMode::kMax), body.name);
  const std::vector<RampKey> keys = {{0.0, 0.0}, {0.2, 1.0}};  // strain, factor
  body.damping_ramp = std::make_shared<Ramp>(keys, body.name);
  body.velocity.row(0) = 4 * body.mesh.rest.row(0);  // 1/s: it is torn apart
  Simulation simulation(scene_of(std::move(body)));
  expect(simulation.advance(1.0 / 24).energy.dissipated > 0, "damping dissipates");
}

// Also on the command line (consumer_test.py): both must give the same bits.
std::uint64_t moving_pins() {
  Body body = body_at_rest(make_box({1.0, 0.2, 0.2}, {10, 2, 2}), "beam");
  const std::vector<int> left = left_points(body.mesh);
  const auto turn = std::make_shared<RigidMotion>();
  turn->angular_velocity = {1.3, 0.2, 0.1};  // rad/s, about turn->pivot
  turn->end = 2.0;                           // s; then it holds still
  body.pins.push_back({left, turn});

  const Vec3 before = body.mesh.rest.col(left[0]);
  Simulation simulation(scene_of(std::move(body)));
  for (int frame = 2; frame <= 5; ++frame) simulation.advance(1.0 / 24);
  // Compiled here, and in the library: the two must not be mixed up.
  const Vec3 angle = simulation.state().time * turn->angular_velocity;
  const Mat3 rotation = Eigen::AngleAxisd(angle.norm(), angle.normalized()).toRotationMatrix();
  const Vec3 after = simulation.state().x.col(left[0]);
  expect((after - rotation * before).norm() < 1e-12, "pinned points turn");
  return simulation.state().hash();
}

void sampled_pins() {
  Body body = jelly();
  const std::vector<int> left = left_points(body.mesh);
  Points start(3, left.size());
  for (std::size_t i = 0; i < left.size(); ++i) start.col(i) = body.mesh.rest.col(left[i]);
  Points end = start;
  end.row(1).array() += 0.1;  // m
  const auto lift = std::make_shared<SampledMotion>();
  lift->times = {0.0, 0.5};  // s
  lift->positions = {start, end};
  body.pins.push_back({left, lift});
  Simulation simulation(scene_of(std::move(body)));
  simulation.advance(0.5);
  expect((simulation.state().x.col(left[0]) - end.col(0)).norm() < 1e-12, "samples are met");
}

void colliders() {
  Scene scene = scene_of(jelly());
  SceneCollider floor;
  floor.collider.name = "floor";
  floor.collider.shape = std::make_shared<PlaneShape>(Vec3(0, -0.21, 0), Vec3(0, 1, 0));
  floor.collider.friction = 0.5;
  scene.colliders.push_back(floor);
  Simulation simulation(std::move(scene));
  FrameReport report;
  for (int frame = 0; frame < 6; ++frame) report = simulation.advance(1.0 / 24);
  expect(report.contact.contacts > 0, "the jelly lies on the floor");
  expect(simulation.state().x.row(1).minCoeff() > -0.2101, "and not in it");
}

void settings_and_loads() {
  Scene scene = scene_of(jelly());
  scene.settings.integrator = Integrator::kBackwardEuler;
  scene.settings.substeps = 2;
  scene.settings.tolerance = 1e-6;
  Simulation simulation(std::move(scene));
  simulation.set_gravity({0, 0, -1.62});  // m/s^2: on the moon
  Points wind = Points::Zero(3, simulation.state().x.cols());
  wind.row(0).setConstant(2.0);  // N on each point
  simulation.set_external_force(wind);
  const FrameReport report = simulation.advance(0.1);
  expect(report.all.linear_momentum.x() > 0, "the wind blows");
  expect(report.all.linear_momentum.z() < 0, "and it falls");
}

void reports() {
  Simulation simulation(scene_of(jelly()));
  const FrameReport report = simulation.advance(1.0 / 24);
  std::printf("%.3f J kinetic, %d iterations\n", report.energy.kinetic, report.iterations);
  for (const Status trouble : kComplaints)
    if (report.has(trouble))
      std::puts(remedy(trouble, report, simulation.scene().settings).c_str());

  const auto stress = simulation.evaluate({&find_element_diagnostic("stress")})[0];  // Pa, per tet
  expect(stress.size() == 6 * 8, "a stress for each tet");
  expect(!report.has(Status::kInvertedElements), "nothing wrong with a fall");
}

void skin() {
  const TetMesh mesh = make_sphere(0.5, 4);
  const Points vertices = 0.9 * mesh.rest;
  const Embedding embedding = embed(mesh, vertices);
  Simulation simulation(scene_of(body_at_rest(mesh, "ball")));
  simulation.advance(0.1);
  for (int i = 0; i < embedding.count(); ++i) {
    const Vec3 vertex = follow(embedding, mesh, simulation.state().x, i);
    expect(vertex.y() < vertices(1, i), "the skin falls with the body");
  }
}

void cancelling() {
  Scene scene = scene_of(jelly());
  scene.settings.substeps = 8;
  Simulation simulation(scene);
  std::atomic<bool> stop{false};  // set by another thread

  stop = true;
  const FrameReport report = simulation.advance(1.0 / 24, [&] { return stop.load(); });
  if (report.has(Status::kCancelled)) std::puts("stopped after a whole substep");
  expect(report.has(Status::kCancelled), "it was cancelled");
  expect(simulation.state().steps < 8, "before the end");
}

void saving() {
  const Scene scene = scene_of(jelly());
  Simulation simulation(scene);
  simulation.advance(1.0 / 24);
  std::stringstream file;
  simulation.state().save(file);

  Simulation resumed(scene);
  resumed.restore(State::load(file));
  resumed.advance(1.0 / 24);
  simulation.advance(1.0 / 24);
  expect(resumed.state().hash() == simulation.state().hash(), "it goes on by the same bits");
  // A state that was allocated here is handed over, copied back and freed here.
  State mine = simulation.state();
  mine.v.setZero();
  resumed.restore(mine);
  mine = resumed.state();
  expect(mine.v.isZero() && mine.x == simulation.state().x, "states pass in both directions");
}

void threads() {
  Simulation simulation(scene_of(jelly())), alone(scene_of(jelly()));
  simulation.advance(1.0 / 24);
  tbb::task_arena one_thread(1);
  one_thread.execute([&] { alone.advance(1.0 / 24); });
  expect(alone.state().hash() == simulation.state().hash(), "threads do not change a bit");

  std::thread beside([&] { alone.advance(1.0 / 24); });
  simulation.advance(1.0 / 24);
  beside.join();
  expect(alone.state().hash() == simulation.state().hash(), "two simulations run side by side");
}

void errors() {
  Body body = jelly();
  std::string said;
  try {
    body.fields.set("poissonratio", 0.7, body.name);
    Simulation simulation(scene_of(body));
    simulation.advance(1.0 / 24);
  } catch (const InputError& error) {  // what was given is wrong
    said = error.what();
  } catch (const SimulationError& error) {  // a step did not stay finite; the state is as before
    said = error.what();
  }
  expect(said.find("poissonratio = 0.7") != said.npos, "a ratio of 0.7 is refused");
}

}  // namespace

int main() {
  own_mesh();
  fields();
  damping();
  const std::uint64_t hash = moving_pins();
  sampled_pins();
  colliders();
  settings_and_loads();
  reports();
  skin();
  cancelling();
  saving();
  threads();
  errors();
  std::printf("hash %016" PRIx64 "\n", hash);
}
