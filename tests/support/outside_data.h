#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace dashpot {

// Files that other programs wrote, and an independent reader of Houdini's: in the folder that the
// environment variable DASHPOT_OUTSIDE_DATA names, or in ../shared next to the project. They are no
// part of it, so no machine needs to have them. Only suites named OutsideData… may ask: ctest
// labels them by that name, and .ci/run runs them once more without the files.
inline std::filesystem::path outside_data() {
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  if (!test || std::string(test->test_suite_name()).rfind("OutsideData", 0) != 0)
    throw std::logic_error("a test that uses outside data is in a suite OutsideData...");
  const char* elsewhere = std::getenv("DASHPOT_OUTSIDE_DATA");
  return elsewhere ? elsewhere : DASHPOT_SOURCE_DIR "/../shared";
}

// Written by Houdini 13 to 21.
inline std::filesystem::path houdini_data() {
  return outside_data() / "data" / "houdini";
}

// Tet meshes in the formats of other programs.
inline std::filesystem::path mesh_data() {
  return outside_data() / "data" / "tetmeshes";
}

}  // namespace dashpot

// For tests whose subject are these files themselves; what they test has tests with own samples
// too.
#define SKIP_WITHOUT_OUTSIDE_DATA()                                     \
  if (!std::filesystem::exists(::dashpot::outside_data() / "data"))     \
  GTEST_SKIP() << "files of other programs are not in "                 \
               << ::dashpot::outside_data().lexically_normal().string() \
               << " (DASHPOT_OUTSIDE_DATA says where they are)"
