#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solver/base/types.h"

namespace dashpot {

// What is wrong or doubtful about a tet mesh as it came in; nothing here throws, so that `info`
// can describe a mesh that the solver refuses. Lists hold element numbers of the input. A tet is
// in at most one of bad_index, degenerate, and (inverted, sliver); tets with a bad index or a
// point that is not finite are left out of every number below the lists.
struct QualityReport {
  std::vector<int> not_finite_points;
  std::vector<int> bad_index_tets;       // an index out of range, or the same point twice
  std::vector<int> degenerate_tets;      // |volume| below 1e-12 of the longest edge cubed
  std::vector<int> inverted_tets;        // orientation opposite to that of the majority
  std::vector<int> sliver_tets;          // shape quality below 0.05
  std::vector<int> unreferenced_points;  // carried along, but not simulated
  int pieces = 0;                        // connected components; tets that share a point connect
  bool negative_orientation = false;     // the majority has Houdini's sign
  double min_quality = 1.0;              // 1 = regular tet, 0 = flat
  double mean_quality = 1.0;
  double volume = 0.0;  // m^3, absolute
  // Metres, over the tets' edges; an edge counts once for each tet that has it.
  double min_edge = 0.0, max_edge = 0.0, mean_edge = 0.0;

  // The solver refuses such a mesh.
  bool has_errors() const;
};

QualityReport inspect_mesh(const Points& points, const std::vector<Tet>& tets);

// Tets with the same four points, in any order: the earlier and the later of each pair, by the
// number of the later.
std::vector<std::pair<int, int>> doubled_tets(const std::vector<Tet>& tets);

// 12 (3 |V|)^(2/3) / sum of squared edge lengths: 1 for a regular tet, 0 for a flat one.
double shape_quality(const Points& points, const Tet& tet);

// A few lines of text, one per finding, with the first element numbers of each list.
std::string to_text(const QualityReport& report);

}  // namespace dashpot
