#pragma once

#include <type_traits>

#include "solver/base/matrix3.h"
#include "solver/base/svd3.h"
#include "solver/elasticity/neohookean.h"
#include "solver/elasticity/stvk.h"

namespace dashpot {

// The first Piola stress dPsi/dF of elements that are not squeezed so far that their energy is
// extended, has a kink, or has several minima. True where that is certain.
template <class T>
DASHPOT_INLINE MaskOf<T> regular_neohookean_stress(const Matrix3<T>& F, const Lame<T>& lame,
                                                   Matrix3<T>& stress) {
  Matrix3<T> cofactor;
  T squared = T{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const T c = lane_fma(F.m[i1][j1], F.m[i2][j2], -(F.m[i1][j2] * F.m[i2][j1]));
      cofactor.m[i][j] = c;
      squared = lane_fma(c, c, squared);
    }
  const T J = lane_fma(F.m[0][2], cofactor.m[0][2],
                       lane_fma(F.m[0][1], cofactor.m[0][1], F.m[0][0] * cofactor.m[0][0]));
  // The smallest stretch is J over the product of the others, which is below |cofactor|.
  constexpr double kThreshold = NeoHookean::kThreshold;
  const MaskOf<T> regular = (J > 0.0) & (J * J > (kThreshold * kThreshold) * squared);
  const T volume = select(regular, J, broadcast<T>(1.0));
  // mu F + (lambda log J - mu) F^-T
  const T net = lane_fma(lame.lambda, lane_log(volume), -lame.mu) / volume;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      stress.m[i][j] = lane_fma(lame.mu, F.m[i][j], net * cofactor.m[i][j]);
  return regular;
}

// Smallest stretch down to which a material is regular.
template <class Material>
constexpr double regular_stretch() {
  constexpr double kAlmostFlat = 0.1;  // the rotation of a flat element is not defined
  if (std::is_same_v<Material, NeoHookean>) return NeoHookean::kThreshold;
  return std::is_same_v<Material, Stvk> ? Stvk::kQuadratic : kAlmostFlat;
}

// axes: V of an SVD of nearly the same F, replaced by that of F where the material needs one.
template <class Material, class T>
DASHPOT_INLINE MaskOf<T> regular_stress(const Matrix3<T>& F, const Lame<T>& lame, Matrix3<T>& axes,
                                        Matrix3<T>& stress) {
  if constexpr (std::is_same_v<Material, NeoHookean>) {
    return regular_neohookean_stress(F, lame, stress);
  } else {
    Matrix3<T> u;
    Stretches<T> s;
    signed_svd_from(F, u, s, axes);
    stress = compose(u, Material::gradient(s, lame), axes);
    return s[2] > regular_stretch<Material>();
  }
}

}  // namespace dashpot
