#include "solver/contact/dense_block.h"

#include <algorithm>

#include "solver/base/lane_points.h"
#include "solver/base/parallel.h"

namespace dashpot {
namespace {

constexpr int kPanelRows = 4;
constexpr std::ptrdiff_t kPanelsPerChunk = 24;

}  // namespace

DenseBlock::DenseBlock(const Eigen::MatrixXd& inverse) {
  const int n = static_cast<int>(inverse.rows());
  const int panels = (n + kPanelRows - 1) / kPanelRows;
  panels_.assign(static_cast<std::size_t>(panels) * kPanelRows * n, 0.0);
  lanes_.assign(static_cast<std::size_t>(kLanes) * n, 0.0);
  for (int i = 0; i < n; ++i) {
    double* panel = &panels_[static_cast<std::size_t>(i / kPanelRows) * kPanelRows * n];
    for (int j = 0; j < n; ++j) panel[kPanelRows * j + i % kPanelRows] = inverse(i, j);
  }
}

void DenseBlock::multiply(const Points& f, int first, int count, Points& u) const {
  for (int j = 0; j < count; ++j)
    Vec3::Map(&lanes_[static_cast<std::size_t>(kLanes) * j]) = f.col(first + j);
  const std::ptrdiff_t panels = (count + kPanelRows - 1) / kPanelRows;
  parallel_each(panels, kPanelsPerChunk, [&](std::ptrdiff_t p) {
    const double* panel = &panels_[static_cast<std::size_t>(p) * kPanelRows * count];
    Lane sums[kPanelRows] = {};
    for (int j = 0; j < count; ++j) {
      const Lane force = load_lane(&lanes_[static_cast<std::size_t>(kLanes) * j]);
      for (int r = 0; r < kPanelRows; ++r) sums[r] += panel[kPanelRows * j + r] * force;
    }
    const int begin = static_cast<int>(p) * kPanelRows, end = std::min(count, begin + kPanelRows);
    for (int i = begin; i < end; ++i) {
      const Lane& sum = sums[i - begin];
      u.col(first + i) = Vec3(sum[0], sum[1], sum[2]);
    }
  });
}

}  // namespace dashpot
