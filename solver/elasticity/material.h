#pragma once

#include "solver/base/types.h"
#include "solver/elasticity/stretch_types.h"

namespace dashpot {

// In the order of the menu: corotated neohookean stvk arap.
enum class Material { kCorotated, kNeoHookean, kStvk, kArap };

// Young's modulus in Pa, above 0; Poisson's ratio in [0, 0.5). Throws InputError otherwise.
Lame<double> lame_parameters(double youngs_modulus, double poisson_ratio);

// One element at a time, for the energy ledger, diagnostics and tests. Term batches use the
// material structs (corotated.h, neohookean.h, stvk.h, arap.h) directly, four elements at once.

// The signed singular values of F, largest first.
Stretches<double> signed_stretches(const Mat3& F);

// Energy per rest volume, Pa.
double energy_density(Material material, const Stretches<double>& stretches, Lame<double> lame);
double energy_density(Material material, const Mat3& F, Lame<double> lame);

// Its derivative with respect to the stretches, Pa.
Stretches<double> energy_gradient(Material material, const Stretches<double>& stretches,
                                  Lame<double> lame);

// Its derivative with respect to F, Pa.
Mat3 first_piola(Material material, const Mat3& F, Lame<double> lame);

// Largest eigenvalue of its second derivative with respect to F at rest, Pa.
double curvature(Material material, double mu, double lambda);

}  // namespace dashpot
