#include "solver/elasticity/material.h"

#include <cmath>
#include <string>

#include "solver/base/error.h"
#include "solver/base/svd3.h"
#include "solver/elasticity/arap.h"
#include "solver/elasticity/corotated.h"
#include "solver/elasticity/neohookean.h"
#include "solver/elasticity/stvk.h"

namespace dashpot {
namespace {

template <class Function>
auto with_material(Material material, const Function& function) {
  switch (material) {
    case Material::kNeoHookean:
      return function(NeoHookean{});
    case Material::kStvk:
      return function(Stvk{});
    case Material::kArap:
      return function(Arap{});
    case Material::kCorotated:
      break;
  }
  return function(Corotated{});
}

struct Decomposition {
  Matrix3<double> u, v;
  Stretches<double> s;

  explicit Decomposition(const Mat3& F) { signed_svd(to_matrix3(F), u, s, v); }
};

}  // namespace

Lame<double> lame_parameters(double youngs_modulus, double poisson_ratio) {
  if (!(youngs_modulus > 0.0) || !std::isfinite(youngs_modulus))
    throw InputError("youngsmodulus is " + std::to_string(youngs_modulus) +
                     " Pa; set it above zero.");
  if (!(poisson_ratio >= 0.0 && poisson_ratio < 0.5))
    throw InputError("poissonratio is " + std::to_string(poisson_ratio) +
                     "; set it to at least 0 and below 0.5 (0.499 is nearly incompressible).");
  return {youngs_modulus / (2.0 * (1.0 + poisson_ratio)),
          youngs_modulus * poisson_ratio / ((1.0 + poisson_ratio) * (1.0 - 2.0 * poisson_ratio))};
}

Stretches<double> signed_stretches(const Mat3& F) {
  return Decomposition(F).s;
}

double energy_density(Material material, const Stretches<double>& stretches, Lame<double> lame) {
  return with_material(material,
                       [&](auto model) { return decltype(model)::value(stretches, lame); });
}

double energy_density(Material material, const Mat3& F, Lame<double> lame) {
  return energy_density(material, signed_stretches(F), lame);
}

Stretches<double> energy_gradient(Material material, const Stretches<double>& stretches,
                                  Lame<double> lame) {
  return with_material(material,
                       [&](auto model) { return decltype(model)::gradient(stretches, lame); });
}

Mat3 first_piola(Material material, const Mat3& F, Lame<double> lame) {
  const Decomposition f(F);
  return to_eigen(compose(f.u, energy_gradient(material, f.s, lame), f.v));
}

double curvature(Material material, double mu, double lambda) {
  return with_material(material,
                       [&](auto model) { return decltype(model)::curvature(mu, lambda); });
}

}  // namespace dashpot
