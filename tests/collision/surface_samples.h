#pragma once

#include <array>
#include <utility>
#include <vector>

#include "solver/collision/contact_surface.h"
#include "solver/mesh/boundary.h"
#include "solver/mesh/hex_block.h"
#include "solver/mesh/shapes.h"

namespace dashpot {

// Bodies side by side in one list of points.
struct SampleBodies {
  Points x{3, 0};
  std::vector<Triangle> triangles;
  std::vector<int> body_of_triangle;
  std::vector<int> first_point;

  SampleBodies& add(const Points& rest, const std::vector<Tet>& tets, const Vec3& shift,
                    const Mat3& turn = Mat3::Identity()) {
    const auto first = static_cast<int>(x.cols());
    const int body = static_cast<int>(first_point.size());
    first_point.push_back(first);
    x.conservativeResize(3, first + rest.cols());
    x.rightCols(rest.cols()) = (turn * rest).colwise() + shift;
    for (const Triangle& t : boundary_surface(tets)) {
      triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
      body_of_triangle.push_back(body);
    }
    return *this;
  }
  SampleBodies& add(const TetMesh& mesh, const Vec3& shift, const Mat3& turn = Mat3::Identity()) {
    return add(mesh.rest, mesh.tets, shift, turn);
  }
  // Centred on `shift`.
  SampleBodies& add_cube(double size, int cells, const Vec3& shift,
                         const Mat3& turn = Mat3::Identity()) {
    return add(make_box(Vec3::Constant(size), {cells, cells, cells}), shift, turn);
  }

  ContactSurface surface() const {
    return ContactSurface(triangles, body_of_triangle, static_cast<int>(x.cols()));
  }
  Points moved(int body, const Vec3& by) const {
    Points result = x;
    const int last = body + 1 < static_cast<int>(first_point.size()) ? first_point[body + 1]
                                                                     : static_cast<int>(x.cols());
    for (int p = first_point[body]; p < last; ++p) result.col(p) += by;
    return result;
  }
};

// A U that lies on its side, open towards +x: arms of cells 3 x 1, between them a slot 2 x 1. Its
// arms have the same rims. Cells are cubes of size 0.1.
inline SampleBodies u_with_flush_rims(int cells_deep) {
  const HexBlock block = {uniform_axis(3), uniform_axis(3), uniform_axis(cells_deep)};
  const Points rest =
      place_points(block, [](const HexPlace& at) { return Vec3(at[0], at[1], at[2]); });
  std::vector<Tet> tets;
  for (const Tet& tet : cut_into_tets(block)) {
    const Vec3 centre =
        (rest.col(tet[0]) + rest.col(tet[1]) + rest.col(tet[2]) + rest.col(tet[3])) / 4;
    if (centre[0] < 1 || centre[1] < 1 || centre[1] > 2) tets.push_back(tet);
  }
  SampleBodies bodies;
  bodies.add(0.1 * rest, tets, Vec3::Zero());
  return bodies;
}

}  // namespace dashpot
