#include "standalone/scene/shapes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "solver/base/error.h"

namespace dashpot {
namespace {

constexpr double kPi = 3.14159265358979323846;

// One direction of a block of hexahedral cells. A cell's six tets share the diagonal from its
// first to its last corner; a mirrored cell exchanges the two along this axis. Neighbours fit
// together however the axes are mirrored, because a face's diagonal depends only on the two axes
// that the neighbours have in common.
struct Axis {
  std::vector<bool> mirrored;  // by cell
  bool closed = false;         // the last cell meets the first

  int cells() const { return static_cast<int>(mirrored.size()); }
  int points() const { return closed ? cells() : cells() + 1; }
};

// Neighbours are mirror images, so no direction is favoured; halves are mirror images too.
Axis alternating_axis(int cells) {
  Axis axis;
  for (int i = 0; i < cells; ++i)
    axis.mirrored.push_back(2 * i < cells ? i % 2 == 1 && 2 * i + 1 != cells
                                          : (cells - 1 - i) % 2 == 0);
  return axis;
}

// All diagonals run towards the middle: at a rounded edge, where two cell faces become one smooth
// surface, every tet then has a point below the surface and none is flat.
Axis centred_axis(int cells) {
  Axis axis;
  for (int i = 0; i < cells; ++i) axis.mirrored.push_back(2 * i >= cells);
  return axis;
}

// A multiple of four cells around a ring.
Axis ring_axis(int cells) {
  Axis axis;
  for (int i = 0; i < cells; ++i) axis.mirrored.push_back(i % 2 == 1);
  axis.closed = true;
  return axis;
}

using Block = std::array<Axis, 3>;
using Place = std::array<int, 3>;  // of a point or cell in a block

int point_number(const Block& block, const Place& at) {
  Place wrapped = at;
  for (int a = 0; a < 3; ++a) wrapped[a] %= block[a].points();
  return (wrapped[0] * block[1].points() + wrapped[1]) * block[2].points() + wrapped[2];
}

// Kuhn's six tets: from the first corner to the last along the axes in each order.
void cut_cell(const Block& block, const Place& cell, std::vector<Tet>& tets) {
  Place corner = cell, step;
  bool negative = false;
  for (int a = 0; a < 3; ++a) {
    const bool mirrored = block[a].mirrored[cell[a]];
    step[a] = mirrored ? -1 : 1;
    if (mirrored) ++corner[a];
    negative = negative != mirrored;
  }
  constexpr int kOrders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int order = 0; order < 6; ++order) {
    Tet tet{point_number(block, corner)};
    Place at = corner;
    for (int i = 0; i < 3; ++i) {
      at[kOrders[order][i]] += step[kOrders[order][i]];
      tet[i + 1] = point_number(block, at);
    }
    const bool odd_order = order >= 3;
    if (odd_order != negative) std::swap(tet[2], tet[3]);
    tets.push_back(tet);
  }
}

// position(u, v, w) maps [-1, 1]^3 to space and keeps orientation.
template <class Position>
TetGeometry fill_block(const Block& block, const Position& position) {
  TetGeometry geometry;
  const int nx = block[0].points(), ny = block[1].points(), nz = block[2].points();
  geometry.points.resize(3, static_cast<Eigen::Index>(nx) * ny * nz);
  const auto parameter = [&](int axis, int i) {
    // Exactly antisymmetric, so that mirror images match to the last bit.
    const int cells = block[axis].cells();
    return static_cast<double>(2 * i - cells) / cells;
  };
  Place at;
  for (at[0] = 0; at[0] < nx; ++at[0])
    for (at[1] = 0; at[1] < ny; ++at[1])
      for (at[2] = 0; at[2] < nz; ++at[2])
        geometry.points.col(point_number(block, at)) =
            position(parameter(0, at[0]), parameter(1, at[1]), parameter(2, at[2]));
  for (at[0] = 0; at[0] < block[0].cells(); ++at[0])
    for (at[1] = 0; at[1] < block[1].cells(); ++at[1])
      for (at[2] = 0; at[2] < block[2].cells(); ++at[2]) cut_cell(block, at, geometry.tets);
  return geometry;
}

// The cube or square [-1, 1]^n onto the unit ball or disc. Concentric cubes turn into spheres from
// the middle to the surface; the tangent makes cells of the surface see equal angles. Of the
// blends tried, 0.8 and a linear change gave the most even volumes with a worst quality above 0.6.
template <class Vector>
Vector round_off(const Vector& x) {
  const double shell = x.template lpNorm<Eigen::Infinity>();
  if (shell == 0.0) return x;
  const Vector direction = (0.25 * kPi / shell * x).array().tan();
  if (shell == 1.0) return direction.normalized();
  return direction * (shell * ((1.0 - shell) * 0.8 + shell / direction.norm()));
}

double nearest_multiple(double of, double cells) {
  return of * std::round(cells / of);
}

std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

void require_length(const char* key, double value) {
  if (!(value > 0.0) || !std::isfinite(value))
    throw InputError(std::string(key) + " is " + text_of(value) +
                     " but must be a positive length in metres");
}

void require_cells(int cells, int least) {
  if (cells < least)
    throw InputError("cells is " + std::to_string(cells) + " but must be at least " +
                     std::to_string(least));
}

void require_moderate(double nx, double ny, double nz) {
  constexpr double kMostTets = 1e8;
  if (6.0 * nx * ny * nz > kMostTets)
    throw InputError("cells would give " + text_of(6.0 * nx * ny * nz) +
                     " tets but the limit is 1e+08; use fewer cells");
}

}  // namespace

