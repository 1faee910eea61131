#include "solver/simulation/simulation_model.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "solver/mesh/rest_shape.h"
#include "solver/parameters/parameters.h"
#include "solver/simulation/contact_setup.h"

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

void append_tets(const Body& body, const RestShape& shape, int first, TetTerms& terms) {
  const int tets = body.mesh.tet_count();
  terms.ramps.push_back(body.damping_ramp ? body.damping_ramp : default_damping_ramp());
  const ElementFields::Column density = body.fields.column("massdensity");
  const ElementFields::Column drag = body.fields.column("massdamping");
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
    terms.drag.push_back(drag[t] * density[t] * shape.volume[t]);
    terms.damping.push_back(dampings.damping(terms.ramps.back().get(), t));
  }
}

void append_springs(const Body& body, int first, SpringTerms& terms) {
  const Springs& springs = body.springs;
  for (std::size_t e = 0; e < springs.edges.size(); ++e) {
    const auto [a, b] = springs.edges[e];
    terms.edges.push_back({first + a, first + b});
    terms.rest_length.push_back((body.mesh.rest.col(b) - body.mesh.rest.col(a)).norm());
    terms.stiffness.push_back(springs.stiffness[e]);
    terms.damping.push_back(springs.damping[e]);
  }
}

void append_points(const Body& body, const RestShape& shape, SimulationModel& model) {
  const int first = model.point_count(), tets = body.mesh.tet_count();
  const std::vector<double> density = body.fields.expand("massdensity", tets);
  std::vector<double> drag_density = body.fields.expand("massdamping", tets);
  for (int t = 0; t < tets; ++t) drag_density[t] *= density[t];
  std::vector<double> mass = lumped_mass(body.mesh, shape, density);
  for (std::size_t i = 0; i < body.point_mass.size(); ++i) mass[i] += body.point_mass[i];
  for (const double m : mass) {
    model.mass.push_back(m);
    model.pinned.push_back(m == 0);
  }
  for (double d : lumped_mass(body.mesh, shape, drag_density)) model.drag.push_back(d);

  const int points = body.mesh.point_count();
  model.initial_x.conservativeResize(3, first + points);
  model.initial_v.conservativeResize(3, first + points);
  model.initial_x.rightCols(points) = body.position;
  model.initial_v.rightCols(points) = body.velocity;
  for (int i = first; i < first + points; ++i)
    if (model.pinned[i]) model.initial_v.col(i).setZero();  // in no tet: carried along, at rest
}

void append_pins(const Body& body, int number, int first, SimulationModel& model) {
  for (const Pin& pin : body.pins) {
    SimulationModel::PinnedSet set;
    set.body = number;
    set.initial.resize(3, static_cast<Eigen::Index>(pin.points.size()));
    for (std::size_t k = 0; k < pin.points.size(); ++k) {
      const int point = first + pin.points[k];
      set.points.push_back(point);
      set.initial.col(static_cast<Eigen::Index>(k)) = model.initial_x.col(point);
      model.pinned[point] = 1;
    }
    set.moves = pin.motion != nullptr;
    set.motion = pin.motion ? pin.motion : std::make_shared<const RigidMotion>();
    model.pins.push_back(std::move(set));
  }
}

bool takes_energy(const SimulationModel& model, const SimulationModel::BodyElements& elements) {
  if (model.laplacian > 0) return true;
  for (std::size_t s = 0; s < elements.size(); ++s)
    for (int e = elements[s].begin; e < elements[s].end; ++e)
      if (model.elements.sets()[s]->is_damped(e)) return true;
  return false;
}

double stiffness(const SimulationModel& model, const SimulationModel::BodyElements& elements) {
  double sum = 0;
  for (std::size_t s = 0; s < elements.size(); ++s)
    for (int e = elements[s].begin; e < elements[s].end; ++e)
      sum += model.elements.sets()[s]->squared_weight(e);
  return sum;
}

}  // namespace

SimulationModel::SimulationModel(const Scene& scene) {
  laplacian = scene.settings.laplacian_damping;
  conserve_angular = scene.settings.conserve_angular;
  SpringTerms springs;
  TetTerms tets;
  tets.conserve_angular = scene.settings.conserve_angular;
  tets.second_order = scene.settings.second_order;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const RestShape shape = make_rest_shape(body.mesh);
    const int first = point_count(), first_tet = tets.count(), first_spring = springs.count();
    point_offset.push_back(first);
    append_points(body, shape, *this);
    append_tets(body, shape, first, tets);
    append_springs(body, first, springs);
    append_pins(body, static_cast<int>(b), first, *this);
    elements_of.push_back({{first_tet, tets.count()}, {first_spring, springs.count()}});
  }
  point_offset.push_back(point_count());
  std::vector<std::unique_ptr<ElementSet>> sets;
  sets.push_back(std::make_unique<TetSet>(std::move(tets)));
  sets.push_back(std::make_unique<SpringSet>(std::move(springs)));
  elements = Elements(std::move(sets));
  for (const BodyElements& own : elements_of) {
    is_damped.push_back(takes_energy(*this, own));
    stiffness_of.push_back(stiffness(*this, own));
  }
  std::vector<char> is_pinned(mass.size(), 0);
  for (const PinnedSet& set : pins)
    for (const int point : set.points) is_pinned[point] = 1;
  for (int i = 0; i < point_count(); ++i)
    if (mass[i] == 0 && !is_pinned[i]) carried.push_back(i);
  place_pins(0, initial_x, initial_v);
  contact = make_contact_model(scene, *this);
}

const TetTerms& SimulationModel::tets() const {
  return static_cast<const TetSet&>(*elements.sets().front()).terms();
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

}  // namespace dashpot
