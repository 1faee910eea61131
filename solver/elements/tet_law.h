#pragma once

#include "solver/base/svd3.h"
#include "solver/elements/element_batch.h"
#include "solver/elements/tet_set.h"
#include "solver/elements/tet_shape.h"

namespace dashpot {

// What the laws of all tets have in common.
struct TetLaw {
  using Shape = TetShape;
  using Source = TetTerms;
  template <class Block>
  using At = BlockAt<TetShape, Block>;

  static Lane extent(const TetShape& shape) { return shape.volume; }

  static void set_tet(TetShape& shape, ElementBlock& block, int lane, const TetTerms& terms,
                      int t) {
    shape.lame.mu[lane] = terms.lame[t].mu;
    shape.lame.lambda[lane] = terms.lame[t].lambda;
    shape.volume[lane] = terms.volume[t];
    block.rest_stiffness[lane] = terms.squared_weight[t] / terms.volume[t];
    block.rest_squared_weight[lane] = terms.squared_weight[t];
  }

  static void set_padding(TetShape& shape, ElementBlock& block, int lane) {
    shape.volume[lane] = 0;
    block.rest_squared_weight[lane] = 0;
  }

  static Stretches<Lane> stretches(const Matrix3<Lane>& f) {
    Matrix3<Lane> u, v;
    Stretches<Lane> sigma;
    signed_svd(f, u, sigma, v);
    return sigma;
  }

  template <class Elastic>
  static Lane elastic_weight_factor(const TetShape& shape, const ElementBlock& block,
                                    const Stretches<Lane>& sigma) {
    return dashpot::weight_factor(kWeightMargin *
                                  concavity(sigma, Elastic::gradient(sigma, shape.lame)) /
                                  block.rest_stiffness);
  }
};

}  // namespace dashpot
