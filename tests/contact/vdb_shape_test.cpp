#include "solver/contact/vdb_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "solver/base/error.h"
#include "tests/support/level_sets.h"
#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

constexpr double kRadius = 0.5, kVoxel = 0.05;

double sphere(const Vec3& p) {
  return p.norm() - kRadius;
}

template <class Grid = openvdb::FloatGrid>
typename Grid::Ptr sphere_grid(const openvdb::math::Transform::Ptr& transform = cubes(kVoxel)) {
  return sample_level_set<Grid>(sphere, Vec3::Constant(-0.8), Vec3::Constant(0.8), transform,
                                3 * kVoxel);
}

ContactPlaneQuery touch(const ColliderShape& shape, const Vec3& from, const Vec3& to,
                        double begin = 0, double end = 0) {
  ContactPlaneQuery result;
  const ContactPath path{from, to};
  shape.touch(begin, end, &path, 1, &result);
  return result;
}

TEST(VdbShape, KnowsTheNearestSurfaceWithinItsBand) {
  for (const openvdb::GridBase::Ptr& grid : std::initializer_list<openvdb::GridBase::Ptr>{
           sphere_grid(), sphere_grid<openvdb::DoubleGrid>()}) {
    const auto shape = still_shape(grid);
    RandomNumbers random(3);
    for (int i = 0; i < 500; ++i) {
      const Vec3 direction =
          Vec3(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)).normalized();
      const double distance = random.between(-2, 1) * kVoxel;
      const Vec3 x = (kRadius + distance) * direction;
      const ContactPlaneQuery t = touch(*shape, x, x);
      ASSERT_TRUE(t.near);
      // Values are linear between voxels, which a ball of ten voxels is not; from deep below, the
      // surface is not found in one step.
      const double allowed = std::abs(distance) < 0.5 * kVoxel ? 0.04 : 0.15;
      EXPECT_LT((t.point - kRadius * direction).norm(), allowed * kVoxel);
      EXPECT_GT(t.normal.dot(direction), 0.995);
    }
  }
}

// Next to an edge that runs along the voxels, values are products that are all but flat.
TEST(VdbShape, APlaneThatIsGoneToIsMetNextToEdges) {
  const Vec3 half(0.3, 0.4, 0.5);
  const auto box = [&](const Vec3& p) {
    const Vec3 out = p.cwiseAbs() - half;
    return out.cwiseMax(0).norm() + std::min(0.0, out.maxCoeff());
  };
  const auto shape = still_shape(sample_level_set<openvdb::DoubleGrid>(
      box, Vec3::Constant(-0.8), Vec3::Constant(0.8), cubes(kVoxel), 3 * kVoxel));
  RandomNumbers random(5);
  for (int i = 0; i < 500; ++i) {
    // On the side of z, from 2 to 100 % of a voxel away from the edge along y.
    const double away = kVoxel * random.between(0.02, 1);
    Vec3 x(half.x() - away, random.between(-0.3, 0.3), half.z());
    x = touch(*shape, x, x).point;
    x -= 1e-5 * kVoxel * touch(*shape, x, x).normal;
    const ContactPlaneQuery below = touch(*shape, x, x);
    const ContactPlaneQuery met = touch(*shape, below.point, below.point);
    EXPECT_LT(std::abs(met.normal.dot(below.point - met.point)), 1e-2 * (below.point - x).norm())
        << away / kVoxel;
  }
}

// A point that slides round the ball, through a chord of it: whether it ends just above or just
// below the surface must not choose another plane.
TEST(VdbShape, HasThePlaneOfTheEndJustAboveAndJustBelowTheSurface) {
  const auto shape = still_shape(sphere_grid<openvdb::DoubleGrid>());
  const Vec3 from = 1.001 * kRadius * Vec3(-0.3, 1, 0).normalized();
  const Vec3 end = kRadius * Vec3(0.3, 1, 0).normalized();
  const ContactPlaneQuery above = touch(*shape, from, (1 + 1e-4) * end);
  const ContactPlaneQuery below = touch(*shape, from, (1 - 1e-4) * end);
  ASSERT_TRUE(above.near && below.near);
  EXPECT_LT((above.normal - below.normal).norm(), 1e-3);
  EXPECT_LT((above.point - below.point).norm(), 1e-3 * kVoxel);
}

