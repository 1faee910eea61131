#include "solver/contact/contact_model.h"

#include "solver/base/parallel.h"
#include "solver/mesh/tet_mesh.h"

namespace dashpot {
namespace {

// Of the volume at rest.
constexpr double kFlat = 0.05;
constexpr std::ptrdiff_t kTetGrain = 1024;

}  // namespace

std::vector<int> collapsed_points(const SurfaceTets& surface, const Points& x) {
  std::vector<char> is_flat(surface.tets.size(), 0);
  parallel_each(static_cast<std::ptrdiff_t>(is_flat.size()), kTetGrain, [&](std::ptrdiff_t k) {
    is_flat[k] = signed_volume(x, surface.tets[k]) < kFlat * surface.volume[k];
  });
  std::vector<int> points;
  for (std::size_t k = 0; k < is_flat.size(); ++k)
    if (is_flat[k]) points.insert(points.end(), surface.tets[k].begin(), surface.tets[k].end());
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

}  // namespace dashpot
