#pragma once

#include <vector>

#include "solver/simulation/frame_report.h"
#include "solver/simulation/simulation_model.h"

namespace dashpot {

// Where all energies are summed.

// Points begin ... end - 1, J.
double kinetic_energy(const SimulationModel& model, const Points& v, int begin, int end);
// That of a body without the motion of its centre of mass, J.
double vibration_energy(const SimulationModel& model, const Points& v, int body);
// kinetic + elastic + gravitational, J.
double total_energy(const Measurement& m);

// Energies, momenta and stretches of one body, or of all with body = -1.
Measurement measure(const SimulationModel& model, const Points& x, const Points& v,
                    const Vec3& gravity, int body);
std::vector<Measurement> measure_bodies(const SimulationModel& model, const Points& x,
                                        const Points& v, const Vec3& gravity);

// The smallest and the largest signed singular value of any F.
struct StretchRange {
  double min, max;
};
StretchRange stretch_range(const SimulationModel& model, const Points& x);

}  // namespace dashpot