TEST(VdbShape, IsExactForAPlaneInAnyDirection) {
  const Vec3 normal = Vec3(0.3, 1, -0.4).normalized();
  const auto distance = [&](const Vec3& p) { return normal.dot(p) - 0.03; };
  const auto shape = still_shape(sample_level_set<openvdb::DoubleGrid>(
      distance, Vec3::Constant(-1), Vec3::Constant(1), cubes(kVoxel), 3 * kVoxel));
  RandomNumbers random(4);
  for (int i = 0; i < 200; ++i) {
    const Vec3 along =
        Vec3(random.between(-0.5, 0.5), random.between(-0.5, 0.5), random.between(-0.5, 0.5));
    const Vec3 x =
        along - normal.dot(along) * normal + (0.03 + random.between(-0.5, 0.5) * kVoxel) * normal;
    const ContactPlaneQuery t = touch(*shape, x, x);
    ASSERT_TRUE(t.near);
    EXPECT_LT((t.normal - normal).norm(), 1e-12);
    EXPECT_NEAR(distance(t.point), 0, 1e-12);
  }
}

// Turned, sheared and stretched voxels; the values are distances in the world.
TEST(VdbShape, WorksWithAnyAffineTransform) {
  openvdb::math::Mat4d matrix = openvdb::math::Mat4d::identity();
  const double rows[3][3] = {{0.04, 0.01, 0}, {-0.015, 0.05, 0.01}, {0.005, 0, 0.03}};
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) matrix(r, c) = rows[r][c];
  matrix.setTranslation({0.013, -0.02, 0.4});
  const auto shape =
      still_shape(sphere_grid(openvdb::math::Transform::createLinearTransform(matrix)));
  RandomNumbers random(5);
  for (int i = 0; i < 200; ++i) {
    const Vec3 direction =
        Vec3(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)).normalized();
    const Vec3 x = (kRadius + random.between(-0.5, 0.5) * kVoxel) * direction;
    const ContactPlaneQuery t = touch(*shape, x, x);
    ASSERT_TRUE(t.near);
    EXPECT_LT((t.point - kRadius * direction).norm(), 0.03 * kVoxel);
    EXPECT_GT(t.normal.dot(direction), 0.999);
  }
}

// A grid that someone stretched has values that are no distances any more.
TEST(VdbShape, FindsTheSurfaceWhenValuesAreNoDistances) {
  auto grid = sphere_grid();
  grid->transform().postScale(openvdb::Vec3d(1, 2, 1));  // an ellipsoid
  const auto shape = still_shape(grid);
  const ContactPlaneQuery top = touch(*shape, {0, 1.03, 0}, {0, 0.98, 0});
  ASSERT_TRUE(top.near);
  EXPECT_NEAR(top.point.y(), 1, 0.02 * kVoxel);
  EXPECT_GT(top.normal.y(), 0.999);
  double clearance = 0;
  const Vec3 above(0, 1.1, 0);
  shape->distance_lower_bound(0, 0, &above, 1, &clearance);
  EXPECT_LE(clearance, 0.1 + 1e-6);
}

TEST(VdbShape, SkipsWhatIsFar) {
  const auto shape = still_shape(sphere_grid());
  EXPECT_FALSE(touch(*shape, {2, 0, 0}, {1.5, 0, 0}).near);
  const Vec3 far(40, 0, 0);
  double clearance = 0;
  shape->distance_lower_bound(0, 0, &far, 1, &clearance);
  EXPECT_GT(clearance, 39);
  EXPECT_LE(clearance, 39.5);
}

