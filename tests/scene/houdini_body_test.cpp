#include <gmock/gmock.h>

#include <Eigen/Geometry>

#include "solver/elasticity/material.h"
#include "standalone/geometry/geometry_writer.h"
#include "tests/scene/scene_text.h"

namespace dashpot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Two tets with Houdini's orientation that share a face.
Geometry two_tets() {
  Points points(3, 5);
  points << 0, 1, 0, 0, 1,  //
      0, 0, 1, 0, 1,        //
      0, 0, 0, 1, 1;
  return make_tet_geometry(points, {{0, 1, 3, 2}, {4, 3, 1, 2}});
}

constexpr ElementClass kPrim = ElementClass::kPrimitive, kPoint = ElementClass::kPoint;

class HoudiniBody : public SceneFileTest {
 protected:
  std::string save(const Geometry& geometry, const std::string& name = "body.bgeo.sc") const {
    write_geometry(folder_ / name, geometry);
    return name;
  }
  static std::string body(const std::string& lines, const std::string& file = "body.bgeo.sc") {
    return "[simulation]\nframes = [10, 13]\nfps = 10\ntimescale = 0.5\n[[body]]\nname = "
           "\"jelly\"\n"
           "geometry = \"" +
           file + "\"\n" + lines;
  }
  Body load_body(const Geometry& geometry, const std::string& lines = "") const {
    save(geometry);
    return load(body(lines)).scene.bodies.at(0);
  }
  std::string error_with(const Geometry& geometry, const std::string& lines = "") const {
    save(geometry);
    return error_of(body(lines));
  }
};

std::vector<double> values(const Body& body, const std::string& token) {
  return body.fields.expand(token, body.mesh.tet_count());
}

TEST_F(HoudiniBody, HasTheFilesTetsFlippedToTheSolversOrientation) {
  const Body body = load_body(two_tets());
  EXPECT_EQ(body.mesh.tet_count(), 2);
  EXPECT_TRUE(body.mesh.flipped);
  EXPECT_EQ(input_order(body.mesh, 1), (Tet{4, 3, 1, 2}));
  EXPECT_EQ(body.position, positions(two_tets()));
}

TEST_F(HoudiniBody, APrimitiveAttributeIsTheValueWhateverTheSceneSays) {
  Geometry geometry = two_tets();
  set_numeric(geometry, kPrim, "youngsmodulus", std::vector<float>{2e4F, 3e4F}, 1);
  set_numeric(geometry, kPrim, "material", std::vector<std::int32_t>{0, 3}, 1);
  const Body body = load_body(geometry, "youngsmodulus = 7\nmassdensity = 500\n");
  EXPECT_THAT(values(body, "youngsmodulus"), ElementsAre(2e4, 3e4));
  EXPECT_THAT(values(body, "material"), ElementsAre(0, 3));
  EXPECT_THAT(values(body, "massdensity"), ElementsAre(500, 500));
}

TEST_F(HoudiniBody, APointAttributeIsAveragedOverTheCornersOfEachTet) {
  Geometry geometry = two_tets();
  set_numeric(geometry, kPoint, "massdensity", std::vector<double>{100, 200, 300, 400, 900}, 1);
  EXPECT_THAT(values(load_body(geometry), "massdensity"), ElementsAre(250, 450));
}

TEST_F(HoudiniBody, PrimitivesWinOverPointsAndPointsOverTheDetail) {
  Geometry geometry = two_tets();
  set_numeric(geometry, ElementClass::kDetail, "massdensity", std::vector<float>{7}, 1);
  EXPECT_THAT(values(load_body(geometry), "massdensity"), ElementsAre(7, 7));
  set_numeric(geometry, kPoint, "massdensity", std::vector<float>(5, 8), 1);
  EXPECT_THAT(values(load_body(geometry), "massdensity"), ElementsAre(8, 8));
  set_numeric(geometry, kPrim, "massdensity", std::vector<float>{9, 10}, 1);
  EXPECT_THAT(values(load_body(geometry), "massdensity"), ElementsAre(9, 10));
}

