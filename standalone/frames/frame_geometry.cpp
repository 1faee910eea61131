#include "standalone/frames/frame_geometry.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "solver/base/error.h"
#include "solver/host/point_contacts.h"
#include "standalone/frames/geometry_merge.h"

namespace dashpot {
namespace {

constexpr double kLargest = std::numeric_limits<float>::max();

// The geometry of a body, with a name unless it is the only one and Houdini's own.
Geometry named_geometry(const SceneFile& scene, std::size_t body) {
  const BodySource& source = scene.sources[body];
  Geometry geometry = source.geometry;
  if (!source.is_file || scene.sources.size() > 1)
    add_name(geometry, scene.scene.bodies[body].name);
  return geometry;
}

// Houdini notes at what time of the timeline a file was made.
void set_time(Geometry& geometry, double time) {
  for (Section& section : geometry.sections) {
    if (section.key.bytes != "info") continue;
    if (JsonValue* old = find_key(section.value, "time")) *old = time;
  }
}

// Steps of fpreal32 that are a larger part of an edge than this are seen: surfaces look rough, and
// slow motion jerks.
constexpr double kCoarse = 1e-4;

// The distance between neighbouring numbers of fpreal32.
double single_spacing(double magnitude) {
  return magnitude * std::numeric_limits<float>::epsilon();
}

bool is_double(const Geometry& geometry, const char* name) {
  const Attribute* attribute = find_attribute(geometry, ElementClass::kPoint, name);
  return attribute && attribute->kind == AttributeKind::kNumeric &&
         std::string_view(attribute->data.storage()) == "fpreal64";
}

// Files of our own making have a time; those of Houdini keep what they have.
void add_time(Geometry& geometry) {
  for (Section& section : geometry.sections) {
    JsonMap* info = section.key.bytes == "info" ? section.value.map() : nullptr;
    if (!info || find_key(section.value, "time")) continue;
    MapEntry entry;
    entry.key.bytes = "time";
    entry.value = 0.0;
    info->push_back(std::move(entry));
  }
}

}  // namespace

FrameGeometry::FrameGeometry(const SceneFile& scene,
                             std::vector<const ElementDiagnostic*> diagnostics)
    : scene_(scene), diagnostics_(std::move(diagnostics)) {
  std::vector<Geometry> geometries;
  std::vector<MergePart> parts;
  geometries.reserve(scene.sources.size());
  std::int64_t first_point = 0, first_tet = 0, first_primitive = 0;
  for (std::size_t b = 0; b < scene.sources.size(); ++b) {
    const BodySource& source = scene.sources[b];
    const Geometry& geometry = geometries.emplace_back(named_geometry(scene, b));
    parts.push_back({&geometry, scene.scene.bodies[b].name});
    const auto tet_count = static_cast<std::int64_t>(tets(geometry).tets.size());
    ranges_.push_back({static_cast<int>(first_point), static_cast<int>(geometry.point_count),
                       static_cast<int>(first_tet), static_cast<int>(tet_count)});
    for (const int primitive : source.tet_primitives)
      tet_primitives_.push_back(static_cast<int>(first_primitive) + primitive);
    first_point += geometry.point_count;
    first_tet += tet_count;
    first_primitive += geometry.primitive_count;
  }
  choose_precision();
  const bool own = parts.size() > 1 || !scene.sources.front().is_file;
  geometry_ =
      parts.size() == 1 ? std::move(geometries.front()) : merge_geometries(parts, warnings_);
  if (own) add_time(geometry_);
}

// What is fpreal64 in the geometry of shapes and mesh files says nothing: it always is.
void FrameGeometry::choose_precision() {
  bool double_positions = false, double_velocities = false, has_velocities = false;
  for (std::size_t b = 0; b < scene_.sources.size(); ++b) {
    const Body& body = scene_.scene.bodies[b];
    edge_lengths_.push_back(mean_edge_length(body.mesh));
    double_positions = double_positions || is_coarse(b, body.position);
    const BodySource& source = scene_.sources[b];
    if (!source.is_file) continue;
    double_positions = double_positions || is_double(source.geometry, "P");
    double_velocities = double_velocities || is_double(source.geometry, "v");
    has_velocities =
        has_velocities || find_attribute(source.geometry, ElementClass::kPoint, "v") != nullptr;
  }
  if (double_positions) positions_ = Precision::kDouble;
  if (double_velocities || (double_positions && !has_velocities)) velocities_ = Precision::kDouble;
}

bool FrameGeometry::is_coarse(std::size_t body, const Points& positions) const {
  return single_spacing(positions.cwiseAbs().maxCoeff()) > kCoarse * edge_lengths_[body];
}

std::optional<std::string> FrameGeometry::precision_warning(const State& state) const {
  if (positions_ == Precision::kDouble) return std::nullopt;
  Eigen::Index first = 0;
  for (std::size_t b = 0; b < edge_lengths_.size(); ++b) {
    const Body& body = scene_.scene.bodies[b];
    if (is_coarse(b, state.x.middleCols(first, body.mesh.point_count())))
      return "body '" + body.name +
             "' has come so far from the origin that the fpreal32 numbers of its frames are "
             "coarse; move the scene nearer, or give it geometry with P in fpreal64.";
    first += body.mesh.point_count();
  }
  return std::nullopt;
}

Points FrameGeometry::of_all_points(const Points& mesh_values, bool velocities) const {
  Points all(3, geometry_.point_count);
  Eigen::Index from = 0;
  for (std::size_t b = 0; b < ranges_.size(); ++b) {
    const TetMesh& mesh = scene_.scene.bodies[b].mesh;
    const Points own = mesh_values.middleCols(from, mesh.point_count());
    all.middleCols(ranges_[b].first_point, ranges_[b].point_count) =
        velocities ? geometry_velocities(scene_.sources[b], mesh, own)
                   : geometry_positions(scene_.sources[b], mesh, own);
    from += mesh.point_count();
  }
  return all;
}

void FrameGeometry::set_diagnostic(const char* token, const std::vector<double>& values) {
  std::vector<float> of_primitives(static_cast<std::size_t>(geometry_.primitive_count), 0.0F);
  for (std::size_t t = 0; t < values.size(); ++t)
    of_primitives[static_cast<std::size_t>(tet_primitives_[t])] =
        static_cast<float>(std::clamp(values[t], -kLargest, kLargest));
  set_numeric(geometry_, ElementClass::kPrimitive, token, std::move(of_primitives), 1);
}

void FrameGeometry::set_contacts(const ContactReport& report) {
  Points force(3, geometry_.point_count);
  std::vector<std::int32_t> slip;
  int first = 0;  // in the state
  for (std::size_t b = 0; b < ranges_.size(); ++b) {
    const PointContacts own = point_contacts(report, scene_.sources[b], first);
    force.middleCols(ranges_[b].first_point, ranges_[b].point_count) = own.force;
    slip.insert(slip.end(), own.slip.begin(), own.slip.end());
    first += scene_.scene.bodies[b].mesh.point_count();
  }
  set_point_vectors(geometry_, kContactForce, force.cwiseMax(-kLargest).cwiseMin(kLargest));
  set_numeric(geometry_, ElementClass::kPoint, kContactSlip, std::move(slip), 1);
}

const Geometry& FrameGeometry::at(int frame, const State& state,
                                  const std::vector<std::vector<double>>& values,
                                  const ContactReport* contacts) {
  const Points positions = of_all_points(state.x, false);
  refuse_not_finite(frame, positions, "position");
  const Points velocities = of_all_points(state.v, true);
  refuse_not_finite(frame, velocities, "velocity");
  set_positions(geometry_, positions, positions_);
  set_point_vectors(geometry_, "v", velocities, velocities_);
  set_time(geometry_, state.time);
  for (std::size_t k = 0; k < diagnostics_.size(); ++k)
    set_diagnostic(diagnostics_[k]->token, values[k]);
  if (contacts) set_contacts(*contacts);
  return geometry_;
}

}  // namespace dashpot