TEST(VdbShape, PushesOutWhatIsDeeperThanItsBand) {
  const auto shape = still_shape(sphere_grid());
  RandomNumbers random(6);
  for (int i = 0; i < 100; ++i) {
    const Vec3 x = Vec3(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)) * 0.15;
    const ContactPlaneQuery t = touch(*shape, x, x);
    ASSERT_TRUE(t.near) << x.transpose();
    EXPECT_NEAR(t.point.norm(), kRadius, 0.5 * kVoxel);
    EXPECT_LT(t.normal.dot(x - t.point), 0);
    // Not the other side: 26 directions find a way that is at most 8 % longer than the shortest,
    // here from a point at most 0.26 off the middle.
    EXPECT_LT((t.point - x).norm(), 1.09 * (kRadius - x.norm()) + kVoxel);
  }
}

// A plate two voxels thick, and paths far longer.
TEST(VdbShape, NothingPassesAThinPlateUnseen) {
  const auto shape = box_shape(Vec3::Zero(), Vec3(1, kVoxel, 1), kVoxel);
  RandomNumbers random(8);
  for (int i = 0; i < 300; ++i) {
    const Vec3 from(random.between(-0.8, 0.8), random.between(0.06, 3), random.between(-0.8, 0.8));
    const Vec3 to(random.between(-0.8, 0.8), random.between(-3, -0.06), random.between(-0.8, 0.8));
    const ContactPlaneQuery t = touch(*shape, from, to);
    ASSERT_TRUE(t.near) << from.transpose() << " to " << to.transpose();
    EXPECT_GT(t.normal.y(), 0.99) << "the side it came from";
    EXPECT_NEAR(t.point.y(), kVoxel, 0.05 * kVoxel);
  }
}

