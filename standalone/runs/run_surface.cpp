#include "standalone/runs/run_surface.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/base/error.h"
#include "solver/base/parallel.h"
#include "solver/elasticity/material.h"
#include "solver/mesh/rest_shape.h"
#include "standalone/geometry/geometry_reader.h"
#include "standalone/runs/run_contacts.h"

namespace dashpot {
namespace {

bool is(const Shading& shading, const char* token) {
  return std::string_view(shading.token) == token;
}

const Attribute* tet_attribute(const Geometry& geometry, const char* name) {
  const Attribute* found = find_attribute(geometry, ElementClass::kPrimitive, name);
  return found && found->kind == AttributeKind::kNumeric ? found : nullptr;
}

// Do the statistics say that the bodies were neither stretched nor squeezed?
bool says_at_rest(const RunDirectory& run, int frame, bool& known) {
  constexpr double kSlack = 1e-3;
  known = false;
  const auto line = run.stats.lines.find(frame);
  if (line == run.stats.lines.end()) return true;
  const auto& json = line->second;
  if (!json.contains("max_stretch") || !json["max_stretch"].is_number() ||
      !json.contains("min_stretch") || !json["min_stretch"].is_number())
    return true;
  known = true;
  return json["max_stretch"].get<double>() < 1 + kSlack &&
         json["min_stretch"].get<double>() > 1 - kSlack;
}

// Without run.json all is one body.
RunManifest::Body whole_frame(const Geometry& frame, const TetList& list, const Points& points) {
  RunManifest::Body body;
  body.name = "all";
  body.point_count = static_cast<int>(frame.point_count);
  body.tet_count = static_cast<int>(list.tets.size());
  double volume = 0;
  for (const Tet& tet : list.tets) volume += signed_volume(points, tet);
  body.flipped = volume < 0;
  return body;
}

}  // namespace

RunSurface::RunSurface(const RunDirectory& run, SurfaceChoice choice) : run_(run) {
  if (run.frames.empty())
    throw InputError("there are no frame files in '" + run.path.string() + "'.");
  first_frame_ = run.frames.front();
  const Geometry frame = read_geometry(run.frame_path(first_frame_));
  const Points first = dashpot::positions(frame);
  TetList list = tets(frame);
  point_count_ = frame.point_count;
  tets_ = list.tets;
  primitives_ = std::move(list.primitives);
  bodies_ = run.manifest.bodies;
  if (run.record.is_null()) bodies_.push_back(whole_frame(frame, list, first));
  check_ranges(run.frame_path(first_frame_));

  drawn_ = find_drawn_points(bodies_, frame, list.tets, choice);
  for (const RunManifest::Body& body : bodies_) {
    const std::vector<Tet> own = body_tets(body, list.tets);
    std::copy(own.begin(), own.end(), tets_.begin() + body.tet_offset);
  }
  for (const Shading& shading : shadings())
    if (shading.attribute)
      attribute_[shading.attribute] = tet_attribute(frame, shading.attribute) != nullptr;
  has_contacts_ = has_contacts(frame);
  const Attribute* velocity = find_attribute(frame, ElementClass::kPoint, "v");
  has_velocity_ =
      velocity && velocity->kind == AttributeKind::kNumeric && velocity->data.tuple_size() >= 3;
  measure_rest(first);
  find_shares(first);
}

void RunSurface::check_ranges(const std::filesystem::path& path) const {
  for (const RunManifest::Body& body : bodies_)
    if (static_cast<std::int64_t>(body.point_offset) + body.point_count > point_count_ ||
        static_cast<std::int64_t>(body.tet_offset) + body.tet_count >
            static_cast<std::int64_t>(tets_.size()))
      throw InputError(path.string() + " does not belong to the run that run.json describes.");
}

void RunSurface::measure_rest(const Points& first) {
  if (!says_at_rest(run_, first_frame_, known_rest_)) return;
  for (const Tet& tet : tets_) {
    Mat3 edges;
    for (int a = 0; a < 3; ++a) edges.col(a) = first.col(tet[a + 1]) - first.col(tet[0]);
    const double volume = edges.determinant() / 6;
    if (!(volume > 0)) {  // not a rest shape, whatever the statistics say
      inverse_edges_.clear();
      volumes_.clear();
      return;
    }
    inverse_edges_.push_back(edges.inverse());
    volumes_.push_back(volume);
  }
}

// Points of a skin that no tet has ride on the tet that they lie in.
RunSurface::Riders RunSurface::find_riders(const DrawnPoints::Part& part, const Points& first,
                                           const PointTets& around) const {
  Riders riders;
  std::vector<int> points;
  for (int p = part.first_point; p < part.first_point + part.point_count; ++p) {
    const int source = drawn_.source[static_cast<std::size_t>(p)];
    if (around[static_cast<std::size_t>(source)].empty()) points.push_back(source);
  }
  const auto body = std::find_if(bodies_.begin(), bodies_.end(),
                                 [&](const auto& each) { return each.name == part.name; });
  if (points.empty() || !part.is_body || body == bodies_.end() || body->tet_count == 0)
    return riders;
  riders.mesh.rest = first;
  riders.mesh.tets.assign(tets_.begin() + body->tet_offset,
                          tets_.begin() + body->tet_offset + body->tet_count);
  riders.embedding = embed(riders.mesh, first(Eigen::all, points));
  return riders;
}

void RunSurface::find_shares(const Points& first) {
  PointTets around(static_cast<std::size_t>(point_count_));
  for (std::size_t t = 0; t < tets_.size(); ++t)
    for (const int corner : tets_[t])
      around[static_cast<std::size_t>(corner)].push_back(static_cast<int>(t));

  // The mean of the tets around a point.
  const auto add_point = [&](int point, double weight) {
    const std::vector<int>& own = around[static_cast<std::size_t>(point)];
    for (const int tet : own)
      shares_.push_back({tet, static_cast<float>(weight / static_cast<double>(own.size()))});
  };
  share_starts_.push_back(0);
  for (const DrawnPoints::Part& part : drawn_.parts) {
    const Riders riders = find_riders(part, first, around);
    int rider = 0;
    for (int p = part.first_point; p < part.first_point + part.point_count; ++p) {
      const int source = drawn_.source[static_cast<std::size_t>(p)];
      if (!around[static_cast<std::size_t>(source)].empty()) {
        add_point(source, 1);
      } else if (rider < riders.embedding.count()) {
        const auto r = static_cast<std::size_t>(rider++);
        const Eigen::Vector4d& weights = riders.embedding.weights[r];
        const Tet& tet = riders.mesh.tets[static_cast<std::size_t>(riders.embedding.tet[r])];
        for (int k = 0; k < 4; ++k)
          add_point(tet[static_cast<std::size_t>(k)], weights.allFinite() ? weights[k] : 0.25);
      }
      share_starts_.push_back(static_cast<int>(shares_.size()));
    }
  }
}

std::string RunSurface::trouble(const Shading& shading) const {
  if (is(shading, "speed"))
    return has_velocity_ ? "" : "The frames have no velocities v, so speed cannot be shown.";
  if (attribute_.at(shading.attribute)) return "";
  const std::string remedy =
      std::string("; simulate with --attribs ") + shading.attribute + " to see it.";
  if (is(shading, "stretch") && !inverse_edges_.empty()) return "";
  if (is(shading, "stretch"))
    return "Stretch cannot be measured from frame " + std::to_string(first_frame_) +
           ", which is not at rest" + remedy;
  return std::string("The frames hold no ") + shading.attribute + remedy;
}

std::string RunSurface::contact_trouble() const {
  return has_contacts_
             ? ""
             : "The frames hold no contacts; simulate with --attribs contacts to see them.";
}

std::string RunSurface::remark(const Shading& shading) const {
  if (!is(shading, "stretch") || attribute_.at("strain")) return "";
  return "measured from frame " + std::to_string(first_frame_) +
         (known_rest_ ? ", which was at rest" : ", which is taken for the rest shape");
}

std::string RunSurface::unit(const Shading& shading) const {
  // Without a rest shape there is no volume to divide by.
  if (is(shading, "dissipation") && volumes_.empty()) return "J per tet";
  return shading.unit;
}

Geometry RunSurface::read_frame(int frame) const {
  const std::filesystem::path path = run_.frame_path(frame);
  Geometry geometry = read_geometry(path);
  if (geometry.point_count != point_count_ || tets(geometry).primitives != primitives_)
    throw InputError(path.string() + " has other points or tets than frame " +
                     std::to_string(first_frame_) + ".");
  const Points drawn = positions(geometry);
  if (!(drawn.array().abs() <= std::numeric_limits<float>::max()).all())
    throw InputError(path.string() + " has positions that are not finite.");
  return geometry;
}

Points RunSurface::positions(const Geometry& frame) const {
  return dashpot::positions(frame)(Eigen::all, drawn_.source);
}

std::vector<double> RunSurface::stretches(const Geometry& frame) const {
  constexpr std::ptrdiff_t kGrain = 1024;
  const Points x = dashpot::positions(frame);
  std::vector<double> values(tets_.size());
  parallel_each(static_cast<std::ptrdiff_t>(tets_.size()), kGrain, [&](std::ptrdiff_t i) {
    const auto t = static_cast<std::size_t>(i);
    const auto s = signed_stretches(deformation_gradient(x, tets_[t], inverse_edges_[t]));
    values[t] = std::max(std::abs(s[0] - 1), std::abs(s[2] - 1));
  });
  return values;
}

std::vector<double> RunSurface::tet_values(const Shading& shading, const Geometry& frame) const {
  const Attribute* attribute = tet_attribute(frame, shading.attribute);
  if (!attribute && is(shading, "stretch") && !inverse_edges_.empty()) return stretches(frame);
  std::vector<double> values(tets_.size(), 0.0);
  if (!attribute) return values;
  const auto stride = static_cast<std::size_t>(attribute->data.tuple_size());
  const bool per_volume = is(shading, "dissipation") && !volumes_.empty();
  for (std::size_t t = 0; t < values.size(); ++t) {
    values[t] = attribute->data.number(stride * static_cast<std::size_t>(primitives_[t]));
    if (per_volume) values[t] /= volumes_[t];
  }
  return values;
}

std::vector<float> RunSurface::values(const Shading& shading, const Geometry& frame) const {
  std::vector<float> values(drawn_.source.size(), 0.0F);
  if (is(shading, "speed")) {
    const Attribute* v = find_attribute(frame, ElementClass::kPoint, "v");
    if (!v) return values;
    const Points velocities = point_vectors(*v);
    for (std::size_t p = 0; p < values.size(); ++p)
      values[p] = static_cast<float>(velocities.col(drawn_.source[p]).norm());
  } else {
    const std::vector<double> of_tets = tet_values(shading, frame);
    for (std::size_t p = 0; p < values.size(); ++p)
      for (int s = share_starts_[p]; s < share_starts_[p + 1]; ++s) {
        const Share& share = shares_[static_cast<std::size_t>(s)];
        values[p] +=
            share.weight * static_cast<float>(of_tets[static_cast<std::size_t>(share.tet)]);
      }
  }
  for (float& value : values)
    if (!std::isfinite(value)) value = 0;
  return values;
}

}  // namespace dashpot
