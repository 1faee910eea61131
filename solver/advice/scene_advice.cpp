#include "solver/advice/scene_advice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "solver/advice/thin_part.h"
#include "solver/advice/vibration.h"
#include "solver/base/words.h"
#include "solver/integrator/stability.h"
#include "solver/parameters/parameters.h"

namespace dashpot {
namespace {

std::string body_words(const Body& body) {
  return "body '" + body.name + "'";
}

// What the integrator leaves of a vibration after a second of simulated time.
double kept_in_a_second(Integrator integrator, double frequency, double step) {
  return std::pow(amplitude_kept(integrator, frequency * step), 1 / step);
}

constexpr double kTooLittle = 0.5, kWellKept = 0.95;
constexpr int kMostSubsteps = 1000;

// The smallest that keeps nearly all of it; 0 if none does.
int sufficient_substeps(Integrator integrator, double frequency, double frame) {
  for (int n = 1; n <= kMostSubsteps; ++n)
    if (kept_in_a_second(integrator, frequency, frame / n) >= kWellKept) return n;
  return 0;
}

// Vibrations that are slower are kept well enough.
double slowest_lost_frequency(Integrator integrator, double step, double fastest) {
  double low = 0, high = fastest;
  if (kept_in_a_second(integrator, high, step) >= kTooLittle) return fastest;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (kept_in_a_second(integrator, middle, step) >= kTooLittle ? low : high) = middle;
  }
  return low;
}

std::string integrator_token(Integrator integrator) {
  return parameter("integrator").menu[static_cast<std::size_t>(integrator)].token;
}

// The change of settings that keeps the vibration.
std::string livelier_settings(const SolverSettings& settings, double frequency, double frame) {
  const double step = frame / settings.substeps;
  constexpr Integrator kLively = Integrator::kTrBdf2;
  if (settings.integrator != kLively && kept_in_a_second(kLively, frequency, step) >= kWellKept)
    return "integrator = \"" + integrator_token(kLively) + "\" leaves " +
           percent(kept_in_a_second(kLively, frequency, step));
  const bool is_poor =
      settings.integrator == Integrator::kBackwardEuler || settings.integrator == Integrator::kBdf2;
  const Integrator integrator = is_poor ? kLively : settings.integrator;
  const int substeps = sufficient_substeps(integrator, frequency, frame);
  if (substeps == 0) return "use a softer or larger body";
  return (is_poor ? "integrator = \"" + integrator_token(kLively) + "\" with " : "") +
         "substeps = " + std::to_string(substeps) + " leaves " +
         percent(kept_in_a_second(integrator, frequency, frame / substeps));
}

void advise_on_step(const Body& body, const Scene& scene, double frame,
                    std::vector<std::string>& advice) {
  const SolverSettings& settings = scene.settings;
  const double step = frame / settings.substeps;
  const double visible = 0.5 / frame;
  const double lost_from = slowest_lost_frequency(settings.integrator, step, visible);
  if (lost_from >= visible) return;
  const auto vibration = vibration_faster_than(lost_from, body, settings, !scene.colliders.empty());
  if (!vibration || vibration->frequency > visible) return;
  const double frequency = vibration->frequency;
  const double kept = kept_in_a_second(settings.integrator, frequency, step);
  if (std::exp(-vibration->decay_rate) < kept) return;  // its own damping takes more
  advice.push_back(body_words(body) + " swings at " + rounded(frequency) +
                   " Hz: " + rounded(1 / (frequency * step)) + " steps per period, of which " +
                   integrator_token(settings.integrator) + " leaves " + percent(kept) +
                   " after a second; " + livelier_settings(settings, frequency, frame) + ".");
}

// Points that start inside a collider, and how deep.
struct InsidePoints {
  int count = 0;
  double deepest = 0;  // m
};

InsidePoints points_inside(const Body& body, const std::vector<char>& pinned,
                           const SceneCollider& collider, double tolerance) {
  const RigidPose pose = pose_at(collider.motion, 0);
  std::vector<Vec3> points;
  for (Eigen::Index i = 0; i < body.position.cols(); ++i)
    if (!pinned[static_cast<std::size_t>(i)]) points.push_back(pose.to_own(body.position.col(i)));
  std::vector<double> clearance(points.size());
  const ColliderShape& shape = *collider.collider.shape;
  shape.distance_lower_bound(0, 0, points.data(), points.size(), clearance.data());
  std::vector<ContactPath> paths;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (clearance[i] <= 0) paths.push_back({points[i], points[i]});
  std::vector<ContactPlaneQuery> touches(paths.size());
  shape.touch(0, 0, paths.data(), paths.size(), touches.data());
  InsidePoints inside;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (!touches[i].near) continue;
    const double depth = touches[i].normal.dot(touches[i].point - paths[i].to);
    if (depth <= tolerance) continue;
    ++inside.count;
    inside.deepest = std::max(inside.deepest, depth);
  }
  return inside;
}

Vec3 extent(const Points& points) {
  return points.rowwise().maxCoeff() - points.rowwise().minCoeff();
}

std::vector<char> pinned_points(const Body& body) {
  std::vector<char> pinned(static_cast<std::size_t>(body.mesh.point_count()), 0);
  for (const Pin& pin : body.pins)
    for (const int p : pin.points) pinned[static_cast<std::size_t>(p)] = 1;
  return pinned;
}

