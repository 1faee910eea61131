#include "solver/playback/microsolver.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <sstream>
#include <utility>

#include "solver/advice/scene_advice.h"
#include "solver/base/error.h"
#include "solver/host/geometry_advice.h"
#include "solver/host/geometry_attributes.h"
#include "solver/host/geometry_body.h"
#include "solver/host/geometry_hash.h"
#include "solver/parameters/collider_coefficients.h"
#include "solver/parameters/parameters.h"
#include "solver/playback/current_shape.h"

namespace dashpot {
namespace {

constexpr std::size_t kMostPrepared = 8;

std::vector<std::int64_t> to_words(const State& state) {
  std::ostringstream out;
  state.save(out);
  const std::string bytes = out.str();
  std::vector<std::int64_t> words(1 + (bytes.size() + 7) / 8, 0);
  words[0] = static_cast<std::int64_t>(bytes.size());
  std::memcpy(words.data() + 1, bytes.data(), bytes.size());
  return words;
}

State from_words(const std::vector<std::int64_t>& words) {
  const std::size_t most = (words.size() - 1) * sizeof(std::int64_t);
  if (words[0] < 0 || static_cast<std::uint64_t>(words[0]) > most)
    throw InputError("The saved state is cut short; delete it and start again.");
  std::istringstream in(std::string(reinterpret_cast<const char*>(words.data() + 1),
                                    static_cast<std::size_t>(words[0])));
  return State::load(in);
}

std::uint64_t key_of(const Microstep& step, const std::vector<Collider>& colliders) {
  Hash hash;
  if (step.damping_ramp)
    for (const RampKey& key : step.damping_ramp->keys()) {
      hash.add_value(key.position);
      hash.add_value(key.value);
      hash.add_value(static_cast<int>(key.interpolation));
    }
  for (const Collider& collider : colliders) hash_coefficients(collider, hash);
  hash_body_contact(step.contact, hash);
  hash_body(step.geometry, hash);
  for (const Parameter& p : parameters()) {
    if (p.scope == ParameterScope::kPrim) hash.add_value(step.fields.get(p.token, 0));
    if (p.scope == ParameterScope::kSolver && !p.varies)
      hash_value(p, p.setting.get(step.settings), hash);
  }
  hash.add_value(static_cast<int>(step.pin_all));
  return hash.value();
}

// Hosts store positions in single precision. A value that is what storage made of ours is ours.
bool differs(const Vec3& stored, const Vec3& own) {
  return stored != own && stored != own.cast<float>().cast<double>();
}

// Takes over what others did to the points since the last step.
void adopt_edits(const Points& stored_x, const Points& stored_v, State& state) {
  for (Eigen::Index i = 0; i < state.x.cols(); ++i) {
    if (differs(stored_x.col(i), state.x.col(i))) {
      state.x.col(i) = stored_x.col(i);
      state.previous_dt = 0;  // the step before is no guide any more
    }
    if (differs(stored_v.col(i), state.v.col(i))) state.v.col(i) = stored_v.col(i);
  }
}

}  // namespace

struct Microsolver::Prepared {
  std::uint64_t key = 0;
  Body body;
  BodyPoints points;
  std::shared_ptr<SampledMotion> motion;  // of the pins
  std::vector<std::shared_ptr<CurrentShape>> shapes;
  std::vector<std::string> advice;
  std::unique_ptr<Simulation> simulation;
};

std::shared_ptr<Microsolver::Prepared> Microsolver::prepare(const Microstep& step,
                                                            const std::vector<Collider>& colliders,
                                                            std::uint64_t key,
                                                            const Prepared* former) {
  auto made = std::make_shared<Prepared>();
  made->key = key;
  made->body = read_geometry_body(step.geometry, "geometry", step.fields, step.contact,
                                  step.pin_all, made->points);
  made->motion = std::make_shared<SampledMotion>();
  if (!made->body.pins.empty()) {
    made->motion->times = {0.0};
    made->motion->positions = {columns(made->body.position, made->body.pins[0].points)};
    made->body.pins[0].motion = made->motion;
  }
  made->body.damping_ramp = step.damping_ramp;
  Scene scene;
  scene.settings = step.settings;
  scene.bodies = {made->body};
  for (const Collider& collider : colliders) {
    made->shapes.push_back(std::make_shared<CurrentShape>(collider.shape));
    scene.colliders.push_back({collider, {}});
    scene.colliders.back().collider.shape = made->shapes.back();
  }
  made->advice = geometry_advice(step.geometry, made->points, made->body.mesh);
  for (std::string& sentence : scene_advice(scene, step.dt))
    made->advice.push_back(std::move(sentence));
  made->simulation = std::make_unique<Simulation>(
      std::move(scene), former ? former->simulation->prepared_matrix() : matrix_like(made->body));
  return made;
}

std::shared_ptr<const PreparedMatrices> Microsolver::matrix_like(const Body& body) {
  const auto same_points = [](const Pin& a, const Pin& b) { return a.points == b.points; };
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& prepared : prepared_) {
    const Body& other = prepared->body;
    if (other.mesh.tets == body.mesh.tets &&
        std::equal(other.pins.begin(), other.pins.end(), body.pins.begin(), body.pins.end(),
                   same_points))
      return prepared->simulation->prepared_matrix();
  }
  return nullptr;
}