TEST_F(HoudiniBody, BadAttributesAreNamedWithTheirFileAndElement) {
  Geometry geometry = two_tets();
  set_numeric(geometry, kPrim, "youngsmodulus", std::vector<float>{2e4F, -1}, 1);
  EXPECT_THAT(error_with(geometry),
              HasSubstr("body.bgeo.sc, primitive 1: youngsmodulus = -1 is out of range"));
  set_numeric(geometry, kPrim, "youngsmodulus", std::vector<float>{2e4F, std::nanf("")}, 1);
  EXPECT_THAT(error_with(geometry), HasSubstr("primitive 1: youngsmodulus = nan is not a finite"));
  set_numeric(geometry, kPrim, "youngsmodulus", std::vector<float>{1, 2, 3, 4}, 2);
  EXPECT_THAT(error_with(geometry), HasSubstr("the primitive attribute youngsmodulus must be one "
                                              "number for each element"));
  geometry = two_tets();
  set_numeric(geometry, kPoint, "material", std::vector<std::int32_t>(5, 1), 1);
  EXPECT_THAT(error_with(geometry), HasSubstr("make it a primitive attribute"));
  geometry = two_tets();
  set_numeric(geometry, kPrim, "material", std::vector<std::int32_t>{0, 4}, 1);
  EXPECT_THAT(error_with(geometry), HasSubstr("primitive 1: material"));
  geometry = two_tets();
  set_numeric(geometry, kPoint, "v", std::vector<float>(10), 2);
  EXPECT_THAT(error_with(geometry), HasSubstr("the point attribute v must have three numbers"));
  geometry = two_tets();
  Points points = positions(geometry);
  points(1, 3) = std::nan("");
  set_positions(geometry, points);
  EXPECT_THAT(error_with(geometry), HasSubstr("the point attribute P is not finite at point 3"));
}

TEST_F(HoudiniBody, GroupsPinPoints) {
  Geometry geometry = two_tets();
  set_group(geometry, Group::Class::kPoint, "pins", {1, 4});
  const Body body = load_body(geometry, "pin = { group = \"pins\" }\n");
  EXPECT_THAT(body.pins.at(0).points, ElementsAre(1, 4));
  EXPECT_THAT(error_with(geometry, "pin = { group = \"pin\" }\n"),
              HasSubstr("the geometry's point groups are pins"));
}

TEST_F(HoudiniBody, PinToAnimationHoldsPointsAndTargetPMovesThemInOneFrame) {
  Geometry geometry = two_tets();
  set_numeric(geometry, kPoint, "pintoanimation", std::vector<std::int32_t>{0, 1, 0, 0, 1}, 1);
  Body body = load_body(geometry);
  EXPECT_THAT(body.pins.at(0).points, ElementsAre(1, 4));
  EXPECT_EQ(body.pins[0].motion, nullptr);

  Points target = positions(geometry);
  target.colwise() += Vec3(0, 2, 0);
  set_point_vectors(geometry, "targetP", target);
  body = load_body(geometry, "translate = [5, 0, 0]\n");
  Points x(3, 2), v(3, 2);
  const Points initial = x;
  body.pins[0].motion->targets(0, initial, x, v);
  EXPECT_EQ(Vec3(x.col(1)), Vec3(6, 1, 1));
  body.pins[0].motion->targets(0.05, initial, x, v);  // one frame, at half speed
  EXPECT_EQ(Vec3(x.col(1)), Vec3(6, 3, 1));
  body.pins[0].motion->targets(7, initial, x, v);
  EXPECT_EQ(Vec3(x.col(1)), Vec3(6, 3, 1));
}

