#pragma once

#include <type_traits>

#include "solver/base/matrix3.h"
#include "solver/base/polar3.h"
#include "solver/base/svd3.h"
#include "solver/elasticity/arap.h"
#include "solver/elasticity/corotated.h"
#include "solver/elasticity/neohookean.h"
#include "solver/elasticity/stvk.h"

namespace dashpot {

// Smallest stretch down to which a material is regular.
template <class Material>
constexpr double regular_stretch() {
  constexpr double kAlmostFlat = 0.1;  // the rotation of a flat element is not defined
  if (std::is_same_v<Material, NeoHookean>) return NeoHookean::kThreshold;
  return std::is_same_v<Material, Stvk> ? Stvk::kQuadratic : kAlmostFlat;
}

// The first Piola stress dPsi/dF of elements that are not squeezed so far that their energy is
// extended, has a kink, or has several minima. True where that is certain.
template <class T>
DASHPOT_INLINE MaskOf<T> regular_neohookean_stress(const Matrix3<T>& F, const Lame<T>& lame,
                                                   Matrix3<T>& stress) {
  Matrix3<T> cofactor;
  const T J = determinant(F, cofactor);
  // The smallest stretch is J over the product of the others, which is below |cofactor|.
  constexpr double kThreshold = NeoHookean::kThreshold;
  const MaskOf<T> regular =
      (J > 0.0) & (J * J > (kThreshold * kThreshold) * squared_norm(cofactor));
  const T volume = select(regular, J, broadcast<T>(1.0));
  // mu F + (lambda log J - mu) F^-T
  const T net = lane_fma(lame.lambda, lane_log(volume), -lame.mu) / volume;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      stress.m[i][j] = lane_fma(lame.mu, F.m[i][j], net * cofactor.m[i][j]);
  return regular;
}

// The same from F = Q S, for materials whose stress needs no more than that.
template <class Material>
constexpr bool kHasPolarStress =
    std::is_same_v<Material, NeoHookean> || std::is_same_v<Material, Corotated> ||
    std::is_same_v<Material, Arap>;

template <class Material, class T>
DASHPOT_INLINE MaskOf<T> regular_polar_stress(const Matrix3<T>& F, const Lame<T>& lame,
                                              PolarDecomposition<T>& polar, Matrix3<T>& stress) {
  const MaskOf<T> regular = polar_decomposition(F, regular_stretch<Material>(), polar);
  if constexpr (std::is_same_v<Material, NeoHookean>) {
    return regular & regular_neohookean_stress(F, lame, stress);
  } else {
    // 2 mu (F - Q) + lambda (tr S - 3) Q
    const T stiffness = 2.0 * lame.mu;
    T turned = -stiffness;
    if constexpr (std::is_same_v<Material, Corotated>)
      turned =
          lane_fma(lame.lambda, polar.s.m[0][0] + polar.s.m[1][1] + polar.s.m[2][2] - 3.0, turned);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        stress.m[i][j] = lane_fma(stiffness, F.m[i][j], turned * polar.q.m[i][j]);
    return regular;
  }
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
