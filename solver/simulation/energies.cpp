#include "solver/simulation/energies.h"

#include <Eigen/Geometry>

namespace dashpot {
namespace {

ElementMeasurement measure_elements(const SimulationModel& model, const Points& x, int body) {
  if (body >= 0) return model.elements.measure(x, model.elements_of[body]);
  std::vector<ElementRange> all;
  for (const auto& set : model.elements.sets()) all.push_back({0, set->count()});
  return model.elements.measure(x, all);
}

}  // namespace

double kinetic_energy(const SimulationModel& model, const Points& v, int begin, int end) {
  double kinetic = 0;
  for (int i = begin; i < end; ++i) kinetic += 0.5 * model.mass[i] * v.col(i).squaredNorm();
  return kinetic;
}

double vibration_energy(const SimulationModel& model, const Points& v, int body) {
  const int first = model.point_offset[body], last = model.point_offset[body + 1];
  double mass = 0;
  Vec3 momentum = Vec3::Zero();
  for (int i = first; i < last; ++i) {
    mass += model.mass[i];
    momentum += model.mass[i] * v.col(i);
  }
  return kinetic_energy(model, v, first, last) - 0.5 * momentum.squaredNorm() / mass;
}

double total_energy(const Measurement& m) {
  return m.kinetic + m.elastic + m.gravitational;
}

Measurement measure(const SimulationModel& model, const Points& x, const Points& v,
                    const Vec3& gravity, int body) {
  const int first = body < 0 ? 0 : model.point_offset[body];
  const int last = body < 0 ? model.point_count() : model.point_offset[body + 1];
  const ElementMeasurement elements = measure_elements(model, x, body);
  Measurement m;
  m.elastic = elements.elastic;
  m.inverted = elements.inverted;
  m.max_stretch = elements.max_stretch;
  m.min_stretch = elements.min_stretch;
  m.kinetic = kinetic_energy(model, v, first, last);
  double mass = 0;
  Vec3 moment = Vec3::Zero();
  for (int i = first; i < last; ++i) {
    mass += model.mass[i];
    moment += model.mass[i] * x.col(i);
    m.linear_momentum += model.mass[i] * v.col(i);
  }
  m.center_of_mass = moment / mass;
  m.gravitational = -gravity.dot(moment);
  for (int i = first; i < last; ++i)
    m.angular_momentum +=
        model.mass[i] * (x.col(i) - m.center_of_mass).eval().cross(v.col(i).eval());
  return m;
}

std::vector<Measurement> measure_bodies(const SimulationModel& model, const Points& x,
                                        const Points& v, const Vec3& gravity) {
  std::vector<Measurement> bodies;
  bodies.reserve(model.body_count());
  for (int b = 0; b < model.body_count(); ++b) bodies.push_back(measure(model, x, v, gravity, b));
  return bodies;
}

StretchRange stretch_range(const SimulationModel& model, const Points& x) {
  const ElementMeasurement m = measure_elements(model, x, -1);
  return {m.min_stretch, m.max_stretch};
}

}  // namespace dashpot
