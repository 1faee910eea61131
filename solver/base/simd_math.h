#pragma once

#include "solver/base/simd.h"

namespace dashpot {

// Natural logarithm of a positive, normal, finite number to within 2 ulp (measured: below 1).
// The same operations, hence the same bits, for a double and for a lane.
template <class T>
DASHPOT_INLINE T lane_log(T x) {
  // x = 2^e m with m in [sqrt(1/2), sqrt(2)): counting exponents from sqrt(1/2) keeps log 1 exact.
  constexpr std::uint64_t kSqrtHalf = 0x3fe6a09e667f3bcd, kFraction = 0x000fffffffffffff;
  // Adding 2^52 + 1023 in the low bits of 2^52 turns the exponent field into a double.
  constexpr std::uint64_t kTwo52 = 0x4330000000000000;
  constexpr double kTwo52AndBias = 4503599627370496.0 + 1023.0;
  constexpr std::uint64_t kOne = 0x3ff0000000000000;
  const auto shifted = to_bits(x) + (kOne - kSqrtHalf);
  const T e = from_bits((shifted >> 52) | kTwo52) - kTwo52AndBias;
  const T m = from_bits((shifted & kFraction) + kSqrtHalf);

  // log m = 2 atanh(s), s = f / (2 + f); atanh(s) = s + s z r / 2, z = s^2, r a polynomial in
  // z that interpolates at the Chebyshev points of m's range (relative error 2^-57).
  const T f = m - 1.0, s = f / (f + 2.0), z = s * s;
  constexpr double kCoefficients[] = {0.15331721600556042, 0.18182889125261723, 0.2222221113479508,
                                      0.28571428625975487, 0.39999999999899505, 0.666666666666667};
  T r = broadcast<T>(0.14616449685043406);
  for (const double c : kCoefficients) r = lane_fma(r, z, broadcast<T>(c));

  // log 2 in two parts; the first has 21 significant bits, so that e times it is exact.
  constexpr double kLog2High = 0.6931471803691238, kLog2Low = 1.9082149292705877e-10;
  const T small = lane_fma(-s, lane_fma(-r, z, f), e * kLog2Low);
  return lane_fma(e, broadcast<T>(kLog2High), f + small);
}

}  // namespace dashpot
