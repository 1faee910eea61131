#include "standalone/cli/run_pictures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "solver/base/error.h"
#include "standalone/render/annotate.h"
#include "standalone/render/camera_fit.h"
#include "standalone/render/montage.h"
#include "standalone/render/palette.h"
#include "standalone/render/renderer.h"
#include "standalone/runs/collider_bounds.h"
#include "standalone/runs/run_contacts.h"
#include "standalone/runs/sane_bounds.h"

namespace dashpot {
namespace {

using Extent = Eigen::AlignedBox3d;

// So many frames, spread evenly, tell how large a run's values get.
constexpr std::size_t kSurveyed = 32;

Vec3 read_view(const std::string& text) {
  if (text.empty()) return three_quarter_view();
  Vec3 direction;
  int end = 0;
  if (std::sscanf(text.c_str(), "%lf,%lf,%lf%n", &direction.x(), &direction.y(), &direction.z(),
                  &end) != 3 ||
      static_cast<std::size_t>(end) != text.size() || !direction.allFinite() ||
      direction.norm() == 0)
    throw InputError("--view " + text + " is not a direction; write it as -0.5,-0.4,-0.8.");
  return direction.normalized();
}

Camera read_camera(const std::string& text) {
  Camera camera;
  int end = 0, whole = 0;
  const int count =
      std::sscanf(text.c_str(), "%lf,%lf,%lf:%lf,%lf,%lf%n:%lf%n", &camera.eye.x(), &camera.eye.y(),
                  &camera.eye.z(), &camera.target.x(), &camera.target.y(), &camera.target.z(), &end,
                  &camera.fov_degrees, &whole);
  const auto read = static_cast<std::size_t>(count == 7 ? whole : end);
  if (count < 6 || read != text.size() || !camera.eye.allFinite() || !camera.target.allFinite())
    throw InputError("--camera " + text +
                     " is not a camera; write it as eye:target or eye:target:degrees, as in "
                     "2,1,3:0,0.5,0:30.");
  const Vec3 view = camera.target - camera.eye;
  if (view.cross(camera.up).norm() < 1e-6 * view.norm()) camera.up = -Vec3::UnitZ();
  return camera;
}

// Perpendicular to gravity, a hair below the lowest point of the sequence.
Ground ground_below(const std::vector<Extent>& boxes, const Vec3& up) {
  double lowest = std::numeric_limits<double>::infinity();
  double size = 0;
  for (const Extent& box : boxes) {
    size = std::max(size, box.diagonal().norm());
    for (int corner = 0; corner < 8; ++corner)
      lowest = std::min(lowest, up.dot(box.corner(static_cast<Extent::CornerType>(corner))));
  }
  return {up * (lowest - 1e-3 * size), up};
}

Extent box_around(const Points& points) {
  Extent box;
  if (points.cols() > 0)
    box = Extent(Vec3(points.rowwise().minCoeff()), Vec3(points.rowwise().maxCoeff()));
  return box;
}

// 0 for the darkest colour, 1 for the brightest.
float place_in(const ColourRange& range, float value) {
  const double width = range.high - range.low;
  return width > 0 ? static_cast<float>((double{value} - range.low) / width) : 0.0F;
}

void add_collider(const RunCollider& collider, double time, Picture& picture) {
  const RigidPose pose = collider.pose(time);
  if (collider.is_plane()) {
    picture.planes.push_back(
        {pose.to_world(collider.plane_point()), pose.rotation * collider.plane_normal()});
    return;
  }
  SurfaceMesh mesh = collider.mesh(collider.shape_at(time));
  Surface surface;
  surface.points = (pose.rotation * mesh.points).colwise() + pose.translation;
  surface.triangles = std::move(mesh.triangles);
  surface.colour = collider_colour();
  picture.surfaces.push_back(std::move(surface));
}

}  // namespace

RunPictures::RunPictures(const PictureOptions& options) : options_(options) {
  if (!options.shade.empty()) shading_ = &find_shading(options.shade);
  for (const ShownRun& shown : options.runs) open(shown);
  if (options.range) range_ = *options.range;
  Boxes bodies, seen;
  survey(bodies, seen);
  seen.insert(seen.end(), bodies.begin(), bodies.end());
  place_camera(seen);
  place_ground(bodies);
}

// Among others a run without frames is left out: of a wedge, some may not have come that far.
void RunPictures::open(const ShownRun& shown) {
  auto run = std::make_unique<Run>();
  run->directory = open_run(shown.directory);
  run->name = shown.name.empty() ? run->directory.name : shown.name;
  try {
    run->surface = std::make_unique<RunSurface>(run->directory, options_.surface);
  } catch (const InputError& error) {
    const bool last = &shown == &options_.runs.back();
    if (last && runs_.empty()) throw;
    problems_.push_back(run->name + " is left out: " + error.what());
    return;
  }
  run->colliders = read_colliders(run->directory, problems_);
  if (shading_) {
    const std::string trouble = run->surface->trouble(*shading_);
    if (!trouble.empty()) throw InputError(shown.directory + ": " + trouble);
  }
  if (options_.contacts && !run->surface->contact_trouble().empty())
    throw InputError(shown.directory + ": " + run->surface->contact_trouble());
  runs_.push_back(std::move(run));
}

// What the statistics do not say: extents of skins and of runs without them, and values. The same
// frames are asked whichever of them are rendered, so that a farm's pictures fit together.
void RunPictures::survey(Boxes& bodies, Boxes& colliders) {
  std::vector<double> frame_tops, frame_forces;
  for (const auto& run : runs_) {
    FrameBoxes own = run->directory.bounds();
    const bool values = shading_ && !options_.range;
    const bool all_frames = values || options_.contacts || own.empty();
    std::map<int, double> top_of, force_of;
    for (const int frame : spread_evenly(run->directory.frames, all_frames ? kSurveyed : 2)) {
      const Geometry geometry = run->surface->read_frame(frame);
      own[frame].extend(box_around(run->surface->positions(geometry)));
      if (values) top_of[frame] = frame_top(run->surface->values(*shading_, geometry));
      if (!options_.contacts) continue;
      const ContactPoints contacts = contact_points(geometry);
      if (!contacts.slips.empty()) force_of[frame] = top_force(contacts);
    }
    Extent all;
    for (const int frame : sane_frames(own, run->directory.stats)) {
      bodies.push_back(own[frame]);
      all.extend(own[frame]);
      if (top_of.count(frame)) frame_tops.push_back(top_of[frame]);
      if (force_of.count(frame)) frame_forces.push_back(force_of[frame]);
    }
    for (const Extent& box : collider_boxes(run->directory, run->colliders, all))
      colliders.push_back(box);
  }
  if (!options_.range) range_.high = scale_top(std::move(frame_tops));
  top_force_ = scale_top(std::move(frame_forces));
}

void RunPictures::place_camera(const Boxes& boxes) {
  const double aspect = static_cast<double>(options_.settings.width) / options_.settings.height;
  camera_ = options_.camera.empty()
                ? fit_camera(boxes, aspect, read_view(options_.view), label_margin())
                : read_camera(options_.camera);
}

// Bodies stay clear of the names above them.
double RunPictures::label_margin() const {
  constexpr double kMost = 0.25;
  double margin = kFitMargin;
  if (!options_.labels || runs_.size() < 2) return margin;
  const Image image{options_.settings.width, options_.settings.height, {}};
  const float room = static_cast<float>(image.width) - text_width(text_size(image), "frame 1000");
  for (const auto& run : runs_)
    margin = std::max(margin, double{label_height(image, run->name, room)} / image.height);
  return std::min(margin, kMost);
}

void RunPictures::place_ground(const Boxes& boxes) {
  const GroundChoice& choice = options_.ground;
  const Vec3 gravity = runs_.front()->directory.manifest.gravity;
  const bool falls = gravity.norm() > 0;
  const Vec3 up = falls ? Vec3(-gravity.normalized()) : Vec3::UnitY();
  if (choice.kind == GroundChoice::Kind::kHeight)
    floor_ = Ground{choice.height * up, up};
  else if (choice.kind == GroundChoice::Kind::kAuto && falls)
    floor_ = ground_below(boxes, up);
}

// A run that has planes needs no floor but them, unless one was asked for.
bool RunPictures::has_floor(const Run& run) const {
  const bool given = options_.ground.kind == GroundChoice::Kind::kHeight;
  return floor_ && (given || std::none_of(run.colliders.begin(), run.colliders.end(),
                                          [](const RunCollider& each) { return each.is_plane(); }));
}

double RunPictures::fps() const {
  return runs_.front()->directory.manifest.fps;
}

std::vector<int> RunPictures::frames() const {
  std::set<int> all;
  for (const auto& run : runs_)
    all.insert(run->directory.frames.begin(), run->directory.frames.end());
  return {all.begin(), all.end()};
}

// Bodies are pale, so that contacts stand out.
Eigen::Vector3f RunPictures::part_colour(const DrawnPoints::Part& part, int index) const {
  const Eigen::Vector3f colour =
      part.is_body ? body_colour(index) : Eigen::Vector3f::Constant(0.4F);
  return options_.contacts ? Eigen::Vector3f(0.4F * colour.array() + 0.6F * 0.8F) : colour;
}

std::vector<ContactArrow> RunPictures::arrows(const Geometry& frame) const {
  const ContactPoints contacts = contact_points(frame);
  const Points arrows = longest_arrow(camera_) * force_arrows(contacts, top_force_);
  std::vector<ContactArrow> list;
  for (std::size_t p = 0; p < contacts.slips.size(); ++p) {
    const auto column = static_cast<Eigen::Index>(p);
    list.push_back({contacts.places.col(column), arrows.col(column), contacts.slips[p]});
  }
  return list;
}

Picture RunPictures::picture(const Run& run, const Geometry& geometry, double time) const {
  const Points points = run.surface->positions(geometry);
  std::vector<float> values;
  if (shading_) values = run.surface->values(*shading_, geometry);
  Picture picture;
  const DrawnPoints& drawn = run.surface->drawn();
  for (std::size_t p = 0; p < drawn.parts.size(); ++p) {
    const DrawnPoints::Part& part = drawn.parts[p];
    Surface surface;
    surface.points = points.middleCols(part.first_point, part.point_count);
    for (int t = part.first_triangle; t < part.first_triangle + part.triangle_count; ++t) {
      surface.triangles.push_back(drawn.triangles[static_cast<std::size_t>(t)]);
      for (int& corner : surface.triangles.back()) corner -= part.first_point;
    }
    surface.colour = part_colour(part, static_cast<int>(p));
    if (shading_ && part.is_body)
      for (int v = part.first_point; v < part.first_point + part.point_count; ++v)
        surface.scalar.push_back(place_in(range_, values[static_cast<std::size_t>(v)]));
    picture.surfaces.push_back(std::move(surface));
  }
  if (has_floor(run)) picture.planes.push_back(*floor_);
  for (const RunCollider& collider : run.colliders) add_collider(collider, time, picture);
  picture.camera = camera_;
  return picture;
}

Image RunPictures::run_at(std::size_t run_number, int frame, bool with_scale,
                          const std::string& corner) const {
  const Run& run = *runs_[run_number];
  const std::vector<int>& own = run.directory.frames;
  const auto after = std::upper_bound(own.begin(), own.end(), frame);
  const int shown = after == own.begin() ? own.front() : *(after - 1);
  const Geometry geometry = run.surface->read_frame(shown);
  Image image = render(picture(run, geometry, run.directory.time_of(shown)), options_.settings);
  if (options_.contacts) draw_contacts(image, camera_, arrows(geometry));
  if (!options_.labels) return image;
  const float room = draw_corner(image, corner);
  if (runs_.size() > 1) {
    std::string label = run.name;
    if (shown != frame) label += ", frame " + std::to_string(shown);
    draw_label(image, label, room);
  }
  if (options_.contacts && with_scale) draw_contact_key(image, top_force_);
  if (shading_ && with_scale) {
    const std::string unit = run.surface->unit(*shading_);
    draw_colour_scale(image, shading_->label + (unit.empty() ? "" : " [" + unit + "]"), range_.low,
                      range_.high);
  }
  return image;
}

Image RunPictures::at(int frame) const {
  bool anywhere = false;
  for (const auto& run : runs_)
    anywhere = anywhere || std::binary_search(run->directory.frames.begin(),
                                              run->directory.frames.end(), frame);
  if (!anywhere) {
    const RunDirectory& first = runs_.front()->directory;
    throw InputError("frame " + std::to_string(frame) + " is not in '" + first.path.string() +
                     "'; the run has frames " + std::to_string(first.frames.front()) + " to " +
                     std::to_string(first.frames.back()) + ".");
  }
  std::vector<Image> cells;
  cells.reserve(runs_.size());
  for (std::size_t run = 0; run < runs_.size(); ++run)
    cells.push_back(run_at(run, frame, run == 0));
  // Two or three fit beside each other, more into a square.
  const auto count = static_cast<double>(cells.size());
  const int columns = options_.columns > 0 ? options_.columns
                      : cells.size() <= 3  ? static_cast<int>(cells.size())
                                           : static_cast<int>(std::ceil(std::sqrt(count)));
  return montage(cells, columns, cells.size() > 1 ? 4 : 0, false);
}

}  // namespace dashpot
