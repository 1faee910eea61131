#include "standalone/render/montage.h"

#include <gtest/gtest.h>

namespace dashpot {
namespace {

TEST(SheetColumns, LeaveFewGaps) {
  EXPECT_EQ(sheet_columns(1), 1);
  EXPECT_EQ(sheet_columns(3), 3);
  EXPECT_EQ(sheet_columns(6), 3);
  EXPECT_EQ(sheet_columns(8), 4);
  EXPECT_EQ(sheet_columns(10), 5);
  EXPECT_EQ(sheet_columns(12), 4);
  for (int cells = 1; cells <= 40; ++cells) {
    const int columns = sheet_columns(cells), rows = (cells + columns - 1) / columns;
    EXPECT_LE(rows * columns - cells, 2) << cells;
  }
}

}  // namespace
}  // namespace dashpot
