#include "solver/mesh/shapes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

#include "solver/base/error.h"
#include "solver/mesh/hex_block.h"

namespace dashpot {
namespace {

constexpr double kPi = 3.14159265358979323846;

// Neighbours are mirror images, and so are the two halves.
HexAxis alternating_axis(int cells) {
  HexAxis axis;
  for (int i = 0; i < cells; ++i)
    axis.mirrored.push_back(2 * i < cells ? i % 2 == 1 && 2 * i + 1 != cells
                                          : (cells - 1 - i) % 2 == 0);
  return axis;
}

// All diagonals run towards the middle: at a rounded edge, where two cell faces become one smooth
// surface, every tet then has a point below the surface and none is flat.
HexAxis centred_axis(int cells) {
  HexAxis axis;
  for (int i = 0; i < cells; ++i) axis.mirrored.push_back(2 * i >= cells);
  return axis;
}

// A multiple of four cells around a ring.
HexAxis ring_axis(int cells) {
  HexAxis axis = zigzag_axis(cells);
  axis.closed = true;
  return axis;
}

// position(u, v, w) maps [-1, 1]^3 to space and keeps orientation.
template <class Position>
TetMesh fill_block(const HexBlock& block, const char* name, const Position& position) {
  const auto parameter = [&](int axis, int i) {
    // Exactly antisymmetric, so that mirror images match to the last bit.
    const int cells = block[axis].cells();
    return static_cast<double>(2 * i - cells) / cells;
  };
  Points points = place_points(block, [&](const HexPlace& at) -> Vec3 {
    return position(parameter(0, at[0]), parameter(1, at[1]), parameter(2, at[2]));
  });
  return make_tet_mesh(std::move(points), cut_into_tets(block), name);
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

TetMesh make_box(const Vec3& size, const std::array<int, 3>& cells) {
  for (int a = 0; a < 3; ++a) {
    require_length("size", size[a]);
    require_cells(cells[a], 1);
  }
  require_moderate(cells[0], cells[1], cells[2]);
  const HexBlock block{alternating_axis(cells[0]), alternating_axis(cells[1]),
                       alternating_axis(cells[2])};
  return fill_block(block, "box", [&](double u, double v, double w) -> Vec3 {
    return 0.5 * size.cwiseProduct(Vec3(u, v, w));
  });
}

TetMesh make_sphere(double radius, int cells) {
  require_length("radius", radius);
  require_cells(cells, 2);
  require_moderate(cells, cells, cells);
  const HexBlock block{centred_axis(cells), centred_axis(cells), centred_axis(cells)};
  return fill_block(block, "sphere", [&](double u, double v, double w) -> Vec3 {
    return radius * round_off(Vec3(u, v, w));
  });
}

TetMesh make_cylinder(double radius, double height, int cells) {
  require_length("radius", radius);
  require_length("height", height);
  require_cells(cells, 2);
  const double layers = std::max(2.0, nearest_multiple(2.0, height * cells / (2.0 * radius)));
  require_moderate(cells, layers, cells);
  const HexBlock block{centred_axis(cells), alternating_axis(static_cast<int>(layers)),
                       centred_axis(cells)};
  return fill_block(block, "cylinder", [&](double u, double v, double w) -> Vec3 {
    const Eigen::Vector2d disc = radius * round_off(Eigen::Vector2d(u, w));
    return {disc[0], 0.5 * height * v, disc[1]};
  });
}

TetMesh make_torus(double radius, double thickness, int cells) {
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
  const HexBlock block{centred_axis(tube), centred_axis(tube), ring_axis(static_cast<int>(around))};
  return fill_block(block, "torus", [&](double u, double v, double w) -> Vec3 {
    const Eigen::Vector2d disc = thickness * round_off(Eigen::Vector2d(u, v));
    const double distance = radius + disc[0];
    return {distance * std::cos(kPi * w), disc[1], distance * std::sin(kPi * w)};
  });
}

}  // namespace dashpot
