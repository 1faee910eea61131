#include "solver/simulation/simulation_model.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "solver/base/parallel.h"
#include "solver/base/svd3.h"
#include "solver/mesh/boundary.h"
#include "solver/mesh/rest_shape.h"
#include "solver/parameters/parameters.h"

namespace dashpot {
namespace {

struct DampingColumns {
  ElementFields::Column model, shear, bulk, time, strength, exponent, reference, ramp_mode;

  explicit DampingColumns(const ElementFields& fields)
      : model(fields.column("dampingmodel")),
        shear(fields.column("dampingshear")),
        bulk(fields.column("dampingbulk")),
        time(fields.column("dampingtime")),
        strength(fields.column("dampingstrength")),
        exponent(fields.column("dampingexponent")),
        reference(fields.column("dampingreference")),
        ramp_mode(fields.column("dampingrampmode")) {}

  Damping damping(const Ramp* ramp, int t) const {
    Damping damping;
    damping.model = static_cast<DampingModel>(static_cast<int>(model[t]));
    damping.shear = shear[t];
    damping.bulk = bulk[t];
    damping.time = time[t];
    damping.strength = strength[t];
    damping.exponent = exponent[t];
    damping.reference = reference[t];
    damping.ramp_mode = static_cast<RampMode>(static_cast<int>(ramp_mode[t]));
    damping.ramp = ramp;
    return damping;
  }
};

std::shared_ptr<const Ramp> default_damping_ramp() {
  return std::make_shared<const Ramp>(parameter("dampingramp").ramp, "dampingramp");
}

void append_body(const Body& body, SimulationModel& system) {
  const int first = static_cast<int>(system.mass.size());
  const RestShape shape = make_rest_shape(body.mesh);
  const int tets = body.mesh.tet_count();
  TetTerms& terms = system.terms;
  const std::vector<double> density = body.fields.expand("massdensity", tets);
  terms.ramps.push_back(body.damping_ramp ? body.damping_ramp : default_damping_ramp());
  std::vector<double> drag_density = body.fields.expand("massdamping", tets);
  const ElementFields::Column materials = body.fields.column("material");
  const ElementFields::Column youngs = body.fields.column("youngsmodulus");
  const ElementFields::Column poisson = body.fields.column("poissonratio");
  const DampingColumns dampings(body.fields);
  for (int t = 0; t < tets; ++t) {
    Tet tet = body.mesh.tets[t];
    for (int& point : tet) point += first;
    const auto material = static_cast<Material>(static_cast<int>(materials[t]));
    const Lame<double> lame = lame_parameters(youngs[t], poisson[t]);
    terms.tets.push_back(tet);
    terms.inverse_rest_shape.push_back(shape.inverse_rest_shape[t]);
    terms.volume.push_back(shape.volume[t]);
    terms.material.push_back(material);
    terms.lame.push_back(lame);
    terms.squared_weight.push_back(automatic_squared_weight(material, lame, shape.volume[t]));
    terms.damping.push_back(dampings.damping(terms.ramps.back().get(), t));
    drag_density[t] *= density[t];
    system.tet_drag.push_back(drag_density[t] * shape.volume[t]);
  }
  for (double m : lumped_mass(body.mesh, shape, density)) {
    system.mass.push_back(m);
    system.pinned.push_back(m == 0);
  }
  for (double d : lumped_mass(body.mesh, shape, drag_density)) system.drag.push_back(d);

  const int points = body.mesh.point_count();
  system.initial_x.conservativeResize(3, first + points);
  system.initial_v.conservativeResize(3, first + points);
  system.initial_x.rightCols(points) = body.position;
  system.initial_v.rightCols(points) = body.velocity;
  for (int i = first; i < first + points; ++i)
    if (system.pinned[i]) system.initial_v.col(i).setZero();  // in no tet: carried along, at rest

  for (const Pin& pin : body.pins) {
    SimulationModel::PinnedSet set;
    set.body = static_cast<int>(system.point_offset.size()) - 1;
    set.initial.resize(3, static_cast<Eigen::Index>(pin.points.size()));
    for (std::size_t k = 0; k < pin.points.size(); ++k) {
      const int point = first + pin.points[k];
      set.points.push_back(point);
      set.initial.col(static_cast<Eigen::Index>(k)) = system.initial_x.col(point);
      system.pinned[point] = 1;
    }
    set.moves = pin.motion != nullptr;
    set.motion = pin.motion ? pin.motion : std::make_shared<const RigidMotion>();
    system.pins.push_back(std::move(set));
  }
}

void add_sites(const Scene& scene, SimulationModel& system) {
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    std::vector<char> on_surface(body.mesh.point_count(), 0);
    for (const Triangle& triangle : boundary_surface(body.mesh.tets))
      for (const int point : triangle) on_surface[point] = 1;
    for (int i = 0; i < body.mesh.point_count(); ++i) {
      const int point = system.point_offset[b] + i;
      if (!on_surface[i] || system.pinned[point]) continue;
      ContactVertex site;
      site.point = point;
      site.friction = body.friction.empty() ? 1 : body.friction[i];
      system.sites.push_back(site);
    }
  }
}

bool takes_energy(const TetTerms& terms, const std::vector<double>& tet_drag, int begin, int end) {
  if (terms.laplacian > 0) return true;
  for (int t = begin; t < end; ++t)
    if (is_active(terms.damping[t]) || tet_drag[t] > 0) return true;
  return false;
}

void add(const Measurement& part, Measurement& whole) {
  whole.elastic += part.elastic;
  whole.inverted += part.inverted;
  whole.max_stretch = std::max(whole.max_stretch, part.max_stretch);
  whole.min_stretch = std::min(whole.min_stretch, part.min_stretch);
}

struct StretchSums {
  Measurement m;
  StretchSums& operator+=(const StretchSums& other) {
    add(other.m, m);
    return *this;
  }
};

constexpr std::ptrdiff_t kGrain = 256;

// Of the tets first ... first + 3, or as many as there are before `end`.
Stretches<Lane> stretches_of_four(const SimulationModel& system, const Points& x, int first,
                                  int end) {
  Matrix3<Lane> f;
  for (int lane = 0; lane < kLanes; ++lane) {
    const auto t = static_cast<std::size_t>(std::min(first + lane, end - 1));
    const Mat3 own =
        deformation_gradient(x, system.terms.tets[t], system.terms.inverse_rest_shape[t]);
    for (int k = 0; k < 9; ++k) f.m[k / 3][k % 3][lane] = own(k / 3, k % 3);
  }
  Matrix3<Lane> u, v;
  Stretches<Lane> s;
  signed_svd(f, u, s, v);
  return s;
}

StretchSums measure_tets(const SimulationModel& system, const Points& x, int begin, int end) {
  StretchSums none;
  none.m.max_stretch = -1e300;
  none.m.min_stretch = 1e300;
  return parallel_sum(end - begin, kGrain, none, [&](ChunkRange range) {
    StretchSums sums = none;
    const TetTerms& terms = system.terms;
    Stretches<Lane> four{};
    for (auto k = range.begin; k < range.end; ++k) {
      const int t = begin + static_cast<int>(k), lane = static_cast<int>(k - range.begin) % kLanes;
      if (lane == 0) four = stretches_of_four(system, x, t, begin + static_cast<int>(range.end));
      const Stretches<double> s = {four[0][lane], four[1][lane], four[2][lane]};
      sums.m.elastic += terms.volume[t] * energy_density(terms.material[t], s, terms.lame[t]);
      sums.m.inverted += s[2] < 0;
      sums.m.max_stretch = std::max(sums.m.max_stretch, s[0]);
      sums.m.min_stretch = std::min(sums.m.min_stretch, s[2]);
    }
    return sums;
  });
}

}  // namespace