TEST_F(HoudiniBody, PinsFollowASequenceOfTargets) {
  Geometry geometry = two_tets();
  set_numeric(geometry, kPoint, "pintoanimation", std::vector<std::int32_t>{0, 1, 0, 0, 1}, 1);
  for (int frame = 10; frame <= 13; ++frame) {
    Geometry moved = geometry;
    Points points = positions(geometry);
    points.colwise() += Vec3(0, 0, (frame - 10) * (frame - 10));
    set_positions(moved, points);
    save(moved, "anim.00" + std::to_string(frame) + ".bgeo");
  }
  const Body body = load_body(geometry, "scale = 2\ntargets = \"anim.$F4.bgeo\"\n");
  Points x(3, 2), v(3, 2);
  const Points initial = x;
  body.pins[0].motion->targets(0.05, initial, x, v);
  EXPECT_EQ(Vec3(x.col(0)), Vec3(2, 0, 2));
  body.pins[0].motion->targets(0.125, initial, x, v);  // between frames 12 and 13
  EXPECT_NEAR(x(2, 0), 2 * 6.5, 1e-12);
  EXPECT_NEAR(v(2, 0), 2 * 5 / 0.05, 1e-9);

  EXPECT_THAT(error_with(two_tets(), "targets = \"anim.$F4.bgeo\"\n"),
              HasSubstr("targets has no points to move"));
  EXPECT_THAT(error_with(geometry, "targets = \"amin.$F4.bgeo\"\n"),
              HasSubstr("names the file 'amin.0010.bgeo', which does not exist"));
  EXPECT_THAT(error_with(geometry, "translate = [0, 0, 0]\ntargets = \"anim.0013.bgeo\"\n"),
              HasSubstr("does not start where the body is"));
}

TEST_F(HoudiniBody, RestIsTheShapeWithoutStrainAndRestPWins) {
  Geometry geometry = two_tets();
  const Points position = positions(geometry);
  set_point_vectors(geometry, "rest", 2 * position);
  Body body = load_body(geometry, "scale = 3\n");
  EXPECT_EQ(body.mesh.rest, 6 * position);
  EXPECT_EQ(body.position, 3 * position);
  set_point_vectors(geometry, "restP", 4 * position);
  body = load_body(geometry);
  EXPECT_EQ(body.mesh.rest, 4 * position);
}

TEST_F(HoudiniBody, StartsWithItsVelocityTurnedWithTheBody) {
  Geometry geometry = two_tets();
  Points v = Points::Zero(3, 5);
  v.row(0).setConstant(2);
  set_point_vectors(geometry, "v", v);
  const Body body = load_body(geometry, "rotate = [0, 0, 90]\nvelocity = [0, 0, 1]\n");
  for (int i = 0; i < 5; ++i) EXPECT_LT((Vec3(body.velocity.col(i)) - Vec3(0, 2, 1)).norm(), 1e-12);
}

// One tet, a triangle with three points of its own, a triangle on the tet, and a point that nothing
// uses; a text attribute for the material.
constexpr char kMixed[] = R"(["fileversion","19.5.493","hasindex",false,"pointcount",8,
"vertexcount",10,"primitivecount",3,"info",{},
"topology",["pointref",["indices",[0,1,3,2, 4,5,6, 0,1,2]]],
"attributes",["pointattributes",[[["scope","public","type","numeric","name","P","options",{}],
["size",3,"storage","fpreal32","values",["size",3,"storage","fpreal32","tuples",
[[0,0,0],[1,0,0],[0,1,0],[0,0,1],[0.1,0.1,0.1],[0.3,0.1,0.1],[0.1,0.3,0.1],[9,9,9]]]]]],
"primitiveattributes",[[["scope","public","type","string","name","material","options",{}],
["size",1,"storage","int32","strings",["stvk","paint"],"indices",["size",1,"storage","int32",
"arrays",[[0,1,1]]]]]]],
"primitives",[[["type","Tetrahedron_run"],["startvertex",0,"nprimitives",1]],
[["type","Polygon_run"],["startvertex",4,"nprimitives",2,"nvertices_rle",[3,2]]]]])";

