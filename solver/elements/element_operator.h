#pragma once

#include <cstdint>
#include <type_traits>

#include "solver/base/lane_points.h"
#include "solver/base/matrix3.h"

namespace dashpot {

template <int Columns>
struct LaneMatrix {
  Lane m[3][Columns];  // row, column
};

// D of four elements side by side: D x = [x1 - x0, x2 - x0, ...] B, with `Columns` columns. What
// gradients need of the elements, kept apart from the rest.
template <int Nodes, int Columns>
struct ElementOperator {
  static constexpr int kNodes = Nodes, kColumns = Columns;
  static constexpr int kCoordinates = 3 * Columns;  // of one element: D x, row by row
  using Gradient = std::conditional_t<Columns == 3, Matrix3<Lane>, LaneMatrix<Columns>>;

  int corner[Nodes][kLanes];          // vertex times four
  std::uint16_t slot[Nodes][kLanes];  // of the corner's vertex in the chunk
  Lane inverse_rest_shape[Nodes - 1][Columns];
};

template <int Nodes, int Columns>
inline typename ElementOperator<Nodes, Columns>::Gradient deformation_gradient(
    const ElementOperator<Nodes, Columns>& element, const double* x) {
  const LanePoint p0 = load_points(x, element.corner[0]);
  Lane edge[3][Nodes - 1];  // coordinate, edge
  for (int c = 0; c + 1 < Nodes; ++c) {
    const LanePoint p = load_points(x, element.corner[c + 1]);
    edge[0][c] = p.x - p0.x;
    edge[1][c] = p.y - p0.y;
    edge[2][c] = p.z - p0.z;
  }
  typename ElementOperator<Nodes, Columns>::Gradient f;
  const auto& g = element.inverse_rest_shape;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < Columns; ++c) {
      Lane sum = edge[r][0] * g[0][c];
      for (int a = 1; a + 1 < Nodes; ++a) sum = sum + edge[r][a] * g[a][c];
      f.m[r][c] = sum;
    }
  return f;
}

// D^T y for one block: y is the (already weighted) generalised force on D x.
template <int Nodes, int Columns>
inline void add_forces(const ElementOperator<Nodes, Columns>& element,
                       const typename ElementOperator<Nodes, Columns>::Gradient& y,
                       double* forces) {
  const auto& g = element.inverse_rest_shape;
  Lane force[Nodes][3];
  for (int r = 0; r < 3; ++r) {
    Lane sum{};
    for (int a = 0; a + 1 < Nodes; ++a) {
      Lane product = y.m[r][0] * g[a][0];
      for (int c = 1; c < Columns; ++c) product = product + y.m[r][c] * g[a][c];
      force[a + 1][r] = product;
      sum = a == 0 ? product : sum + product;
    }
    force[0][r] = -sum;
  }
  for (int a = 0; a < Nodes; ++a) {
    Lane x = force[a][0], y_ = force[a][1], z = force[a][2], zero{};
    transpose4(x, y_, z, zero);
    const auto add = [&](int lane, const Lane& f) {
      double* sum = forces + 4 * element.slot[a][lane];
      store_lane(sum, load_lane(sum) + f);
    };
    add(0, x);
    add(1, y_);
    add(2, z);
    add(3, zero);
  }
}

// |D|^2 of each of the four, Frobenius, for one coordinate of the points.
template <int Nodes, int Columns>
inline Lane squared_norm(const ElementOperator<Nodes, Columns>& element) {
  Lane squared{};
  const auto& g = element.inverse_rest_shape;
  for (int c = 0; c < Columns; ++c) {
    Lane first = g[0][c], sum = g[0][c] * g[0][c];
    for (int a = 1; a + 1 < Nodes; ++a) {
      first = first + g[a][c];
      sum = sum + g[a][c] * g[a][c];
    }
    squared += sum + first * first;
  }
  return squared;
}

template <class Gradient>
inline Gradient load_scaled(const double* flat, const Lane& scale) {
  Gradient out;
  constexpr int kColumns = sizeof(out.m[0]) / sizeof(Lane);
  for (int k = 0; k < 3 * kColumns; ++k)
    out.m[k / kColumns][k % kColumns] = scale * load_lane(flat + k * kLanes);
  return out;
}

}  // namespace dashpot
