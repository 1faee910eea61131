#include "solver/collision/intersections.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include "solver/collision/orientation.h"
#include "tests/collision/surface_samples.h"
#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

std::vector<EdgeTriangle> brute_force(const ContactSurface& surface, const Points& x) {
  std::vector<EdgeTriangle> found;
  for (int e = 0; e < static_cast<int>(surface.edges().size()); ++e)
    for (int t = 0; t < static_cast<int>(surface.triangles().size()); ++t) {
      const Edge& edge = surface.edges()[e];
      const Triangle& c = surface.triangles()[t];
      if (has_point(c, edge[0]) || has_point(c, edge[1])) continue;
      if (cross(x.col(edge[0]), x.col(edge[1]), x.col(c[0]), x.col(c[1]), x.col(c[2])) ==
          Crossing::kCross)
        found.push_back({e, t});
    }
  return found;
}

TEST(Intersections, AreThoseOfAllPairs) {
  RandomNumbers random(8);
  SampleBodies bodies;
  for (int b = 0; b < 4; ++b)
    bodies.add_cube(
        1, 3, 0.6 * random.vector(),
        Eigen::AngleAxisd(random.next() * 3, random.vector().normalized()).toRotationMatrix());
  bodies.x += 0.1 * random.points(static_cast<int>(bodies.x.cols()));
  const ContactSurface surface = bodies.surface();
  const auto found = find_intersections(surface, bodies.x);
  EXPECT_EQ(found, brute_force(surface, bodies.x));
  EXPECT_GT(found.size(), 50U);
}

TEST(Intersections, DoNotCountSurfacesThatTouch) {
  for (const Vec3& at : {Vec3(0, 1, 0), Vec3(0.3, 1, 0.2), Vec3(0.5, 1, 0.5), Vec3(1, 1, 0),
                         Vec3(1, 1, 1), Vec3(0.25, 1, 1)}) {
    SampleBodies bodies;
    bodies.add_cube(1, 2, Vec3::Zero()).add_cube(1, 2, at);
    EXPECT_TRUE(find_intersections(bodies.surface(), bodies.x).empty()) << at.transpose();
  }
}

// Every edge that goes in does so through the diagonal of a face.
TEST(Intersections, CountCrossingsThroughTheBorderOfTriangles) {
  SampleBodies bodies;
  bodies.add_cube(1, 1, Vec3::Zero()).add_cube(1, 1, Vec3(0.5, 0.5, 0.5));
  EXPECT_FALSE(find_intersections(bodies.surface(), bodies.x).empty());
}

TEST(Intersections, AreFoundOneUlpDeep) {
  SampleBodies bodies;
  bodies.add_cube(1, 1, Vec3::Zero()).add_cube(0.5, 1, Vec3(0, 0.75, 0));
  ASSERT_TRUE(find_intersections(bodies.surface(), bodies.x).empty());
  for (int p = 8; p < 16; ++p)
    if (bodies.x(1, p) == 0.5) bodies.x(1, p) = std::nextafter(0.5, 0.0);
  EXPECT_FALSE(find_intersections(bodies.surface(), bodies.x).empty());
}

}  // namespace
}  // namespace dashpot
