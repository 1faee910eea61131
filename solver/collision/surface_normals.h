#pragma once

#include "solver/collision/contact_surface.h"
#include "solver/collision/feature_pair.h"

namespace dashpot {

// Of length 1, outwards; zero for a triangle without area.
Vec3 face_normal(const ContactSurface& surface, const Points& x, int triangle);
// Sum of the faces' normals.
Vec3 edge_normal(const ContactSurface& surface, const Points& x, int edge);
// Weighted by the faces' angles at the vertex (Baerentzen and Aanaes 2005).
Vec3 vertex_normal(const ContactSurface& surface, const Points& x, int vertex);

// Where two features touch, the direction in which the first leaves the second.
Vec3 touching_normal(const ContactSurface& surface, const Points& x, const FeaturePairId& id);

// An edge of two triangles whose normals differ by less than 4 degrees.
bool is_flat(const ContactSurface& surface, const Points& x, int edge);

}  // namespace dashpot
