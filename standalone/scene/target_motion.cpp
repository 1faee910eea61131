#include "standalone/scene/target_motion.h"

#include <filesystem>
#include <memory>
#include <utility>

#include "solver/base/error.h"
#include "solver/host/geometry_attributes.h"
#include "solver/host/geometry_body.h"
#include "standalone/files/frame_name.h"
#include "standalone/formats/geometry_file.h"
#include "standalone/formats/mesh_reader.h"
#include "standalone/scene/file_geometry_view.h"

namespace dashpot {
namespace {

using Samples = std::vector<std::pair<double, Points>>;  // time, all points of the geometry

Points read_targets(const std::string& path, std::int64_t point_count) {
  const Geometry geometry = read_geometry_file(path);
  return target_positions(FileGeometryView(geometry, path), static_cast<int>(point_count));
}

Samples read_sequence(const TableReader& reader, const SceneFile& file, BodySource& source) {
  const std::string pattern = *reader.text("targets");
  const std::filesystem::path folder = std::filesystem::path(file.path).parent_path();
  const auto path_of = [&](int frame) { return (folder / frame_name(pattern, frame)).string(); };
  const int last = has_frame_number(pattern) ? file.last_frame : file.first_frame;
  Samples samples;
  for (int frame = file.first_frame; frame <= last; ++frame) {
    if (!std::filesystem::exists(path_of(frame)))
      reader.fail("targets", "names the file '" + path_of(frame) + "', which does not exist");
    samples.emplace_back(file.time_of(frame),
                         read_targets(path_of(frame), source.geometry.point_count));
    for (const std::filesystem::path& part : files_of_mesh(path_of(frame))) source.inputs.add(part);
  }
  source.inputs.add_sequence(folder / pattern);
  return samples;
}

}  // namespace

void add_target_motion(const TableReader& reader, const SceneFile& file, BodySource& source,
                       const Placement& placement, Body& body) {
  const FileGeometryView geometry(source.geometry, source.description);
  const bool has_sequence = reader.has("targets");
  const auto attribute = has_sequence ? std::nullopt : vector_attribute(geometry, "targetP");
  if (!has_sequence && !attribute) return;

  Samples samples;
  if (has_sequence)
    samples = read_sequence(reader, file, source);
  else
    samples.emplace_back(file.time_of(file.first_frame + 1), *attribute);
  if (!placement.is_identity())
    for (auto& [time, points] : samples) placement.apply(points);

  bool followed = false;
  for (Pin& pin : body.pins) {
    if (pin.motion) continue;
    followed = true;
    auto motion = std::make_shared<SampledMotion>();
    const auto add = [&](double time, const Points& points, const std::vector<int>& numbers) {
      Points targets(3, static_cast<Eigen::Index>(pin.points.size()));
      for (std::size_t i = 0; i < pin.points.size(); ++i)
        targets.col(static_cast<Eigen::Index>(i)) = points.col(numbers[i]);
      motion->times.push_back(time);
      motion->positions.push_back(std::move(targets));
    };
    std::vector<int> geometry_points;
    for (const int i : pin.points) geometry_points.push_back(source.mesh_points[i]);
    if (!has_sequence) add(0, body.position, pin.points);
    for (const auto& [time, points] : samples) add(time, points, geometry_points);
    const int jumps = has_sequence ? first_to_jump(body, pin, motion->positions.front()) : -1;
    if (jumps >= 0)
      reader.fail("targets", "does not start where the body is: point " + std::to_string(jumps) +
                                 " would have to jump to its target at the first frame");
    pin.motion = std::move(motion);
  }
  if (has_sequence && !followed)
    reader.fail("targets", "has no points to move; pin some, without a motion of their own");
}

}  // namespace dashpot
