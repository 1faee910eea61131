#pragma once

#include <type_traits>
#include <utility>

#include "solver/base/matrix3.h"
#include "solver/base/simd.h"

namespace dashpot {

// Two registers side by side. The SVD and Newton's method are chains of square roots and divisions,
// each of which waits for the one before: two elements' chains fill each other's gaps. Every
// operation is that of Lane, so each element has the same bits as alone.
template <class V>
struct Pair {
  V a, b;
};

using LanePair = Pair<Lane>;

template <>
struct LaneTraits<LanePair> {
  using Mask = Pair<LaneMask>;
  using Bits = Pair<LaneBits>;
  static constexpr int kCount = 2 * kLanes;
};

template <class V>
using ElementOf = std::decay_t<decltype(std::declval<V>()[0])>;

#define DASHPOT_PAIR_OPERATOR(op)                                       \
  template <class V>                                                    \
  DASHPOT_INLINE auto operator op(const Pair<V>& x, const Pair<V>& y) { \
    using Result = std::decay_t<decltype(x.a op y.a)>;                  \
    return Pair<Result>{x.a op y.a, x.b op y.b};                        \
  }                                                                     \
  template <class V>                                                    \
  DASHPOT_INLINE auto operator op(const Pair<V>& x, ElementOf<V> y) {   \
    using Result = std::decay_t<decltype(x.a op y)>;                    \
    return Pair<Result>{x.a op y, x.b op y};                            \
  }                                                                     \
  template <class V>                                                    \
  DASHPOT_INLINE auto operator op(ElementOf<V> x, const Pair<V>& y) {   \
    using Result = std::decay_t<decltype(x op y.a)>;                    \
    return Pair<Result>{x op y.a, x op y.b};                            \
  }

DASHPOT_PAIR_OPERATOR(+)
DASHPOT_PAIR_OPERATOR(-)
DASHPOT_PAIR_OPERATOR(*)
DASHPOT_PAIR_OPERATOR(/)
DASHPOT_PAIR_OPERATOR(&)
DASHPOT_PAIR_OPERATOR(|)
#undef DASHPOT_PAIR_OPERATOR

// Compilers do not agree on the type that comparisons of vectors have.
#define DASHPOT_PAIR_COMPARISON(op)                                                 \
  DASHPOT_INLINE Pair<LaneMask> operator op(const LanePair& x, const LanePair& y) { \
    return {(LaneMask)(x.a op y.a), (LaneMask)(x.b op y.b)};                        \
  }                                                                                 \
  DASHPOT_INLINE Pair<LaneMask> operator op(const LanePair& x, double y) {          \
    return {(LaneMask)(x.a op y), (LaneMask)(x.b op y)};                            \
  }

DASHPOT_PAIR_COMPARISON(<)
DASHPOT_PAIR_COMPARISON(<=)
DASHPOT_PAIR_COMPARISON(>)
DASHPOT_PAIR_COMPARISON(>=)
#undef DASHPOT_PAIR_COMPARISON

DASHPOT_INLINE Pair<LaneBits> operator>>(const Pair<LaneBits>& x, int shift) {
  return {x.a >> shift, x.b >> shift};
}
DASHPOT_INLINE LanePair operator-(const LanePair& x) {
  return {-x.a, -x.b};
}
DASHPOT_INLINE LanePair& operator+=(LanePair& x, const LanePair& y) {
  return x = x + y;
}
DASHPOT_INLINE LanePair& operator*=(LanePair& x, const LanePair& y) {
  return x = x * y;
}

template <>
DASHPOT_INLINE LanePair broadcast<LanePair>(double v) {
  return {broadcast<Lane>(v), broadcast<Lane>(v)};
}
DASHPOT_INLINE LanePair select(const Pair<LaneMask>& mask, const LanePair& x, const LanePair& y) {
  return {select(mask.a, x.a, y.a), select(mask.b, x.b, y.b)};
}
DASHPOT_INLINE bool any(const Pair<LaneMask>& mask) {
  return any(mask.a | mask.b);
}
DASHPOT_INLINE Pair<LaneMask> mask_not(const Pair<LaneMask>& mask) {
  return {~mask.a, ~mask.b};
}
DASHPOT_INLINE Pair<LaneBits> to_bits(const LanePair& x) {
  return {to_bits(x.a), to_bits(x.b)};
}
DASHPOT_INLINE LanePair from_bits(const Pair<LaneBits>& x) {
  return {from_bits(x.a), from_bits(x.b)};
}
DASHPOT_INLINE LanePair lane_sqrt(const LanePair& x) {
  return {lane_sqrt(x.a), lane_sqrt(x.b)};
}
DASHPOT_INLINE LanePair lane_fma(const LanePair& x, const LanePair& y, const LanePair& z) {
  return {lane_fma(x.a, y.a, z.a), lane_fma(x.b, y.b, z.b)};
}
DASHPOT_INLINE LanePair lane_fma(const LanePair& x, double y, const LanePair& z) {
  return lane_fma(x, broadcast<LanePair>(y), z);
}

DASHPOT_INLINE LanePair pair_of(const Lane& a, const Lane& b) {
  return {a, b};
}

DASHPOT_INLINE Matrix3<LanePair> pair_of(const Matrix3<Lane>& a, const Matrix3<Lane>& b) {
  Matrix3<LanePair> pair;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) pair.m[i][j] = {a.m[i][j], b.m[i][j]};
  return pair;
}

DASHPOT_INLINE void split(const Matrix3<LanePair>& pair, Matrix3<Lane> (&of)[2]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      of[0].m[i][j] = pair.m[i][j].a;
      of[1].m[i][j] = pair.m[i][j].b;
    }
}

}  // namespace dashpot
