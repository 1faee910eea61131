#include "solver/contact/lumped_preconditioner.h"

#include <gtest/gtest.h>

namespace dashpot {
namespace {

SlotRow row_of(int slot) {
  SlotRow row;
  row.slot[0] = slot;
  row.weight[0] = 1;
  row.count = 1;
  return row;
}

// Flat elements pull neighbours to opposite sides: then a row that is diagonally dominant holds up
// one that is not.
TEST(LumpedPreconditioner, KeepsWhatHoldsUpOthers) {
  Eigen::SparseMatrix<double> touched(2, 2);
  touched.insert(0, 0) = 2;
  touched.insert(1, 0) = 1.2;
  touched.insert(1, 1) = 1;
  touched.makeCompressed();
  const std::vector<SlotRow> rows = {row_of(0), row_of(1)};
  const std::vector<double> compliance = {0.5, 1};
  for (const std::vector<char>& pressing : {std::vector<char>{0, 0}, std::vector<char>{1, 0}}) {
    LumpedPreconditioner lumped;
    ASSERT_NO_THROW(lumped.prepare(rows, touched, compliance, 1e3, pressing));
    Points r = Points::Random(3, 2), z;
    lumped.multiply(r, z);
    EXPECT_TRUE(z.allFinite());
    EXPECT_GT(r.cwiseProduct(z).sum(), 0);
  }
}

}  // namespace
}  // namespace dashpot
