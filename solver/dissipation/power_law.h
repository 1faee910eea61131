#pragma once

#include <cmath>

#include "solver/base/simd.h"

namespace dashpot {

// Power law of a dissipation function (damping.h): the linear stress times
//   (R / reference)^((p - 1) / 2),   R and its value at the reference rate in Pa/s.
template <class T>
struct PowerLaw {
  T exponent;   // p
  T reference;  // R at the reference rate
  T unit;       // R at a rate of 1/s, Pa s
};

// For p < 1 the stress is steep without bound at rest. Strains that change by less than this in a
// stage count as this much.
constexpr double kSmallestStrainChange = 1e-9;

template <class T>
struct RateFactor {
  T value;  // of the stress
  T slope;  // d(value)/dR
};

DASHPOT_INLINE double lane_pow(double base, double exponent) {
  return std::pow(base, exponent);
}
inline Lane lane_pow(Lane base, Lane exponent) {
  return make_lane([&](int lane) { return std::pow(base[lane], exponent[lane]); });
}

template <class T>
DASHPOT_INLINE bool is_linear(const PowerLaw<T>& law) {
  return !any(law.exponent != 1.0);
}

template <class T>
DASHPOT_INLINE RateFactor<T> rate_factor(const PowerLaw<T>& law, T dissipation, T inverse_h) {
  if (is_linear(law)) return {broadcast<T>(1.0), T{}};
  const T smallest = kSmallestStrainChange * inverse_h;
  const T floor = law.unit * smallest * smallest;
  const T above = dissipation + floor;
  const T power = 0.5 * (law.exponent - 1.0);
  const T value = lane_pow(above / law.reference, power);
  return {value, power * value / above};
}

// The stress at rest that the law holds without moving, in units where the stress of the linear
// form is the square root of 2R: exact for p = 0, and what the smallest rate exerts for p < 1.
template <class T>
DASHPOT_INLINE T squared_holding_stress(const PowerLaw<T>& law, T inverse_h) {
  const T smallest = kSmallestStrainChange * inverse_h;
  const T floor = law.unit * smallest * smallest;
  const T ratio = lane_pow(floor / law.reference, law.exponent);
  return 2.0 * law.reference * ratio;
}

}  // namespace dashpot