SimulationModel::SimulationModel(const Scene& scene) {
  terms.conserve_angular = scene.settings.conserve_angular;
  terms.second_order = scene.settings.second_order;
  terms.laplacian = scene.settings.laplacian_damping;
  for (const Body& body : scene.bodies) {
    point_offset.push_back(point_count());
    tet_offset.push_back(terms.count());
    append_body(body, *this);
    is_damped.push_back(takes_energy(terms, tet_drag, tet_offset.back(), terms.count()));
  }
  point_offset.push_back(point_count());
  tet_offset.push_back(terms.count());
  if (std::all_of(tet_drag.begin(), tet_drag.end(), [](double d) { return d == 0; }))
    tet_drag.clear();
  place_pins(0, initial_x, initial_v);
  colliders = scene.colliders;
  if (!colliders.empty()) add_sites(scene, *this);
}

bool SimulationModel::has_moving_pins() const {
  return std::any_of(pins.begin(), pins.end(), [](const PinnedSet& set) { return set.moves; });
}

bool SimulationModel::has_moving_pins(int body) const {
  return std::any_of(pins.begin(), pins.end(),
                     [&](const PinnedSet& set) { return set.moves && set.body == body; });
}

void SimulationModel::add_external(double factor, Points& to) const {
  if (external_force.cols() == 0) return;
  for (int i = 0; i < point_count(); ++i)
    if (!pinned[i]) to.col(i) += (factor / mass[i]) * external_force.col(i);
}

void SimulationModel::place_pins(double time, Points& x, Points& v) const {
  Points target_x, target_v;
  for (const PinnedSet& set : pins) {
    set.motion->targets(time, set.initial, target_x, target_v);
    for (std::size_t k = 0; k < set.points.size(); ++k) {
      x.col(set.points[k]) = target_x.col(static_cast<Eigen::Index>(k));
      v.col(set.points[k]) = target_v.col(static_cast<Eigen::Index>(k));
    }
  }
}

StretchRange stretch_range(const SimulationModel& system, const Points& x) {
  const Measurement m = measure_tets(system, x, 0, system.terms.count()).m;
  return {m.min_stretch, m.max_stretch};
}

Measurement measure(const SimulationModel& system, const Points& x, const Points& v,
                    const Vec3& gravity, int body) {
  const bool whole = body < 0;
  const int first = whole ? 0 : system.point_offset[body];
  const int last = whole ? system.point_count() : system.point_offset[body + 1];
  Measurement m = measure_tets(system, x, whole ? 0 : system.tet_offset[body],
                               whole ? system.terms.count() : system.tet_offset[body + 1])
                      .m;
  double mass = 0;
  Vec3 moment = Vec3::Zero();
  for (int i = first; i < last; ++i) {
    mass += system.mass[i];
    moment += system.mass[i] * x.col(i);
    m.linear_momentum += system.mass[i] * v.col(i);
    m.kinetic += 0.5 * system.mass[i] * v.col(i).squaredNorm();
  }
  m.center_of_mass = moment / mass;
  m.gravitational = -gravity.dot(moment);
  for (int i = first; i < last; ++i)
    m.angular_momentum +=
        system.mass[i] * (x.col(i) - m.center_of_mass).eval().cross(v.col(i).eval());
  return m;
}

std::vector<Measurement> measure_bodies(const SimulationModel& system, const Points& x,
                                        const Points& v, const Vec3& gravity) {
  std::vector<Measurement> bodies;
  bodies.reserve(system.body_count());
  for (int b = 0; b < system.body_count(); ++b) bodies.push_back(measure(system, x, v, gravity, b));
  return bodies;
}

}  // namespace dashpot
