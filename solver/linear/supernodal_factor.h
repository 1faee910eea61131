#pragma once

#include "solver/linear/factor_tiles.h"
#include "solver/linear/symbolic_factor.h"

namespace dashpot {

// Multifrontal Cholesky: every supernode gathers its matrix entries and its children's updates
// into a dense front, eliminates its columns and hands the rest to its parent. Independent
// subtrees run in parallel; children are added in a fixed order, so the factor is bitwise the
// same for any number of threads.
//
// `values` are the matrix entries in the analysed order. Returns -1, or the first position (in
// factor order) at which the matrix is not positive definite; the tiles are then unusable.
int factorize_supernodes(const SymbolicFactor& factor, const double* values, FactorTiles& tiles);

}  // namespace dashpot
