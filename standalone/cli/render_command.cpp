#include <Eigen/Geometry>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "solver/base/error.h"
#include "solver/mesh/boundary.h"
#include "standalone/cli/collider_record.h"
#include "standalone/cli/commands.h"
#include "standalone/cli/frame_pattern.h"
#include "standalone/cli/run_manifest.h"
#include "standalone/files/text_scanner.h"
#include "standalone/formats/geometry_file.h"
#include "standalone/formats/tet_geometry.h"
#include "standalone/render/camera_fit.h"
#include "standalone/render/palette.h"
#include "standalone/render/png.h"
#include "standalone/render/renderer.h"

namespace dashpot {
namespace {

using Box = Eigen::AlignedBox3d;

struct RenderOptions {
  std::string directory, output = "still.png", view, ground = "auto";
  int frame = 0;
  RenderSettings settings;
};

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

// The boxes of all frames that the stats tell of, so that the camera stays still over a sequence.
std::vector<Box> sequence_bounds(const std::filesystem::path& stats) {
  std::vector<Box> boxes;
  if (!std::filesystem::exists(stats)) return boxes;
  std::istringstream lines(read_file(stats));
  for (std::string text; std::getline(lines, text);) {
    const auto line = nlohmann::json::parse(text, nullptr, false);
    if (!line.is_object() || !line.contains("bounds")) continue;
    Vec3 low, high;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[static_cast<Eigen::Index>(axis)] = line["bounds"][0][axis];
      high[static_cast<Eigen::Index>(axis)] = line["bounds"][1][axis];
    }
    boxes.emplace_back(low, high);
  }
  return boxes;
}

Surface body_surface(const RunManifest::Body& body, const TetGeometry& frame) {
  const auto first = frame.tets.begin() + body.tet_offset;
  std::vector<Tet> tets(first, first + body.tet_count);
  for (Tet& tet : tets) {
    for (int& point : tet) point -= body.point_offset;
    if (body.flipped) std::swap(tet[0], tet[1]);
  }
  Surface surface;
  surface.points = frame.points.middleCols(body.point_offset, body.point_count);
  surface.triangles = boundary_surface(tets);
  return surface;
}

// Perpendicular to gravity, a hair below the lowest point of the sequence.
Ground ground_below(const std::vector<Box>& boxes, const Vec3& up) {
  double lowest = std::numeric_limits<double>::infinity();
  double size = 0;
  for (const Box& box : boxes) {
    size = std::max(size, box.diagonal().norm());
    for (int corner = 0; corner < 8; ++corner)
      lowest = std::min(lowest, up.dot(box.corner(static_cast<Box::CornerType>(corner))));
  }
  return {up * (lowest - 1e-3 * size), up};
}

void add_ground(const std::string& choice, const std::vector<Box>& boxes, const Vec3& gravity,
                Picture& picture) {
  if (choice == "none") return;
  if (choice == "auto") {
    if (gravity.norm() > 0) picture.planes.push_back(ground_below(boxes, -gravity.normalized()));
    return;
  }
  double height = 0;
  int end = 0;
  if (std::sscanf(choice.c_str(), "%lf%n", &height, &end) != 1 ||
      static_cast<std::size_t>(end) != choice.size() || !std::isfinite(height))
    throw InputError("--ground " + choice + " is neither auto, none nor a height in metres.");
  picture.planes.push_back({Vec3(0, height, 0), Vec3::UnitY()});
}

TetGeometry read_frame(const RenderOptions& options, const RunManifest& manifest) {
  const std::filesystem::path directory = options.directory;
  const std::string path = FramePattern((directory / manifest.frames).string()).path(options.frame);
  if (!std::filesystem::exists(path))
    throw InputError("frame " + std::to_string(options.frame) + " is not in '" + options.directory +
                     "'; the run has frames " + std::to_string(manifest.first_frame) + " to " +
                     std::to_string(manifest.last_frame) + ".");
  TetGeometry frame = to_tet_geometry(read_geometry_file(path));
  std::size_t tets = 0;
  Eigen::Index points = 0;
  for (const RunManifest::Body& body : manifest.bodies) {
    tets += static_cast<std::size_t>(body.tet_count);
    points += body.point_count;
  }
  if (frame.tets.size() != tets || frame.points.cols() != points)
    throw InputError(path + " does not belong to the run that run.json describes.");
  return frame;
}

int render_still(const RenderOptions& options) {
  const RunManifest manifest = read_manifest(options.directory);
  const TetGeometry frame = read_frame(options, manifest);
  std::vector<Box> boxes =
      sequence_bounds(std::filesystem::path(options.directory) / manifest.stats);
  boxes.emplace_back(Vec3(frame.points.rowwise().minCoeff()),
                     Vec3(frame.points.rowwise().maxCoeff()));

  Picture picture;
  for (std::size_t b = 0; b < manifest.bodies.size(); ++b) {
    picture.surfaces.push_back(body_surface(manifest.bodies[b], frame));
    picture.surfaces.back().colour = body_colour(static_cast<int>(b));
  }
  const double time = (options.frame - manifest.first_frame) / manifest.fps * manifest.timescale;
  for (const ColliderSource& collider : manifest.colliders) add_collider(collider, time, picture);
  if (picture.planes.empty() || options.ground != "auto")
    add_ground(options.ground, boxes, manifest.gravity, picture);
  const double aspect = static_cast<double>(options.settings.width) / options.settings.height;
  picture.camera = fit_camera(boxes, aspect, read_view(options.view));
  write_png(options.output, render(picture, options.settings));
  std::printf("still    %s\n", options.output.c_str());
  return kExitDone;
}

}  // namespace

void add_render_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App* command = app.add_subcommand("render", "Render a still of one frame of a run");
  command->add_option("run", options->directory, "Directory of the frames and run.json")
      ->required();
  command->add_option("--frame", options->frame, "Frame number")->required();
  command->add_option("-o,--output", options->output, "PNG file")->capture_default_str();
  const CLI::Range pixels(1, 16384);
  command->add_option("--width", options->settings.width, "Pixels")
      ->capture_default_str()
      ->check(pixels);
  command->add_option("--height", options->settings.height, "Pixels")
      ->capture_default_str()
      ->check(pixels);
  command->add_option("--samples", options->settings.samples, "Paths per pixel")
      ->capture_default_str()
      ->check(CLI::Range(1, 65536));
  command->add_option("--view", options->view, "Direction to look along, as in -0.5,-0.4,-0.8");
  command
      ->add_option("--ground", options->ground,
                   "auto (below the lowest point of the run), none, or its height in metres")
      ->capture_default_str();
  command->callback([options, &action] { action = [options] { return render_still(*options); }; });
}

}  // namespace dashpot