std::shared_ptr<Microsolver::Prepared> Microsolver::take(std::uint64_t key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto it = prepared_.begin(); it != prepared_.end(); ++it) {
    if ((*it)->key != key) continue;
    std::shared_ptr<Prepared> taken = std::move(*it);
    prepared_.erase(it);
    return taken;
  }
  return nullptr;
}

void Microsolver::give_back(std::shared_ptr<Prepared> prepared) {
  const std::lock_guard<std::mutex> lock(mutex_);
  prepared_.push_front(std::move(prepared));
  if (prepared_.size() > kMostPrepared) prepared_.pop_back();
}

namespace {

Points mesh_vectors(const GeometryView& geometry, const std::string& name,
                    const std::vector<int>& mesh_points) {
  const auto all = vector_attribute(geometry, name);
  return all ? columns(*all, mesh_points)
             : Points::Zero(3, static_cast<Eigen::Index>(mesh_points.size()));
}

// From where the pinned points are to their targets at the end of the step, if there are any.
void aim_pins(const Microstep& step, const std::vector<int>& mesh_points, const Pin& pin,
              const State& state, SampledMotion& motion) {
  const Points now = columns(state.x, pin.points);
  Points then = now;
  if (const auto targets = vector_attribute(step.geometry, "targetP"))
    then = columns(columns(*targets, mesh_points), pin.points);
  motion.times = {state.time, state.time + step.dt * step.settings.timescale};
  motion.positions = {now, then};
}

}  // namespace

MicrostepResult Microsolver::step(const Microstep& step, const CancelFunction& cancelled) {
  std::optional<State> state_before;
  if (!step.state.empty()) state_before = from_words(step.state);
  const double begin = state_before ? state_before->time : 0.0;
  const std::vector<Collider> colliders =
      step.colliders ? step.colliders(begin, begin + step.dt * step.settings.timescale)
                     : std::vector<Collider>();
  const std::uint64_t key = key_of(step, colliders);
  std::shared_ptr<Prepared> prepared = take(key);
  SetupWork before;
  // The first state of one that was used before is that of other positions.
  if (!prepared || !state_before)
    prepared = prepare(step, colliders, key, prepared.get());
  else
    before = prepared->simulation->setup_work();
  for (std::size_t i = 0; i < colliders.size(); ++i) prepared->shapes[i]->set(colliders[i].shape);
  Simulation& simulation = *prepared->simulation;
  const std::vector<int>& mesh_points = prepared->points.mesh_points;
  if (state_before) {
    State state = std::move(*state_before);
    if (state.x.cols() == static_cast<Eigen::Index>(mesh_points.size()))
      adopt_edits(mesh_vectors(step.geometry, "P", mesh_points),
                  mesh_vectors(step.geometry, "v", mesh_points), state);
    simulation.restore(std::move(state));
  }
  if (!prepared->body.pins.empty())
    aim_pins(step, mesh_points, prepared->body.pins[0], simulation.state(), *prepared->motion);
  simulation.set_gravity(step.settings.gravity);
  const bool forced = step.geometry.find(AttributeOwner::kPoint, "force") != nullptr;
  simulation.set_external_force(forced ? mesh_vectors(step.geometry, "force", mesh_points)
                                       : Points(3, 0));

  MicrostepResult result;
  result.report = simulation.advance(step.dt, cancelled);
  if (result.report.has(Status::kCancelled)) {
    give_back(std::move(prepared));
    result = MicrostepResult();
    result.cancelled = true;
    return result;
  }
  const State& state = simulation.state();
  prepared->points.loose_positions =
      columns(*vector_attribute(step.geometry, "P"), prepared->points.loose_points);
  result.x = geometry_positions(prepared->points, prepared->body.mesh, state.x);
  result.v = geometry_velocities(prepared->points, prepared->body.mesh, state.v);
  result.state = to_words(state);
  result.diagnostics = simulation.evaluate(step.diagnostics);
  if (step.contacts) result.contacts = point_contacts(result.report.contact, prepared->points, 0);
  result.tet_primitives = prepared->points.tet_primitives;
  result.advice = prepared->advice;
  const SetupWork after = simulation.setup_work();
  result.setup = {after.orderings - before.orderings, after.factorizations - before.factorizations};
  result.rest = *vector_attribute(step.geometry, rest_attribute(step.geometry));
  give_back(std::move(prepared));
  return result;
}

}  // namespace dashpot
