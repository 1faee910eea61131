#include "standalone/runs/run_surface.h"

#include <gmock/gmock.h>

#include <limits>

#include "solver/base/error.h"
#include "tests/runs/made_run.h"

namespace dashpot {
namespace {

using testing::Each;
using testing::FloatNear;
using testing::HasSubstr;
using testing::ThrowsMessage;

const Shading& stretch() {
  return find_shading("stretch");
}

// Two tets, of which a run's second frame is made by moving the points.
struct MovedRun {
  MadeRun made{2};
  RunDirectory run;

  explicit MovedRun(const Mat3& move, const Points& velocities = Points::Zero(3, 5)) {
    Geometry geometry = MadeRun::two_tets();
    set_point_vectors(geometry, "v", velocities);
    made.write_frame(1, geometry);
    set_positions(geometry, move * positions(geometry));
    made.write_frame(2, geometry);
    run = open_run(made.path());
  }

  std::vector<float> values(const char* token) const {
    const RunSurface surface(run, SurfaceChoice::kAuto);
    return surface.values(find_shading(token), surface.read_frame(2));
  }
};

TEST(RunSurface, DrawsTheBoundaryOfTheTetsOutwards) {
  const MadeRun made;
  const RunDirectory run = open_run(made.path());
  const RunSurface surface(run, SurfaceChoice::kAuto);
  ASSERT_EQ(surface.drawn().triangles.size(), 6U);
  ASSERT_EQ(surface.point_count(), 5);
  const Points p = surface.positions(surface.read_frame(1));
  const Vec3 centre = p.rowwise().mean();
  double volume = 0;
  for (const Triangle& t : surface.drawn().triangles) {
    Mat3 corners;
    for (int k = 0; k < 3; ++k) corners.col(k) = p.col(t[static_cast<std::size_t>(k)]) - centre;
    volume += corners.determinant() / 6;
  }
  EXPECT_NEAR(volume, 1.0 / 6 + 1.0 / 3, 1e-6);
}

TEST(RunSurface, StretchIsTheLargestChangeOfLength) {
  EXPECT_THAT(MovedRun(Vec3(1.25, 1, 1).asDiagonal()).values("stretch"),
              Each(FloatNear(0.25F, 1e-5F)));
  EXPECT_THAT(MovedRun(Vec3(1.1, 0.6, 1).asDiagonal()).values("stretch"),
              Each(FloatNear(0.4F, 1e-5F)));
  Mat3 turn;
  turn << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  EXPECT_THAT(MovedRun(turn).values("stretch"), Each(FloatNear(0, 1e-5F)));
}

TEST(RunSurface, SpeedIsTheLengthOfTheVelocity) {
  Points v = Points::Zero(3, 5);
  v.col(4) = Vec3(3, 0, -4);
  const std::vector<float> speeds = MovedRun(Mat3::Identity(), v).values("speed");
  EXPECT_EQ(*std::max_element(speeds.begin(), speeds.end()), 5.0F);
  EXPECT_EQ(std::count(speeds.begin(), speeds.end(), 0.0F), 4);
}

TEST(RunSurface, DissipationIsPerVolume) {
  const MadeRun made;
  Geometry geometry = MadeRun::two_tets();
  // J; the tets have a sixth and a third of a cubic metre.
  set_numeric(geometry, ElementClass::kPrimitive, "dissipation", std::vector<float>{3.0F, 6.0F}, 1);
  for (int frame = 1; frame <= 4; ++frame) made.write_frame(frame, geometry);
  const RunDirectory run = open_run(made.path());
  const RunSurface surface(run, SurfaceChoice::kAuto);
  const Shading& dissipation = find_shading("dissipation");
  EXPECT_EQ(surface.trouble(dissipation), "");
  EXPECT_THAT(surface.values(dissipation, surface.read_frame(3)), Each(FloatNear(18, 1e-4F)));
}

TEST(RunSurface, AnAttributeOfTheFramesComesFirst) {
  const MadeRun made;
  Geometry geometry = MadeRun::two_tets();
  set_numeric(geometry, ElementClass::kPrimitive, "strain", std::vector<float>{0.5F, 0.5F}, 1);
  for (int frame = 1; frame <= 4; ++frame) made.write_frame(frame, geometry);
  const RunDirectory run = open_run(made.path());
  const RunSurface surface(run, SurfaceChoice::kAuto);
  EXPECT_THAT(surface.values(stretch(), surface.read_frame(3)), Each(0.5F));
  EXPECT_EQ(surface.remark(stretch()), "");
}

TEST(RunSurface, SaysWhyItCannotShade) {
  MadeRun made;
  RunDirectory run = open_run(made.path());
  EXPECT_THAT(RunSurface(run, SurfaceChoice::kAuto).trouble(find_shading("dissipation")),
              HasSubstr("--attribs dissipation"));
  EXPECT_THAT(RunSurface(run, SurfaceChoice::kAuto).trouble(find_shading("speed")),
              HasSubstr("no velocities"));
  EXPECT_THAT(RunSurface(run, SurfaceChoice::kAuto).remark(stretch()), HasSubstr("at rest"));
  // A first frame that is not at rest is no measure of stretch.
  made.stats()[0]["max_stretch"] = 1.5;
  made.write_stats();
  run = open_run(made.path());
  EXPECT_THAT(RunSurface(run, SurfaceChoice::kAuto).trouble(stretch()),
              HasSubstr("not at rest; simulate with --attribs strain"));
}

// A tet in Houdini's orientation, and a triangle of points of its own that rides inside of it.
Geometry tet_and_rider() {
  return decode_geometry(std::string(R"(["pointcount",7,"vertexcount",7,"primitivecount",2,
"topology",["pointref",["indices",[4,5,6,0,2,1,3]]],
"attributes",["pointattributes",[[["scope","public","type","numeric","name","P","options",{}],
  ["size",3,"storage","fpreal32","defaults",["size",1,"storage","fpreal64","values",[0]],
   "values",["size",3,"storage","fpreal32","tuples",
    [[0,0,0],[1,0,0],[0,1,0],[0,0,1],[0.1,0.1,0.1],[0.2,0.1,0.1],[0.1,0.2,0.1]]]]]]],
"primitives",[[["type","Polygon_run"],["startvertex",0,"nprimitives",1,"nvertices",[3]]],
 [["type","Tetrahedron_run"],["startvertex",3,"nprimitives",1]]]])"));
}

TEST(RunSurface, ASkinIsDrawnInsteadOfTheTetsUnlessAskedOtherwise) {
  const MadeRun made(2);
  made.write_record(7, 1);
  Geometry geometry = tet_and_rider();
  made.write_frame(1, geometry);
  set_positions(geometry, Mat3(Vec3(2, 1, 1).asDiagonal()) * positions(geometry));
  made.write_frame(2, geometry);
  const RunDirectory run = open_run(made.path());

  const RunSurface skin(run, SurfaceChoice::kAuto);
  EXPECT_EQ(skin.drawn().triangles.size(), 1U);
  EXPECT_TRUE(skin.drawn().parts.at(0).skin);
  EXPECT_THAT(skin.drawn().source, testing::UnorderedElementsAre(4, 5, 6));
  // It has the values of what it rides on.
  EXPECT_THAT(skin.values(stretch(), skin.read_frame(2)), Each(FloatNear(1, 1e-5F)));

  const RunSurface tets(run, SurfaceChoice::kTets);
  EXPECT_EQ(tets.drawn().triangles.size(), 4U);
}

TEST(RunSurface, RefusesFramesThatDoNotBelongToTheRun) {
  const MadeRun made;
  made.write_frame(3, tet_and_rider());
  Geometry broken = MadeRun::two_tets();
  set_numeric(broken, ElementClass::kPoint, "P",
              std::vector<float>(15, std::numeric_limits<float>::quiet_NaN()), 3);
  made.write_frame(4, broken);
  const RunDirectory run = open_run(made.path());
  const RunSurface surface(run, SurfaceChoice::kAuto);
  EXPECT_THAT([&] { surface.read_frame(3); },
              ThrowsMessage<InputError>(HasSubstr("other points or tets")));
  EXPECT_THAT([&] { surface.read_frame(4); }, ThrowsMessage<InputError>(HasSubstr("not finite")));
  made.write_record(50, 2);
  const RunDirectory other = open_run(made.path());
  EXPECT_THAT([&] { RunSurface(other, SurfaceChoice::kAuto); },
              ThrowsMessage<InputError>(HasSubstr("does not belong")));
}

TEST(FrameTop, IgnoresAFewPoints) {
  std::vector<float> values(10000, 2.0F);
  values[17] = 1e9F;
  EXPECT_EQ(frame_top(values), 2);
  EXPECT_EQ(frame_top({}), 0);
  EXPECT_EQ(frame_top({1.0F, 3.0F}), 3);
}

TEST(ScaleTop, OneBlowDoesNotDarkenAllOtherFrames) {
  std::vector<double> tops(40, 0.05);
  tops[12] = tops[13] = 2.05;
  EXPECT_EQ(scale_top(tops), 0.05);
  EXPECT_EQ(scale_top({}), 0);
  EXPECT_EQ(scale_top({3.0}), 3);
  tops.assign(40, 0.0);
  tops[12] = 2.05;
  EXPECT_EQ(scale_top(tops), 2.05);  // better than no scale at all
}

TEST(FindShading, ListsWhatThereIs) {
  EXPECT_THAT([] { find_shading("colour"); },
              ThrowsMessage<InputError>(HasSubstr("stretch, speed, dissipation, stress")));
}

}  // namespace
}  // namespace dashpot
