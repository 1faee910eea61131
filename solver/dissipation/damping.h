#pragma once

#include "solver/dissipation/damping_model.h"
#include "solver/dissipation/ramp.h"
#include "solver/elasticity/material.h"

namespace dashpot {

// The damping of one element. Every model has a linear form, a dissipation R that is quadratic in
// the rate of deformation; its power law (Brown et al. 2018 (54)) has the stress
//   (rate / reference)^(exponent - 1)  times that of the linear form,
// where the rate is that of a uniaxial stretch at rest with the same R. So all exponents agree at
// the reference rate.
struct Damping {
  DampingModel model = DampingModel::kNone;
  double shear = 0, bulk = 0;  // psi, phi of strainrate, Pa s
  double time = 0;             // beta of rayleigh, rayleighlagged and principalstrain, s
  double strength = 0;         // beta of stretchrate, Pa s
  double exponent = 1;         // p >= 0
  double reference = 1;        // 1/s
  const Ramp* ramp = nullptr;  // multiplies the linear form
  RampMode ramp_mode = RampMode::kOff;
};

// Whether it has any effect.
bool is_active(const Damping& damping);

// R of a uniaxial stretch of 1/s at rest (Pa s): the unit of R in the power law.
double unit_dissipation(const Damping& damping, Material material, Lame<double> lame);

// Second derivative of R with respect to the rate at rest, Pa s: of the softest (pure shear) and
// of the stiffest (pure dilation) mode.
struct DampingCurvature {
  double softest, stiffest;
};
DampingCurvature damping_curvature(const Damping& damping, Material material, Lame<double> lame);

}  // namespace dashpot
