#include "standalone/runs/sane_bounds.h"

#include <algorithm>
#include <vector>

#include "solver/base/types.h"

namespace dashpot {
namespace {

// How far a frame may reach, in sizes of a typical one: bodies that fall or part travel far, but
// those that stretch like this have burst.
constexpr double kReach = 1000, kBurstReach = 3, kBurstStretch = 30;

// Of most frames; a tenth of them may be collapsed, and most may have burst.
double typical_size(const FrameBoxes& boxes) {
  std::vector<double> sizes;
  for (const auto& [frame, box] : boxes)
    if (!box.isEmpty() && box.diagonal().norm() > 0) sizes.push_back(box.diagonal().norm());
  if (sizes.empty()) return 0;
  const auto place = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 10);
  std::nth_element(sizes.begin(), place, sizes.end());
  return *place;
}

bool is_burst(const RunStats& stats, int frame) {
  const auto line = stats.lines.find(frame);
  if (line == stats.lines.end() || !line->second.contains("max_stretch")) return false;
  const auto& stretch = line->second["max_stretch"];
  return stretch.is_null() || (stretch.is_number() && stretch.get<double>() > kBurstStretch);
}

}  // namespace

std::set<int> sane_frames(const FrameBoxes& boxes, const RunStats& stats) {
  const double size = typical_size(boxes);
  std::set<int> sane;
  const Eigen::AlignedBox3d* first = nullptr;
  for (const auto& [frame, box] : boxes) {
    if (box.isEmpty()) continue;
    if (!first && box.diagonal().norm() <= kReach * size) first = &box;
    const Vec3 centre = first ? Vec3(first->center()) : Vec3(Vec3::Zero());
    const double far = std::max((box.min() - centre).norm(), (box.max() - centre).norm());
    if (far <= (is_burst(stats, frame) ? kBurstReach : kReach) * size || size == 0)
      sane.insert(frame);
  }
  return sane;
}

}  // namespace dashpot
