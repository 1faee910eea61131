#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "solver/base/simd.h"
#include "solver/base/types.h"
#include "solver/collision/rest_patches.h"

namespace dashpot {

// Where a body may come near itself.
struct SelfDoubts {
  std::vector<CandidatePair> pairs;          // with their distances at rest
  std::vector<std::array<int, 2>> clusters;  // first <= second, ascending
};

// Tells without a search that most of a body stays far from touching itself. While points go
// straight, a patch of it moves by an affine map A, and no point departs from that by more than e.
// What was d apart at rest then is at least s d - 2 e apart, where s is the least stretch of A.
// Clusters that are not in one patch are kept apart by planes. Answers depend on the two positions
// only.
class SelfClearance {
 public:
  // limit: m, how near is near.
  SelfClearance(const ContactSurface& surface, int body, RestPatches patches, double limit);

  void begin(const Points& before);
  // What may come nearer than the limit on the way to x; nothing else can.
  SelfDoubts find_doubts(const Points& x);

  IndexRange triangles(int cluster) const { return patches_.triangles[cluster]; }
  int cluster_count() const { return static_cast<int>(patches_.patches.size()); }

 private:
  struct Fit {
    Mat3 map = Mat3::Zero();
    double least = 0;  // squared stretch
    double departure = 0;
  };
  struct Box {
    Lane low, high;
  };
  // Where points are, and what was asked for.
  struct Pose {
    std::vector<Lane> x;
    Fit whole;
    std::vector<Fit> fits;   // of patches
    std::vector<Box> boxes;  // of clusters
  };

  std::size_t pose_at(const Points& x);
  void refine(Pose& pose) const;
  Fit fit(const RestPatch& patch, const std::vector<Lane>& x) const;
  double safe_distance(const Fit& begin, const Fit& end) const;
  void doubt_patches(const Pose& begin, const Pose& end, SelfDoubts& doubts) const;
  void doubt_clusters(const Pose& begin, const Pose& end, SelfDoubts& doubts) const;
  bool is_plane_between(int cluster, int other, const Pose& begin, const Pose& end) const;

  IndexRange points_;
  RestPatches patches_;
  double limit_, nearest_;
  std::array<Pose, 3> poses_;  // a stage asks for its begin and two ends
  std::vector<Lane> scratch_;
  std::size_t begin_ = 0, next_ = 0;
};

}  // namespace dashpot
