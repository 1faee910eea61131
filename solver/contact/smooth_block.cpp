#include "solver/contact/smooth_block.h"

#include <array>

#include "solver/base/lane_points.h"
#include "solver/base/parallel.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kSlotsPerPiece = 512;
// As many as have their sums for x, y and z in registers.
constexpr int kPanelLanes = 4, kPanelColumns = kPanelLanes * kLanes;

// For x, y and z.
using PanelSums = std::array<std::array<Lane, kPanelLanes>, 3>;

struct SmoothSums {
  std::vector<PanelSums> panels;
  SmoothSums& operator+=(const SmoothSums& other) {
    for (std::size_t p = 0; p < panels.size(); ++p)
      for (int axis = 0; axis < 3; ++axis)
        for (int l = 0; l < kPanelLanes; ++l) panels[p][axis][l] += other.panels[p][axis][l];
    return *this;
  }
};

}  // namespace

SmoothBlock::SmoothBlock(const Eigen::MatrixXd& v, const std::vector<int>& index)
    : count_(static_cast<int>(index.size())),
      panels_(static_cast<int>((v.cols() + kPanelColumns - 1) / kPanelColumns)),
      values_(static_cast<std::size_t>(count_) * panels_ * kPanelColumns, 0.0) {
  for (int column = 0; column < v.cols(); ++column)
    for (int slot = 0; slot < count_; ++slot)
      values_[(static_cast<std::size_t>(column / kPanelColumns) * count_ + slot) * kPanelColumns +
              column % kPanelColumns] = v(index[slot], column);
}

const double* SmoothBlock::row(int panel, std::ptrdiff_t slot) const {
  return &values_[(static_cast<std::size_t>(panel) * count_ + slot) * kPanelColumns];
}

void SmoothBlock::add(const Points& f, int first, Points& u) const {
  const SmoothSums zero{std::vector<PanelSums>(static_cast<std::size_t>(panels_))};
  const SmoothSums sums = parallel_sum(count_, kSlotsPerPiece, zero, [&](ChunkRange range) {
    SmoothSums part = zero;
    for (int p = 0; p < panels_; ++p) {
      PanelSums sum{};
      for (std::ptrdiff_t i = range.begin; i < range.end; ++i)
        for (int l = 0; l < kPanelLanes; ++l) {
          const Lane v = load_lane(row(p, i) + l * kLanes);
          for (int axis = 0; axis < 3; ++axis) sum[axis][l] += f(axis, first + i) * v;
        }
      part.panels[p] = sum;
    }
    return part;
  });
  parallel_each(count_, kSlotsPerPiece, [&](std::ptrdiff_t i) {
    Lane sum[3] = {};
    for (int p = 0; p < panels_; ++p)
      for (int l = 0; l < kPanelLanes; ++l) {
        const Lane v = load_lane(row(p, i) + l * kLanes);
        for (int axis = 0; axis < 3; ++axis) sum[axis] += sums.panels[p][axis][l] * v;
      }
    for (int axis = 0; axis < 3; ++axis)
      u(axis, first + i) += (sum[axis][0] + sum[axis][1]) + (sum[axis][2] + sum[axis][3]);
  });
}

}  // namespace dashpot
