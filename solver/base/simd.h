#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(__AVX__)
#include <immintrin.h>
#endif

// Lane kernels are short and called with many registers in flight: a call would spill them all.
#define DASHPOT_INLINE inline __attribute__((always_inline))

namespace dashpot {

// Four elements side by side. GCC and Clang turn this into one AVX2 register, or two SSE2/NEON
// ones; code below is written once for T = double (tests, single elements) and T = Lane.
//
// A kernel gives the same bits for T = double and for each lane of T = Lane, wherever it is
// inlined, provided that every sum with a product in it is written with lane_fma: a bare
// a * b + c leaves it to the compiler, case by case, whether to round the product.
using Lane = double __attribute__((vector_size(32)));
using LaneMask = std::int64_t __attribute__((vector_size(32)));
using LaneBits = std::uint64_t __attribute__((vector_size(32)));
constexpr int kLanes = 4;

template <class T>
struct LaneTraits;
template <>
struct LaneTraits<double> {
  using Mask = bool;
  using Bits = std::uint64_t;
  static constexpr int kCount = 1;
};
template <>
struct LaneTraits<Lane> {
  using Mask = LaneMask;
  using Bits = LaneBits;
  static constexpr int kCount = kLanes;
};

template <class T>
using MaskOf = typename LaneTraits<T>::Mask;

template <class T>
DASHPOT_INLINE T broadcast(double v);
template <>
DASHPOT_INLINE double broadcast<double>(double v) {
  return v;
}
template <>
DASHPOT_INLINE Lane broadcast<Lane>(double v) {
  return Lane{v, v, v, v};
}

// Element by element: value(0), value(1), ...
template <class Value>
DASHPOT_INLINE Lane make_lane(const Value& value) {
  return Lane{value(0), value(1), value(2), value(3)};
}

DASHPOT_INLINE double select(bool mask, double a, double b) {
  return mask ? a : b;
}
DASHPOT_INLINE Lane select(LaneMask mask, Lane a, Lane b) {
  return mask ? a : b;
}

DASHPOT_INLINE bool any(bool mask) {
  return mask;
}
DASHPOT_INLINE bool any(LaneMask mask) {
#if defined(__AVX__)
  return _mm256_movemask_pd(reinterpret_cast<__m256d>(mask)) != 0;
#else
  return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
#endif
}

DASHPOT_INLINE bool mask_not(bool mask) {
  return !mask;
}
DASHPOT_INLINE LaneMask mask_not(LaneMask mask) {
  return ~mask;
}

// The number's IEEE bits, and back.
DASHPOT_INLINE std::uint64_t to_bits(double a) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &a, sizeof bits);
  return bits;
}
DASHPOT_INLINE LaneBits to_bits(Lane a) {
  return reinterpret_cast<LaneBits>(a);
}
DASHPOT_INLINE double from_bits(std::uint64_t bits) {
  double a = 0.0;
  std::memcpy(&a, &bits, sizeof a);
  return a;
}
DASHPOT_INLINE Lane from_bits(LaneBits bits) {
  return reinterpret_cast<Lane>(bits);
}

template <class T>
DASHPOT_INLINE T lane_min(T a, T b) {
  return select(a < b, a, b);
}
template <class T>
DASHPOT_INLINE T lane_max(T a, T b) {
  return select(a > b, a, b);
}
template <class T>
DASHPOT_INLINE T lane_abs(T a) {
  return from_bits(to_bits(a) & std::uint64_t{0x7fffffffffffffff});
}

DASHPOT_INLINE double lane_sqrt(double a) {
  return std::sqrt(a);
}
DASHPOT_INLINE Lane lane_sqrt(Lane a) {
#if defined(__AVX__)
  return reinterpret_cast<Lane>(_mm256_sqrt_pd(reinterpret_cast<__m256d>(a)));
#else
  return Lane{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
#endif
}

// a * b + c, rounded once where the machine can, and alike for a double and for a lane.
#if defined(__AVX__) && defined(__FMA__)
DASHPOT_INLINE double lane_fma(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
DASHPOT_INLINE Lane lane_fma(Lane a, Lane b, Lane c) {
  return reinterpret_cast<Lane>(_mm256_fmadd_pd(
      reinterpret_cast<__m256d>(a), reinterpret_cast<__m256d>(b), reinterpret_cast<__m256d>(c)));
}
#elif defined(__FMA__) || defined(__ARM_FEATURE_FMA)
DASHPOT_INLINE double lane_fma(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
DASHPOT_INLINE Lane lane_fma(Lane a, Lane b, Lane c) {
  return Lane{__builtin_fma(a[0], b[0], c[0]), __builtin_fma(a[1], b[1], c[1]),
              __builtin_fma(a[2], b[2], c[2]), __builtin_fma(a[3], b[3], c[3])};
}
#else
DASHPOT_INLINE double lane_fma(double a, double b, double c) {
  return a * b + c;
}
DASHPOT_INLINE Lane lane_fma(Lane a, Lane b, Lane c) {
  return a * b + c;
}
#endif
DASHPOT_INLINE Lane lane_fma(Lane a, double b, Lane c) {
  return lane_fma(a, broadcast<Lane>(b), c);
}

DASHPOT_INLINE double lane_sum(double a) {
  return a;
}
DASHPOT_INLINE double lane_sum(Lane a) {
  return (a[0] + a[1]) + (a[2] + a[3]);
}

}  // namespace dashpot
