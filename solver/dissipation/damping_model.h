#pragma once

namespace dashpot {

// In the order of the menu: none strainrate rayleigh rayleighlagged principalstrain stretchrate.
enum class DampingModel {
  kNone,
  kStrainRate,
  kRayleigh,
  kRayleighLagged,
  kPrincipalStrain,
  kStretchRate
};

// In the order of the menu: off max perstrain perrate.
enum class RampMode { kOff, kMax, kPerStrain, kPerRate };

}  // namespace dashpot