TEST_F(HoudiniBody, OtherPrimitivesRideAlongAndLoosePointsStay) {
  write("body.geo", kMixed);
  const SceneFile file = load(body("translate = [0, 0, 1]\n", "body.geo"));
  const Body& body = file.scene.bodies.at(0);
  const BodySource& source = file.sources.at(0);
  EXPECT_EQ(body.mesh.point_count(), 4);
  EXPECT_THAT(source.mesh_points, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(source.embedded_points, ElementsAre(4, 5, 6));
  EXPECT_THAT(source.loose_points, ElementsAre(7));
  EXPECT_EQ(values(body, "material")[0], static_cast<int>(Material::kStvk)) << "text for a menu";

  const Points moved = 2 * body.position;
  const Points all = geometry_positions(source, body.mesh, moved);
  EXPECT_LT((Vec3(all.col(5)) - Vec3(0.6, 0.2, 2.2)).norm(), 1e-6);
  EXPECT_EQ(Vec3(all.col(7)), Vec3(9, 9, 10));
  EXPECT_EQ(all.leftCols(4), moved);
  const Points velocities = geometry_velocities(source, body.mesh, moved);
  EXPECT_LT((Vec3(velocities.col(5)) - Vec3(0.6, 0.2, 2.2)).norm(), 1e-6);
  EXPECT_EQ(Vec3(velocities.col(7)), Vec3(0, 0, 0));
}

TEST_F(HoudiniBody, AnUnknownChoiceIsNamed) {
  std::string text = kMixed;
  text.replace(text.find("stvk"), 4, "svtk");
  write("body.geo", text);
  EXPECT_THAT(error_of(body("", "body.geo")),
              HasSubstr("body.geo, primitive 0: material has no choice 'svtk'"));
}

// What is in the file and would not be heard is named, with the class that would be.
TEST_F(HoudiniBody, AttributesThatNothingReadsAreNamed) {
  Geometry geometry = two_tets();
  set_numeric(geometry, kPrim, "pintoanimation", std::vector<std::int32_t>{1, 1}, 1);
  set_numeric(geometry, ElementClass::kVertex, "youngsmodulus", std::vector<float>(8, 2e4F), 1);
  set_numeric(geometry, kPoint, "v", std::vector<float>(20, 0.0F), 4);
  set_numeric(geometry, ElementClass::kDetail, "substeps", std::vector<std::int32_t>{2}, 1);
  set_numeric(geometry, kPrim, "massdensity", std::vector<float>{1000, 1000}, 1);
  set_numeric(geometry, kPoint, "massdensity", std::vector<float>(5, 1000.0F), 1);
  save(geometry);
  const std::vector<std::string> warnings = load(body("")).warnings;
  const auto expect = [&](const char* sentence) {
    EXPECT_THAT(warnings, ::testing::Contains(HasSubstr(sentence)));
  };
  expect(
      "body.bgeo.sc: the primitive attribute pintoanimation is ignored; make it a point "
      "attribute.");
  expect(
      "the vertex attribute youngsmodulus is ignored; make it a primitive, point or detail "
      "attribute.");
  expect("the point attribute v has 4 numbers for each point, of which the first three are used");
  expect("the detail attribute substeps is ignored; set it in the solver's parameters.");
  expect("the point attribute massdensity is ignored, because there is a primitive attribute");
  EXPECT_EQ(warnings.size(), 5U);
}

TEST_F(HoudiniBody, DoubledTetsAreNamed) {
  const Points points = positions(two_tets());
  save(make_tet_geometry(points, {{0, 1, 3, 2}, {4, 3, 1, 2}, {3, 1, 4, 2}}));
  EXPECT_THAT(load(body("")).warnings,
              ElementsAre(HasSubstr("1 tet has the same four points as another, the first is "
                                    "primitive 2, the same as 1")));
}

}  // namespace
}  // namespace dashpot
