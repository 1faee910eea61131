#include "solver/dissipation/damping.h"

namespace dashpot {

bool is_active(const Damping& damping) {
  switch (damping.model) {
    case DampingModel::kNone:
      break;
    case DampingModel::kStrainRate:
      return damping.shear > 0 || damping.bulk > 0;
    case DampingModel::kRayleigh:
    case DampingModel::kRayleighLagged:
    case DampingModel::kPrincipalStrain:
      return damping.time > 0;
    case DampingModel::kStretchRate:
      return damping.strength > 0;
  }
  return false;
}

double unit_dissipation(const Damping& damping, Material material, Lame<double> lame) {
  switch (damping.model) {
    case DampingModel::kNone:
      break;
    case DampingModel::kStrainRate:
      return damping.shear + 0.5 * damping.bulk;
    case DampingModel::kRayleigh:
    case DampingModel::kRayleighLagged:
    case DampingModel::kPrincipalStrain: {
      const double lambda = (curvature(material, lame.mu, lame.lambda) - 2 * lame.mu) / 3;
      return 0.5 * damping.time * (2 * lame.mu + lambda);
    }
    case DampingModel::kStretchRate:
      return damping.strength;
  }
  return 0;
}

DampingCurvature damping_curvature(const Damping& damping, Material material, Lame<double> lame) {
  switch (damping.model) {
    case DampingModel::kNone:
      break;
    case DampingModel::kStrainRate:
      return {2 * damping.shear, 2 * damping.shear + 3 * damping.bulk};
    case DampingModel::kRayleigh:
    case DampingModel::kRayleighLagged:
    case DampingModel::kPrincipalStrain:
      return {damping.time * 2 * lame.mu, damping.time * curvature(material, lame.mu, lame.lambda)};
    case DampingModel::kStretchRate:
      return {2 * damping.strength, 2 * damping.strength};
  }
  return {0, 0};
}

}  // namespace dashpot
