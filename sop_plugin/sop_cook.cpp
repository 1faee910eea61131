#include "sop_plugin/sop_cook.h"

#include <CH/CH_Manager.h>
#include <OP/OP_Context.h>
#include <OP/OP_DataMicroNode.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/advice/scene_advice.h"
#include "solver/base/error.h"
#include "solver/host/geometry_advice.h"
#include "solver/host/geometry_attributes.h"
#include "solver/host/geometry_body.h"
#include "solver/host/geometry_hash.h"
#include "solver/parameters/collider_coefficients.h"
#include "sop_plugin/detail_view.h"

namespace dashpot {
namespace {

constexpr int kTets = 0, kTargets = 1, kColliders = 2;  // inputs

// Puts a sample in, or in the place of one at the same time.
void set_sample(SampledMotion& motion, double time, Points positions) {
  const auto place = std::lower_bound(motion.times.begin(), motion.times.end(), time);
  const auto index = place - motion.times.begin();
  if (place != motion.times.end() && *place == time) {
    motion.positions[static_cast<std::size_t>(index)] = std::move(positions);
    return;
  }
  motion.times.insert(place, time);
  motion.positions.insert(motion.positions.begin() + index, std::move(positions));
}

}  // namespace

SOP_DashpotSolver::Cook::Cook(SOP_DashpotSolver& node, const OP_Context& context, NodeValues values,
                              const PlaybackSettings& settings)
    : node_(node),
      context_(context),
      values_(std::move(values)),
      settings_(settings),
      boss_("Simulating soft bodies") {
  node_.start_.renew(reading(kTets));
  node_.targets_.renew(reading(kTargets));
  node_.colliders_.renew(reading(kColliders));
}

// Of all that decides about what is read from an input.
std::uint64_t SOP_DashpotSolver::Cook::reading(int input) {
  Hash hash;
  hash.add_value(version(input));
  hash.add_value(settings_.start_frame);
  hash.add_value(settings_.fps);
  hash_coefficients(values_.collider, hash);
  return hash.value();
}

bool SOP_DashpotSolver::Cook::is_connected(int input) const {
  return node_.getInput(static_cast<unsigned>(input)) != nullptr;
}

// Houdini counts how often a node's data became dirty, by edits and not by time. What depends on
// context options may change without one.
std::uint64_t SOP_DashpotSolver::Cook::version(int input) {
  OP_Node* source = node_.getInput(static_cast<unsigned>(input));
  if (!source) return 0;
  const OP_DataMicroNode& data = source->dataMicroNode();
  Hash hash;
  hash.add_value(source->getUniqueId());
  hash.add_value(data.modVersion());
  if (data.hasContextOptionDeps()) hash.add_value(node_.cooks_);
  return hash.value();
}

bool SOP_DashpotSolver::Cook::is_still(int input) {
  OP_Node* source = node_.getInput(static_cast<unsigned>(input));
  return source && !source->flags().getTimeDep();
}

// A copy, so that everything else that the context carries goes on to the inputs.
OP_Context SOP_DashpotSolver::Cook::context_at(int frame) const {
  OP_Context context(context_);
  context.setTime(CHgetTimeFromFrame(frame));
  return context;
}

const GU_Detail& SOP_DashpotSolver::Cook::locked_geometry(OP_AutoLockInputs& lock, int input,
                                                          OP_Context& context) {
  const bool locked = lock.lockInput(input, context) < UT_ERROR_ABORT;
  if (boss_.wasInterrupted()) throw Interrupted();
  const GU_Detail* geometry = locked ? node_.inputGeo(input) : nullptr;
  if (!geometry)
    throw InputError("input " + std::to_string(input + 1) + " has no geometry at frame " +
                     std::to_string(std::lround(context.getFloatFrame())) +
                     (input == kTets ? "; connect tets." : "."));
  return *geometry;
}

const GU_Detail& SOP_DashpotSolver::Cook::start_geometry() {
  if (!node_.start_.known) {
    OP_Context context = context_at(settings_.start_frame);
    OP_AutoLockInputs lock(&node_);
    node_.start_.geometry.replaceWith(locked_geometry(lock, kTets, context));
    node_.start_.known = true;
  }
  return node_.start_.geometry;
}

void SOP_DashpotSolver::Cook::pass_through() {
  OP_Context context(context_);
  OP_AutoLockInputs lock(&node_);
  node_.gdp->replaceWith(locked_geometry(lock, kTets, context));
}

std::uint64_t SOP_DashpotSolver::Cook::identity() {
  const DetailView view(start_geometry(), "input 1");
  read_node_ramp(node_.ramp_evaluator(CHgetTimeFromFrame(settings_.start_frame)), view, values_);
  const std::vector<GA_DataId> ids = view.data_ids();
  if (ids.empty() || ids != node_.hashed_ids_) {
    Hash hash;
    hash_body(view, hash);
    for (const char* name : {"P", "v", "targetP"}) hash_vectors(view, name, hash);
    node_.hashed_ = hash.value();
    node_.hashed_ids_ = ids;
  }
  Hash hash;
  hash.add_value(node_.hashed_);
  hash.add_value(values_.hash);
  hash.add_value(static_cast<int>(is_connected(kTargets)));
  hash.add_value(static_cast<int>(is_connected(kColliders)));
  return hash.value();
}

double SOP_DashpotSolver::Cook::time_of(int frame) const {
  return (frame - settings_.start_frame) / settings_.fps * values_.settings.timescale;
}

Scene SOP_DashpotSolver::Cook::scene() {
  auto setup = std::make_unique<Setup>();
  setup->geometry.replaceWith(start_geometry());
  const DetailView view(start_geometry(), "input 1");
  Body body = read_geometry_body(view, "input 1", values_.fields, values_.contact, values_.pin_all,
                                 setup->points);
  setup->mesh = body.mesh;
  for (Pin& pin : body.pins) {
    for (const int point : pin.points)
      setup->pinned.push_back(setup->points.mesh_points[static_cast<std::size_t>(point)]);
    const auto attribute = vector_attribute(view, "targetP");
    if (!is_connected(kTargets) && !attribute) continue;
    setup->motion = std::make_shared<SampledMotion>();
    if (is_connected(kTargets)) {
      for (const int frame : {settings_.start_frame, settings_.start_frame + 1})
        set_sample(*setup->motion, time_of(frame), columns(targets_at(frame), setup->pinned));
      const int jumps = first_to_jump(body, pin, setup->motion->positions.front());
      if (jumps >= 0)
        throw InputError(
            "input 2: it does not start where the body is: point " +
            std::to_string(setup->points.mesh_points[static_cast<std::size_t>(jumps)]) +
            " would have to jump to its target at the start frame.");
    } else {
      set_sample(*setup->motion, 0, columns(body.position, pin.points));
      set_sample(*setup->motion, time_of(settings_.start_frame + 1),
                 columns(*attribute, setup->pinned));
    }
    pin.motion = setup->motion;
  }
  body.damping_ramp = values_.damping_ramp;
  Scene scene;
  scene.settings = values_.settings;
  scene.bodies.push_back(std::move(body));
  if (is_connected(kColliders)) {
    const KeptColliders& start = colliders_at(settings_.start_frame);
    const ColliderMoment moment{0, start.grids};
    for (const Collider& collider : make_colliders(moment, moment)) {
      setup->shapes.push_back(std::make_shared<CurrentShape>(collider.shape));
      scene.colliders.push_back({collider, {}});
      scene.colliders.back().collider.shape = setup->shapes.back();
    }
    setup->shapes_hash = start.hash;
  }
  setup->advice = geometry_advice(view, setup->points, setup->mesh);
  for (std::string& sentence : scene_advice(scene, 1 / settings_.fps))
    setup->advice.push_back(std::move(sentence));
  node_.setup_ = std::move(setup);
  return scene;
}

std::vector<int> SOP_DashpotSolver::Cook::animated_inputs() {
  std::vector<int> inputs;
  if (is_connected(kTargets) && node_.setup_ && !node_.setup_->pinned.empty())
    inputs.push_back(kTargets);
  if (is_connected(kColliders)) inputs.push_back(kColliders);
  return inputs;
}

const Points& SOP_DashpotSolver::Cook::targets_at(int frame) {
  if (const Points* known = node_.targets_.find(frame, is_still(kTargets))) return *known;
  OP_Context context = context_at(frame);
  OP_AutoLockInputs lock(&node_);
  const DetailView view(locked_geometry(lock, kTargets, context),
                        "input 2, frame " + std::to_string(frame));
  const DetailView body(start_geometry(), "input 1");
  return node_.targets_.keep(frame, target_positions(view, body));
}

const SOP_DashpotSolver::KeptColliders& SOP_DashpotSolver::Cook::colliders_at(int frame) {
  if (const KeptColliders* known = node_.colliders_.find(frame, is_still(kColliders)))
    return *known;
  OP_Context context = context_at(frame);
  OP_AutoLockInputs lock(&node_);
  const GU_Detail& detail = locked_geometry(lock, kColliders, context);
  KeptColliders colliders;
  colliders.grids =
      read_colliders(detail, "input 3, frame " + std::to_string(frame), values_.collider);
  // Values are hashed anew only where Houdini says that something changed.
  const std::vector<GA_DataId> ids = DetailView(detail, "input 3").collider_ids();
  if (ids.empty() || ids != node_.collider_ids_) {
    node_.collider_hash_ = collider_hash(*colliders.grids);
    node_.collider_ids_ = ids;
  }
  colliders.hash = node_.collider_hash_;
  return node_.colliders_.keep(frame, std::move(colliders));
}

std::uint64_t SOP_DashpotSolver::Cook::input_at(int input, int frame) {
  if (input == kColliders) return colliders_at(frame).hash;
  const Points targets = columns(targets_at(frame), node_.setup_->pinned);
  Hash hash;
  hash.add(targets.data(), static_cast<std::size_t>(targets.size()) * sizeof(double));
  return hash.value();
}

void SOP_DashpotSolver::Cook::use_inputs_at(int frame) {
  if (is_connected(kTargets) && node_.setup_->motion)
    set_sample(*node_.setup_->motion, time_of(frame),
               columns(targets_at(frame), node_.setup_->pinned));
  if (is_connected(kColliders)) use_colliders_at(frame);
}

// The step to a frame sees the colliders of the frame before it and of its own, blended.
void SOP_DashpotSolver::Cook::use_colliders_at(int frame) {
  const KeptColliders before = colliders_at(frame - 1);
  const KeptColliders& now = colliders_at(frame);
  Setup& setup = *node_.setup_;
  const bool still = before.hash == now.hash;
  if (still && setup.shapes_hash == now.hash) return;
  const auto made = make_colliders({time_of(frame - 1), before.grids}, {time_of(frame), now.grids});
  if (made.size() != setup.shapes.size())
    throw InputError(
        "input 3 has not as many level sets as at the start frame; keep their number.");
  for (std::size_t i = 0; i < made.size(); ++i) setup.shapes[i]->set(made[i].shape);
  setup.shapes_hash = still ? now.hash : 0;
}

bool SOP_DashpotSolver::Cook::interrupted(double done) {
  return boss_.wasInterrupted(static_cast<int>(100 * done));
}

}  // namespace dashpot
