#pragma once

#include <array>

#include "solver/base/types.h"
#include "solver/mesh/tet_mesh.h"

namespace dashpot {

// Built-in bodies, centred on the origin, tets of positive volume. Lengths are metres. Cells are
// hexahedra cut into six tets; the upper half along each axis mirrors the lower, so an even number
// of cells gives a mesh that is symmetric about the three coordinate planes and favours no
// direction. Curved surfaces have their points exactly on the surface. A size that is not positive
// or a cell count that is too small or too large throws InputError naming it.

// cells: along x, y, z, each at least 1.
TetMesh make_box(const Vec3& size, const std::array<int, 3>& cells);

// cells: across the diameter, at least 2.
TetMesh make_sphere(double radius, int cells);

// Axis y. cells: across the diameter, at least 2; an even number of layers along y
// gives cells about as high as they are wide.
TetMesh make_cylinder(double radius, double height, int cells);

// Axis y. radius: from the centre to the middle of the tube; thickness: radius of the tube, less
// than `radius`. cells: across the whole outer diameter 2 (radius + thickness), at least 2, as for
// the sphere; the tube itself gets the even number that comes closest, at least 4, and sections
// follow around the ring at about the tube's cell size.
TetMesh make_torus(double radius, double thickness, int cells);

}  // namespace dashpot
