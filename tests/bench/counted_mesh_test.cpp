#include "standalone/bench/counted_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "solver/base/error.h"
#include "standalone/bench/seed_tables.h"

namespace dashpot {
namespace {

void expect_counts(int points, int tets) {
  const TetMesh mesh = counted_mesh(points, tets);
  EXPECT_EQ(mesh.point_count(), points);
  EXPECT_EQ(mesh.tet_count(), tets);
  std::vector<bool> used(static_cast<std::size_t>(points), false);
  for (const Tet& tet : mesh.tets) {
    EXPECT_GT(signed_volume(mesh.rest, tet), 0);
    for (int p : tet) used[p] = true;
  }
  EXPECT_TRUE(std::all_of(used.begin(), used.end(), [](bool u) { return u; }));
}

TEST(CountedMesh, HasThePointsAndTetsOfEveryPublishedSolid) {
  for (const PublishedScene& scene : published_scenes()) {
    SCOPED_TRACE(scene.table + ", " + scene.name);
    if (scene.tets > 0) expect_counts(scene.nodes, scene.tets);
  }
}

TEST(CountedMesh, MeetsAnyNumberOfPoints) {
  for (int points = 8; points < 120; ++points) expect_counts(points, 2 * points);
}

TEST(CountedMesh, RefusesWhatNoMeshCanBe) {
  EXPECT_THROW(counted_mesh(7, 10), InputError);
  EXPECT_THROW(counted_mesh(1000, 100), InputError);
}

}  // namespace
}  // namespace dashpot
