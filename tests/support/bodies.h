#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "solver/elasticity/material.h"
#include "solver/mesh/hex_block.h"
#include "solver/mesh/tet_mesh.h"
#include "solver/simulation/scene.h"

namespace dashpot {

using Cells = std::array<int, 3>;

// A box with one corner in the origin. Six tets per cell around its diagonal; neighbouring cells
// are mirror images, so that the mesh prefers no direction.
inline TetMesh box_mesh(const Cells& cells, const Vec3& size) {
  const HexBlock block = {zigzag_axis(cells[0]), zigzag_axis(cells[1]), zigzag_axis(cells[2])};
  Points rest = place_points(block, [&](const HexPlace& at) {
    Vec3 point;
    for (int d = 0; d < 3; ++d) point[d] = size[d] * at[d] / cells[d];
    return point;
  });
  return make_tet_mesh(std::move(rest), cut_into_tets(block), "box");
}

struct Elastic {
  Material material = Material::kNeoHookean;
  double youngs = 1e5;  // Pa
  double poisson = 0.4;
};

constexpr Material kAllMaterials[] = {Material::kCorotated, Material::kNeoHookean, Material::kStvk,
                                      Material::kArap};
constexpr Integrator kAllIntegrators[] = {Integrator::kBackwardEuler, Integrator::kBdf2,
                                          Integrator::kTrBdf2,        Integrator::kBathe,
                                          Integrator::kMidpoint,      Integrator::kTrapezoidal};

inline const char* name(Material m) {
  constexpr const char* kNames[] = {"corotated", "neohookean", "stvk", "arap"};
  return kNames[static_cast<int>(m)];
}
inline const char* name(Integrator i) {
  constexpr const char* kNames[] = {"backwardeuler", "bdf2",     "trbdf2",
                                    "bathe",         "midpoint", "trapezoidal"};
  return kNames[static_cast<int>(i)];
}

// At rest.
inline Body make_body(TetMesh mesh, const Elastic& elastic, const std::string& name = "body") {
  Body body;
  body.name = name;
  body.position = mesh.rest;
  body.velocity = Points::Zero(3, mesh.rest.cols());
  body.mesh = std::move(mesh);
  body.fields.set("material", static_cast<int>(elastic.material), name);
  body.fields.set("youngsmodulus", elastic.youngs, name);
  body.fields.set("poissonratio", elastic.poisson, name);
  return body;
}

// Pins all points with low <= x(axis) <= high at rest.
inline Pin pin_slab(const TetMesh& mesh, int axis, double low, double high,
                    std::shared_ptr<const PinMotion> motion = nullptr) {
  Pin pin;
  pin.motion = std::move(motion);
  for (int i = 0; i < mesh.point_count(); ++i)
    if (mesh.rest(axis, i) >= low && mesh.rest(axis, i) <= high) pin.points.push_back(i);
  return pin;
}

// omega x arm + gradient * arm about a centre, rad/s and 1/s.
inline Points affine_velocity(const Points& x, const Vec3& center, const Vec3& omega,
                              const Mat3& gradient) {
  Points v(3, x.cols());
  for (int i = 0; i < x.cols(); ++i) {
    const Vec3 arm = x.col(i) - center;
    v.col(i) = omega.cross(arm) + gradient * arm;
  }
  return v;
}

// Solves every stage until rounding stops it.
inline SolverSettings exact_settings(Integrator integrator) {
  SolverSettings settings;
  settings.integrator = integrator;
  settings.iterations = 5000;
  settings.tolerance = 1e-11;
  return settings;
}

inline Scene make_scene(Body body, const SolverSettings& settings) {
  Scene scene;
  scene.settings = settings;
  scene.bodies.push_back(std::move(body));
  return scene;
}

}  // namespace dashpot