// Iterates that burst must not make the search walk through nothing step by step.
TEST(VdbShape, PathsThatEndFarAwayOrNowhereAreSearchedAtOnce) {
  const auto shape = box_shape(Vec3::Zero(), Vec3(1, kVoxel, 1), kVoxel);
  for (const double far : {1e6, 1e12, 1e100}) {
    const ContactPlaneQuery through = touch(*shape, {0, 0.5, 0}, {0, -far, 0});
    ASSERT_TRUE(through.near) << far;
    EXPECT_NEAR(through.point.y(), kVoxel, 0.05 * kVoxel) << far;
    EXPECT_FALSE(touch(*shape, {0, 0.5, 0}, {0, far, 0}).near) << far;
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(touch(*shape, {0, 0.5, 0}, {0, kInfinity, 0}).near);
}

// A floor that rises by 0.4 m/s, a frame every 0.1 s.
std::vector<VdbFrame> rising_floor() {
  std::vector<VdbFrame> frames;
  for (int f = 0; f < 4; ++f) {
    const double height = 0.04 * f;
    const auto distance = [height](const Vec3& p) { return p.y() - height; };
    VdbFrame frame;
    frame.time = 0.1 * f;
    frame.distance = sample_level_set<openvdb::DoubleGrid>(
        distance, Vec3(-1, -0.3, -1), Vec3(1, 0.3, 1), cubes(kVoxel), 3 * kVoxel);
    frames.push_back(frame);
  }
  return frames;
}

TEST(VdbShape, SequencesMoveBetweenTheirFrames) {
  const auto shape = make_vdb_shape(rising_floor(), "test");
  // Also at the frames themselves, where most steps end: as it arrives there.
  for (const double time : {0.03, 0.1, 0.17, 0.2, 0.3}) {
    const ContactPlaneQuery t = touch(*shape, {0, 0.2, 0}, {0, 0.05, 0}, time, time);
    ASSERT_TRUE(t.near);
    EXPECT_NEAR(t.point.y(), 0.4 * time, 1e-9);
    EXPECT_NEAR(t.velocity.y(), 0.4, 1e-9) << time;
  }
  const ContactPlaneQuery held = touch(*shape, {0, 0.2, 0}, {0, 0.05, 0}, 9, 9);
  EXPECT_NEAR(held.point.y(), 0.12, 1e-9);
  EXPECT_EQ(held.velocity.y(), 0);
}

// Houdini knows the frame before and the one it cooks; a file sequence is known as a whole.
TEST(VdbShape, AStepSeesNoFramesButItsOwnTwo) {
  const std::vector<VdbFrame> frames = rising_floor();
  const auto all = make_vdb_shape(frames, "test");
  const auto two = make_vdb_shape({frames[1], frames[2]}, "test");
  const double begin = std::nextafter(frames[1].time, 0), end = std::nextafter(frames[2].time, 1);
  for (const auto& [from, to] : {std::pair{begin, end}, {begin, 0.13}, {0.13, end}}) {
    const ContactPlaneQuery one = touch(*all, {0, 0.1, 0}, {0.01, 0.05, 0.02}, from, to);
    const ContactPlaneQuery other = touch(*two, {0, 0.1, 0}, {0.01, 0.05, 0.02}, from, to);
    ASSERT_TRUE(one.near);
    EXPECT_EQ(one.point, other.point);
    EXPECT_EQ(one.normal, other.normal);
    EXPECT_EQ(one.velocity, other.velocity);
  }
}

TEST(VdbShape, TakesVelocitiesFromAGrid) {
  VdbFrame frame;
  frame.distance = sphere_grid();
  auto velocity = openvdb::Vec3SGrid::create(openvdb::Vec3s(0, 0, 0));
  velocity->setTransform(cubes(kVoxel));
  velocity->fill(openvdb::CoordBBox(openvdb::Coord(-20), openvdb::Coord(20)),
                 openvdb::Vec3s(1, 2, 3));
  frame.velocity = velocity;
  const auto shape = make_vdb_shape({frame}, "test");
  // Along the normal a surface stands still if its distances do.
  EXPECT_LT((touch(*shape, {0.5, 0, 0}, {0.49, 0, 0}).velocity - Vec3(0, 2, 3)).norm(), 1e-6);
}

std::string complaint(const openvdb::GridBase::ConstPtr& grid) {
  try {
    still_shape(grid);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(VdbShape, RefusesWhatIsNoSurface) {
  using testing::AllOf;
  using testing::HasSubstr;
  openvdb::initialize();
  auto fog = sphere_grid();
  fog->setGridClass(openvdb::GRID_FOG_VOLUME);
  fog->setName("smoke");
  EXPECT_THAT(complaint(fog), AllOf(HasSubstr("'smoke'"), HasSubstr("level set")));

  auto empty = openvdb::FloatGrid::create(0.1F);
  empty->setGridClass(openvdb::GRID_LEVEL_SET);
  empty->setName("nothing");
  EXPECT_THAT(complaint(empty), AllOf(HasSubstr("'nothing'"), HasSubstr("empty")));

  auto broken = sphere_grid();
  broken->setName("broken");
  broken->getAccessor().setValue({10, 0, 0}, std::numeric_limits<float>::quiet_NaN());
  EXPECT_THAT(complaint(broken), AllOf(HasSubstr("'broken'"), HasSubstr("finite")));

  auto flat = sphere_grid();
  flat->setName("flat");
  flat->setTransform(openvdb::math::Transform::Ptr(new openvdb::math::Transform(
      openvdb::math::MapBase::Ptr(new openvdb::math::ScaleMap(openvdb::Vec3d(1e3, 1e3, 1e-12))))));
  EXPECT_THAT(complaint(flat), AllOf(HasSubstr("'flat'"), HasSubstr("inverted")));

  auto whole = openvdb::Int32Grid::create(3);
  whole->setGridClass(openvdb::GRID_LEVEL_SET);
  whole->setName("numbers");
  EXPECT_THAT(complaint(whole), AllOf(HasSubstr("'numbers'"), HasSubstr("float or double")));

  auto hollow = openvdb::FloatGrid::create(0.1F);
  hollow->setGridClass(openvdb::GRID_LEVEL_SET);
  hollow->setName("hollow");
  hollow->getAccessor().setValue({0, 0, 0}, 0.05F);
  EXPECT_THAT(complaint(hollow), AllOf(HasSubstr("'hollow'"), HasSubstr("no inside")));
}

}  // namespace
}  // namespace dashpot
