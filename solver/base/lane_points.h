#pragma once

#include "solver/base/simd.h"

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace dashpot {

// Points that kernels read and write are stored as four doubles (x, y, z, 0), so that one point is
// one vector load; a 4x4 transpose then gives one Lane per coordinate.

inline void transpose4(Lane& a, Lane& b, Lane& c, Lane& d) {
#if defined(__AVX__)
  const __m256d ab_low = _mm256_unpacklo_pd(a, b), ab_high = _mm256_unpackhi_pd(a, b);
  const __m256d cd_low = _mm256_unpacklo_pd(c, d), cd_high = _mm256_unpackhi_pd(c, d);
  a = _mm256_permute2f128_pd(ab_low, cd_low, 0x20);
  b = _mm256_permute2f128_pd(ab_high, cd_high, 0x20);
  c = _mm256_permute2f128_pd(ab_low, cd_low, 0x31);
  d = _mm256_permute2f128_pd(ab_high, cd_high, 0x31);
#else
  const Lane p = a, q = b, r = c, s = d;
  a = Lane{p[0], q[0], r[0], s[0]};
  b = Lane{p[1], q[1], r[1], s[1]};
  c = Lane{p[2], q[2], r[2], s[2]};
  d = Lane{p[3], q[3], r[3], s[3]};
#endif
}

inline Lane load_lane(const double* p) {
  Lane lane;
  __builtin_memcpy(&lane, p, sizeof lane);
  return lane;
}
inline void store_lane(double* p, const Lane& lane) {
  __builtin_memcpy(p, &lane, sizeof lane);
}

struct LanePoint {
  Lane x, y, z;
};

// Point `offset[l]` (already times four) of each element l.
inline LanePoint load_points(const double* points, const int* offset) {
  Lane a = load_lane(points + offset[0]), b = load_lane(points + offset[1]);
  Lane c = load_lane(points + offset[2]), d = load_lane(points + offset[3]);
  transpose4(a, b, c, d);
  return {a, b, c};
}

}  // namespace dashpot
