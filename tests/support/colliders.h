#pragma once

#include <memory>

#include "solver/contact/plane_shape.h"
#include "solver/simulation/scene.h"
#include "tests/support/bodies.h"

namespace dashpot {

inline SceneCollider make_plane(const Vec3& point, const Vec3& normal, double friction,
                                double restitution = 0) {
  SceneCollider collider;
  collider.collider.name = "plane";
  collider.collider.shape = std::make_shared<PlaneShape>(point, normal);
  collider.collider.friction = friction;
  collider.collider.restitution = restitution;
  return collider;
}

// A ball about the origin: the box's layers are made round.
inline TetMesh ball_mesh(int cells, double radius) {
  const TetMesh box = box_mesh({cells, cells, cells}, {2, 2, 2});
  Points rest = box.rest;
  for (int i = 0; i < rest.cols(); ++i) {
    const Vec3 p = rest.col(i) - Vec3::Ones();
    const double layer = p.cwiseAbs().maxCoeff();
    rest.col(i) = layer > 0 ? Vec3(radius * layer * p.normalized()) : Vec3::Zero().eval();
  }
  return make_tet_mesh(rest, box.tets, "ball");
}

inline double total_mass(const Body& body, double density = 1000) {
  double volume = 0;
  for (const Tet& t : body.mesh.tets) {
    Mat3 edges;
    for (int a = 0; a < 3; ++a)
      edges.col(a) = body.mesh.rest.col(t[a + 1]) - body.mesh.rest.col(t[0]);
    volume += edges.determinant() / 6;
  }
  return density * volume;
}

}  // namespace dashpot
