#pragma once

#include <array>

namespace dashpot {

// Isotropic materials are functions of the three principal stretches: the signed singular values
// of F (solver/base/svd3.h), of which at most the last is negative. T is double or Lane.
template <class T>
using Stretches = std::array<T, 3>;

// Shear modulus and Lame's first parameter, both Pa.
template <class T>
struct Lame {
  T mu, lambda;
};

}  // namespace dashpot
