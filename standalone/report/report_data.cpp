#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "standalone/render/palette.h"
#include "standalone/render/shading_normals.h"
#include "standalone/report/collider_data.h"
#include "standalone/report/compact_data.h"
#include "standalone/report/contact_data.h"
#include "standalone/report/report.h"
#include "standalone/report/run_frames.h"
#include "standalone/runs/collider_bounds.h"

namespace dashpot {
namespace {

using Json = nlohmann::ordered_json;

// Frames that are packed together: the page shows the first ones while it unpacks the others.
constexpr std::size_t kChunkFrames = 32;

template <class Pack>
Json packed_chunks(DataWriter& data, std::size_t frames, const Pack& pack) {
  Json chunks = Json::array();
  for (std::size_t first = 0; first < frames; first += kChunkFrames) {
    const std::size_t end = std::min(frames, first + kChunkFrames);
    chunks.push_back(
        {{"first", first}, {"count", end - first}, {"data", data.add(pack(first, end))}});
  }
  return chunks;
}

// Corners on either side of a crease are vertices of their own, with normals of their own.
struct Vertices {
  std::vector<std::int32_t> corners;  // three per triangle
  std::vector<std::int32_t> points;   // the drawn point of each vertex
  std::vector<int> part_starts;       // the first vertex of each part, and the end
};

Vertices split_creases(const DrawnPoints& drawn, const Points& shape) {
  Vertices vertices;
  for (const DrawnPoints::Part& part : drawn.parts) {
    std::vector<Triangle> own;
    for (int t = part.first_triangle; t < part.first_triangle + part.triangle_count; ++t) {
      own.push_back(drawn.triangles[static_cast<std::size_t>(t)]);
      for (int& corner : own.back()) corner -= part.first_point;
    }
    const ShadingNormals split =
        shading_normals(shape.middleCols(part.first_point, part.point_count), own);
    const int first = static_cast<int>(vertices.points.size());
    vertices.part_starts.push_back(first);
    vertices.points.resize(vertices.points.size() + split.normals.size(), part.first_point);
    for (std::size_t t = 0; t < own.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k) {
        const int vertex = first + split.corners[t][k];
        vertices.corners.push_back(vertex);
        vertices.points[static_cast<std::size_t>(vertex)] = part.first_point + own[t][k];
      }
  }
  vertices.part_starts.push_back(static_cast<int>(vertices.points.size()));
  return vertices;
}

Json parts_json(const DrawnPoints& drawn, const Vertices& vertices) {
  Json parts = Json::array();
  for (std::size_t p = 0; p < drawn.parts.size(); ++p) {
    const DrawnPoints::Part& part = drawn.parts[p];
    const Eigen::Vector3f colour =
        part.is_body ? body_colour(static_cast<int>(p)) : Eigen::Vector3f::Constant(0.4F);
    parts.push_back({{"name", part.name},
                     {"colour", hex_colour(colour)},
                     {"skin", part.skin},
                     {"shaded", part.is_body},
                     {"triangles", part.triangle_count},
                     {"first_vertex", vertices.part_starts[p]},
                     {"vertices", vertices.part_starts[p + 1] - vertices.part_starts[p]}});
  }
  return parts;
}

// Of one shading. Values up to `limit` are stored, so that a reader can choose another range.
struct Scale {
  double top = 0, limit = 0;
};

// Those of all runs together, so that they can be compared.
struct Scales {
  std::vector<Scale> shadings;
  double top_force = 0;  // N; of the longest arrow
};

Json shading_values(DataWriter& data, const RunFrames& run, std::size_t s, double limit) {
  const Shading& shading = shadings()[s];
  Json json = {{"trouble", run.surface->trouble(shading)},
               {"remark", run.surface->remark(shading)}};
  const auto& values = run.values[s];
  if (!values.empty())
    json["chunks"] = packed_chunks(data, values.size(), [&](std::size_t first, std::size_t end) {
      std::vector<std::vector<std::uint8_t>> frames;
      frames.reserve(end - first);
      for (std::size_t f = first; f < end; ++f) frames.push_back(quantise(values[f], limit));
      return pack_frames(frames);
    });
  return json;
}

Json contacts_json(DataWriter& data, const RunFrames& run, const Quantisation& quantisation,
                   double top) {
  Json json = {{"trouble", run.surface->contact_trouble()}};
  if (!run.contacts.empty())
    json["chunks"] =
        packed_chunks(data, run.contacts.size(), [&](std::size_t first, std::size_t end) {
          return pack_contacts(&run.contacts[first], &run.contacts[first] + (end - first),
                               quantisation, top);
        });
  return json;
}

Eigen::AlignedBox3d bounds_of(const RunFrames& run) {
  Eigen::AlignedBox3d bounds;
  for (const Points& frame : run.positions)
    if (frame.cols() > 0)
      bounds.extend(Vec3(frame.rowwise().minCoeff())).extend(Vec3(frame.rowwise().maxCoeff()));
  return bounds;
}

Json surface_json(DataWriter& data, const RunFrames& run, const Scales& scales) {
  if (run.frames.empty()) return nullptr;
  const DrawnPoints& drawn = run.surface->drawn();
  const Eigen::AlignedBox3d bounds = bounds_of(run);
  const Vec3 low = bounds.isEmpty() ? Vec3(Vec3::Zero()) : bounds.min();
  const Vec3 high = bounds.isEmpty() ? Vec3(Vec3::Zero()) : bounds.max();
  const Quantisation quantisation = quantisation_of(low, high);
  // A run that starts in disorder shows its edges at the end.
  const bool at_rest = run.surface->trouble(find_shading("stretch")).empty();
  const Vertices vertices =
      split_creases(drawn, at_rest ? run.positions.front() : run.positions.back());
  Json json = {{"frames", run.frames},
               {"points", run.surface->point_count()},
               {"vertices", vertices.points.size()},
               {"triangles", drawn.triangles.size()},
               {"origin", {low.x(), low.y(), low.z()}},
               {"high", {high.x(), high.y(), high.z()}},
               {"step", quantisation.step},
               {"parts", parts_json(drawn, vertices)},
               {"corners", data.add(pack_numbers(vertices.corners))},
               {"vertex_points", data.add(pack_numbers(vertices.points))}};
  json["positions"] =
      packed_chunks(data, run.positions.size(), [&](std::size_t first, std::size_t end) {
        std::vector<std::vector<std::uint16_t>> frames;
        frames.reserve(end - first);
        for (std::size_t f = first; f < end; ++f)
          frames.push_back(quantise(run.positions[f], quantisation));
        return pack_frames(frames, 3);
      });
  for (std::size_t s = 0; s < shadings().size(); ++s)
    json["values"][shadings()[s].token] = shading_values(data, run, s, scales.shadings[s].limit);
  json["contacts"] = contacts_json(data, run, quantisation, scales.top_force);
  return json;
}

// The complaints of the statistics, each with all the frames that it came up in.
Json warnings_json(const RunStats& stats, const ReportOptions& options) {
  std::map<std::string, std::vector<int>> frames_of;
  for (const auto& [frame, line] : stats.lines)
    if (line.contains("status") && line["status"].is_array())
      for (const Json& word : line["status"])
        if (word.is_string()) frames_of[word.get<std::string>()].push_back(frame);
  Json warnings = Json::array();
  for (const auto& [word, frames] : frames_of) {
    const std::string sentence = options.explain_status ? options.explain_status(word) : "";
    warnings.push_back(
        {{"status", word}, {"sentence", sentence.empty() ? word : sentence}, {"frames", frames}});
  }
  return warnings;
}

// Corners of the boxes that the camera is to see; null if there is nothing.
Json seen_json(const RunFrames& run) {
  Eigen::AlignedBox3d seen = bounds_of(run);
  for (const auto& box : collider_boxes(run.run, run.colliders, bounds_of(run))) seen.extend(box);
  if (seen.isEmpty()) return nullptr;
  return {{seen.min().x(), seen.min().y(), seen.min().z()},
          {seen.max().x(), seen.max().y(), seen.max().z()}};
}

Json run_json(DataWriter& data, RunFrames& run, const Scales& scales,
              const ReportOptions& options) {
  Json colliders = colliders_json(data, run);  // first: it may find problems
  Json lines = Json::array();
  for (const auto& [frame, line] : run.run.stats.lines) lines.push_back(line);
  const RunManifest& manifest = run.run.manifest;
  return {{"name", run.run.name},
          {"path", run.run.path.string()},
          {"record", run.run.record},
          {"first_frame", run.run.first_frame()},
          {"last_frame", run.run.last_frame()},
          {"fps", manifest.fps},
          {"gravity", {manifest.gravity.x(), manifest.gravity.y(), manifest.gravity.z()}},
          {"problems", run.problems},
          {"warnings", warnings_json(run.run.stats, options)},
          {"stats", std::move(lines)},
          {"colliders", std::move(colliders)},
          {"seen", seen_json(run)},
          {"surface", surface_json(data, run, scales)}};
}

// One scale for all runs, so that colours can be compared.
std::vector<Scale> find_scales(const std::vector<std::unique_ptr<RunFrames>>& runs) {
  constexpr double kLimit = 30;  // tops; a burst body must not take all the digits
  std::vector<Scale> scales(shadings().size());
  for (std::size_t s = 0; s < scales.size(); ++s) {
    std::vector<double> tops;
    double largest = 0;
    for (const auto& run : runs) {
      if (run->values.empty()) continue;
      for (const std::vector<float>& frame : run->values[s]) {
        tops.push_back(frame_top(frame));
        for (const float value : frame) largest = std::max(largest, double{value});
      }
    }
    const double top = scale_top(std::move(tops));
    scales[s] = {top, std::min(largest, kLimit * top)};
  }
  return scales;
}

Json shadings_json(const std::vector<std::unique_ptr<RunFrames>>& runs,
                   const std::vector<Scale>& scales) {
  Json list = Json::array();
  for (std::size_t s = 0; s < shadings().size(); ++s) {
    const Shading& shading = shadings()[s];
    std::string unit = shading.unit;
    for (const auto& run : runs)
      if (run->surface) unit = run->surface->unit(shading);
    list.push_back({{"token", shading.token},
                    {"label", shading.label},
                    {"unit", unit},
                    {"help", shading.help},
                    {"top", scales[s].top},
                    {"limit", scales[s].limit}});
  }
  return list;
}

Json ground_json(const GroundChoice& ground) {
  if (ground.kind == GroundChoice::Kind::kHeight) return ground.height;
  return ground.kind == GroundChoice::Kind::kNone ? "none" : "auto";
}

}  // namespace

std::string report_data(const ReportOptions& options, std::vector<std::string>& problems) {
  std::vector<std::unique_ptr<RunFrames>> runs;
  std::vector<std::string> names;
  for (const ShownRun& shown : options.runs) {
    runs.push_back(std::make_unique<RunFrames>());
    load_run(shown, options.surface, *runs.back());
    names.push_back(runs.back()->run.name);
  }
  const Scales scales = {find_scales(runs), top_force_of(runs)};
  problems.insert(problems.end(), options.problems.begin(), options.problems.end());

  DataWriter data;
  Json list = Json::array();
  for (std::size_t r = 0; r < runs.size(); ++r) {
    list.push_back(run_json(data, *runs[r], scales, options));
    for (const std::string& sentence : runs[r]->problems)
      problems.push_back(options.runs[r].directory + ": " + sentence);
  }
  return data.finish({{"title", options.title.empty() ? joined_names(names) : options.title},
                      {"program", options.program},
                      {"ground", ground_json(options.ground)},
                      {"columns", options.columns},
                      {"problems", options.problems},
                      {"shadings", shadings_json(runs, scales.shadings)},
                      {"contacts", contact_key_json(scales.top_force)},
                      {"runs", std::move(list)}});
}

}  // namespace dashpot