TetGeometry make_box(const Vec3& size, const std::array<int, 3>& cells) {
  for (int a = 0; a < 3; ++a) {
    require_length("size", size[a]);
    require_cells(cells[a], 1);
  }
  require_moderate(cells[0], cells[1], cells[2]);
  const Block block{alternating_axis(cells[0]), alternating_axis(cells[1]),
                    alternating_axis(cells[2])};
  return fill_block(block, [&](double u, double v, double w) -> Vec3 {
    return 0.5 * size.cwiseProduct(Vec3(u, v, w));
  });
}

TetGeometry make_sphere(double radius, int cells) {
  require_length("radius", radius);
  require_cells(cells, 2);
  require_moderate(cells, cells, cells);
  const Block block{centred_axis(cells), centred_axis(cells), centred_axis(cells)};
  return fill_block(block, [&](double u, double v, double w) -> Vec3 {
    return radius * round_off(Vec3(u, v, w));
  });
}

TetGeometry make_cylinder(double radius, double height, int cells) {
  require_length("radius", radius);
  require_length("height", height);
  require_cells(cells, 2);
  const double layers = std::max(2.0, nearest_multiple(2.0, height * cells / (2.0 * radius)));
  require_moderate(cells, layers, cells);
  const Block block{centred_axis(cells), alternating_axis(static_cast<int>(layers)),
                    centred_axis(cells)};
  return fill_block(block, [&](double u, double v, double w) -> Vec3 {
    const Eigen::Vector2d disc = radius * round_off(Eigen::Vector2d(u, w));
    return {disc[0], 0.5 * height * v, disc[1]};
  });
}

TetGeometry make_torus(double radius, double thickness, int cells) {
  require_length("radius", radius);
  require_length("thickness", thickness);
  if (thickness >= radius)
    throw InputError("thickness is " + text_of(thickness) +
                     " but must be less than the torus' radius " + text_of(radius));
  require_cells(cells, 2);
  const double across =
      std::max(4.0, nearest_multiple(2.0, cells * thickness / (radius + thickness)));
  // Quarters of the ring mirror each other.
  const double around = nearest_multiple(4.0, kPi * radius * across / thickness);
  require_moderate(across, across, around);
  const int tube = static_cast<int>(across);
  const Block block{centred_axis(tube), centred_axis(tube), ring_axis(static_cast<int>(around))};
  return fill_block(block, [&](double u, double v, double w) -> Vec3 {
    const Eigen::Vector2d disc = thickness * round_off(Eigen::Vector2d(u, v));
    const double distance = radius + disc[0];
    return {distance * std::cos(kPi * w), disc[1], distance * std::sin(kPi * w)};
  });
}

}  // namespace dashpot