void advise_on_start(const Body& body, const std::vector<SceneCollider>& colliders,
                     std::vector<std::string>& advice) {
  constexpr double kTouching = 1e-3;  // of the body's size
  if (colliders.empty()) return;
  const std::vector<char> pinned = pinned_points(body);
  for (const SceneCollider& collider : colliders) {
    // A level set is as exact as its voxels.
    const double tolerance = std::max(kTouching * extent(body.position).norm(),
                                      0.5 * collider.collider.shape->resolution());
    const InsidePoints inside = points_inside(body, pinned, collider, tolerance);
    if (inside.count == 0) continue;
    advice.push_back(counted(inside.count, "point") + " of " + body_words(body) +
                     (inside.count == 1 ? " starts" : " start") + " inside collider '" +
                     collider.collider.name + "', up to " + rounded(inside.deepest) +
                     " m deep, and will be thrown out; move the body or the collider apart by "
                     "that much.");
  }
}

double mean_value(const Body& body, const char* token) {
  const ElementFields::Column values = body.fields.column(token);
  double sum = 0;
  for (int t = 0; t < body.mesh.tet_count(); ++t) sum += values[t];
  return sum / body.mesh.tet_count();
}

// Of bending, too fast by, for cells across: measured, see docs/scene.md.
struct BendingError {
  int tets;
  const char* too_fast;
};
constexpr BendingError kBendingErrors[] = {{1, "70 %"}, {2, "30 %"}};

void advise_on_thickness(const Body& body, double frame, std::vector<std::string>& advice) {
  const auto part = find_thin_part(body.mesh);
  if (!part) return;
  // A beam held at one end, or free, by Euler and Bernoulli.
  const double speed =
      std::sqrt(mean_value(body, "youngsmodulus") / mean_value(body, "massdensity"));
  const double swings =
      (body.pins.empty() ? 1.03 : 0.16) * speed * part->thickness / (part->length * part->length);
  if (swings > 0.5 / frame) return;  // too stiff to be seen bending
  for (const BendingError& error : kBendingErrors)
    if (part->tets == error.tets)
      advice.push_back(body_words(body) + " is only " + counted(part->tets, "tet") +
                       " thick where it bends, and so swings about " + error.too_fast +
                       " too fast and sags too little; 4 across leave 9 %, so use smaller tets.");
}

// By how much of its height a column of it is squashed at its foot, in linear theory.
double squash_by_weight(const Body& body, const Vec3& gravity, double& height) {
  const Vec3 down = gravity.normalized();
  const Eigen::RowVectorXd along = down.transpose() * body.mesh.rest;
  height = along.maxCoeff() - along.minCoeff();
  return mean_value(body, "massdensity") * gravity.norm() * height /
         mean_value(body, "youngsmodulus");
}

void advise_on_units(const Body& body, const Vec3& gravity, double frame,
                     std::vector<std::string>& advice) {
  constexpr double kHuge = 20, kCrushed = 0.5;
  constexpr double kManySizes = 10;
  constexpr double kSmall = 0.01;  // m
  if (gravity.norm() == 0) return;
  double height = 0;
  const double squash = squash_by_weight(body, gravity, height);
  const double size = extent(body.mesh.rest).maxCoeff();
  if (height > kHuge && squash > kCrushed) {
    advice.push_back(
        body_words(body) + " is " + rounded(height) +
        " m high, and its own weight would squash it by " + percent(squash) +
        "; if it was made in centimetres, scale it by 0.01, else set youngsmodulus = " +
        rounded(10 * squash * mean_value(body, "youngsmodulus")) + " or more.");
  } else if (size < kSmall && gravity.norm() * frame * frame > kManySizes * size) {
    advice.push_back(body_words(body) + " is only " + rounded(1000 * size) +
                     " mm large, and falls " +
                     rounded(0.5 * gravity.norm() * frame * frame / size) +
                     " times its size in its first frame; lengths are metres: scale it up if it "
                     "was made in others.");
  }
}

void advise_on_volume(const Body& body, std::vector<std::string>& advice) {
  constexpr double kNearlyIncompressible = 0.4995;
  const ElementFields::Column ratio = body.fields.column("poissonratio");
  double largest = 0;
  for (int t = 0; t < body.mesh.tet_count(); ++t) largest = std::max(largest, ratio[t]);
  if (largest <= kNearlyIncompressible) return;
  advice.push_back(body_words(body) + ": poissonratio = " + exact(largest) +
                   " is so near 0.5 that the iterations do not solve it; 0.499 keeps the volume "
                   "to 0.2 % of the strain and is solved.");
}

}  // namespace

std::vector<std::string> scene_advice(const Scene& scene, double frame_seconds) {
  const double frame = frame_seconds * scene.settings.timescale;
  std::vector<std::string> advice;
  for (const Body& body : scene.bodies) {
    advise_on_units(body, scene.settings.gravity, frame, advice);
    advise_on_volume(body, advice);
    advise_on_step(body, scene, frame, advice);
    advise_on_thickness(body, frame, advice);
    advise_on_start(body, scene.colliders, advice);
  }
  return advice;
}

}  // namespace dashpot
