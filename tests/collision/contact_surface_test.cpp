#include "solver/collision/contact_surface.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collision/surface_samples.h"

namespace dashpot {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

std::vector<int> list(IndexRange range) {
  return {range.begin(), range.end()};
}

TEST(ContactSurface, NumbersEdgesInAscendingOrder) {
  const ContactSurface surface({{4, 2, 1}, {1, 2, 7}}, {0, 0}, 9);
  EXPECT_THAT(surface.edges(),
              ElementsAre(Edge{1, 2}, Edge{1, 4}, Edge{1, 7}, Edge{2, 4}, Edge{2, 7}));
  EXPECT_THAT(surface.vertices(), ElementsAre(1, 2, 4, 7));
  EXPECT_THAT(surface.edges_of_triangle(0), ElementsAre(0, 1, 3)) << "each opposite to its corner";
  EXPECT_EQ(surface.body_of_point(3), -1);
}

TEST(ContactSurface, KnowsWhatIsAroundOpenAndNonManifoldEdges) {
  const ContactSurface surface({{0, 1, 2}, {1, 0, 3}, {0, 1, 4}}, {0, 0, 0}, 5);
  EXPECT_THAT(list(surface.triangles_of_edge(0)), ElementsAre(0, 1, 2));
  EXPECT_THAT(list(surface.opposite_points(0)), ElementsAre(2, 3, 4));
  EXPECT_THAT(list(surface.opposite_points(1)), ElementsAre(1)) << "edge 0 2";
  EXPECT_THAT(list(surface.neighbours(0)), UnorderedElementsAre(1, 2, 3, 4));
  EXPECT_THAT(list(surface.triangles_of_point(3)), ElementsAre(1));
  EXPECT_FALSE(surface.closed(0));
}

TEST(ContactSurface, KnowsBodies) {
  SampleBodies bodies;
  bodies.add_cube(1, 1, Vec3::Zero()).add_cube(1, 2, Vec3(3, 0, 0));
  const ContactSurface surface = bodies.surface();
  ASSERT_EQ(surface.body_count(), 2);
  EXPECT_TRUE(surface.closed(0));
  EXPECT_TRUE(surface.closed(1));
  EXPECT_EQ(surface.points_of_body(0).size(), 8);
  EXPECT_EQ(surface.points_of_body(1).size(), 26);
  EXPECT_EQ(surface.triangles_of_body(1).size(), 48);
  EXPECT_EQ(surface.edges_of_body(0).size(), 18);
  EXPECT_NEAR(surface.mean_edge(2 * bodies.x), 2 * surface.mean_edge(bodies.x), 1e-12);
}

}  // namespace
}  // namespace dashpot
