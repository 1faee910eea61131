#pragma once

#include <vector>

#include "solver/base/types.h"
#include "solver/collision/candidate_pair.h"
#include "solver/collision/contact_surface.h"
#include "solver/collision/pair_collector.h"
#include "solver/collision/surface_trees.h"

namespace dashpot {

// Some points of a body at rest, to fit an affine map to where they are later.
struct RestPatch {
  std::vector<int> point;               // numbers among the points of the body
  std::vector<double> arm;              // from their centre, three for each
  Mat3 inverse_spread = Mat3::Zero();   // of the arms, within the plane of a flat patch
  Vec3 normal = Vec3::Zero();           // of a flat patch
  Vec3 along = Vec3::Zero();            // a direction within it
  bool is_flat = false, is_fit = true;  // for an affine map
};

// A body's surface at rest in clusters of triangles. The patch of a cluster has all its points and
// those of its neighbours, which touch it or nearly so. Pairs up to a range are known.
struct RestPatches {
  double range = 0;  // m
  RestPatch whole;
  std::vector<RestPatch> patches;    // of each cluster
  IndexLists points;                 // of each cluster: numbers among the points of the body
  IndexLists triangles;              // of each cluster: numbers in the surface
  IndexLists neighbours;             // of each cluster, ascending
  std::vector<CandidatePair> pairs;  // within the range, by the cluster of one, nearest first
  std::vector<int> first_pair;       // of each cluster, and one past the last
};

RestPatches make_rest_patches(const ContactSurface& surface, SurfaceTrees& trees, int body,
                              const Points& rest, FeatureBoxes& scratch);

}  // namespace dashpot
