// The project's own samples hold what they were made to hold: values of every storage and layout.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "standalone/geometry/geometry_reader.h"
#include "tests/geometry/samples.h"

namespace dashpot {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

constexpr ElementClass kPoint = ElementClass::kPoint, kPrimitive = ElementClass::kPrimitive;

// As text and as binary.
class Samples : public testing::TestWithParam<const char*> {
 protected:
  void read(const std::string& name) {
    geometry_ = read_geometry(own_samples() / (name + GetParam()));
  }

  void expect_counts(std::int64_t points, std::int64_t vertices,
                     const std::map<PrimitiveRun::Kind, std::int64_t>& primitives) const {
    EXPECT_EQ(geometry_.point_count, points);
    EXPECT_EQ(geometry_.vertex_count(), vertices);
    std::map<PrimitiveRun::Kind, std::int64_t> found;
    for (const PrimitiveRun& run : geometry_.primitives) found[run.kind] += run.count;
    EXPECT_EQ(found, primitives);
  }

  void expect_values(ElementClass owner, const char* name, const char* storage, std::int64_t size,
                     const std::vector<double>& values) const {
    SCOPED_TRACE(name);
    const Attribute* attribute = find_attribute(geometry_, owner, name);
    ASSERT_NE(attribute, nullptr);
    EXPECT_EQ(attribute->data.storage(), std::string(storage));
    EXPECT_EQ(attribute->data.tuple_size(), size);
    std::vector<double> found;
    for (std::size_t i = 0; i < attribute->data.value_count(); ++i)
      found.push_back(attribute->data.number(i));
    EXPECT_THAT(found, ElementsAreArray(values));
  }

  std::vector<std::string_view> texts(ElementClass owner, const char* name) const {
    const Attribute& attribute = *find_attribute(geometry_, owner, name);
    std::vector<std::string_view> found;
    for (std::int64_t i = 0; i < geometry_.element_count(owner); ++i)
      found.push_back(string_of(attribute, static_cast<std::size_t>(i)));
    return found;
  }

  std::vector<std::int32_t> group(Group::Class owner, const char* name,
                                  bool ordered = false) const {
    const Group* group = find_group(geometry_, owner, name);
    EXPECT_TRUE(group && group->ordered == ordered) << name;
    return group ? members(*group) : std::vector<std::int32_t>();
  }

  Geometry geometry_;
};

INSTANTIATE_TEST_SUITE_P(Own, Samples, testing::Values(".geo", ".bgeo"));

TEST_P(Samples, Tets) {
  read("tets");
  expect_counts(9, 48, {{PrimitiveRun::Kind::kTets, 12}});
  EXPECT_EQ(tets(geometry_).tets.front(), (Tet{0, 3, 1, 8}));
  EXPECT_EQ(positions(geometry_).col(8), Vec3(0.5, 0.5625, 0.4375));
  EXPECT_EQ(point_vectors(*find_attribute(geometry_, kPoint, "v")).col(4), Vec3(0.5, -0.5, 0));
  EXPECT_EQ(point_vectors(*find_attribute(geometry_, kPoint, "restP")).col(1)[0], 1.0 / 3);
  EXPECT_EQ(find_attribute(geometry_, kPrimitive, "id")->data.number(0), -6.0 * (1LL << 40));
  expect_values(ElementClass::kDetail, "mean", "fpreal16", 2, {0.5, -3});
  EXPECT_THAT(texts(kPrimitive, "name"),
              ElementsAre("jelly", "jelly", "jelly", "jelly", "jelly", "jelly", "jelly", "jelly",
                          "jelly", "jelly", "bone", ""));
  EXPECT_THAT(group(Group::Class::kVertex, "seam"), ElementsAre(0, 1, 2, 43, 44, 45, 46, 47));
  EXPECT_THAT(group(Group::Class::kPoint, "interior_points"), ElementsAre(8));
  EXPECT_THAT(group(Group::Class::kPoint, "inorder", true), ElementsAre(7, 0, 3));
  EXPECT_THAT(group(Group::Class::kPrimitive, "none"), IsEmpty());
}

TEST_P(Samples, TetsAndPolygons) {
  read("tets_and_polygons");
  expect_counts(9, 26, {{PrimitiveRun::Kind::kTets, 4}, {PrimitiveRun::Kind::kPolygons, 3}});
  EXPECT_EQ(find_attribute(geometry_, kPoint, "P")->data.storage(), std::string("fpreal64"));
  expect_values(kPoint, "pscale", "fpreal32", 1, {.5, .5, .5, .5, 1, 2, 3, 4, .25});
  expect_values(kPoint, "N", "fpreal32", 3,
                {0,  1,    -1, .125, 1,   -1, .25, 1,    -1, .375, 1, -1, .5, 1,
                 -1, .625, 1,  -1,   .75, 1,  -1,  .875, 1,  -1,   2, 3,  4});
  expect_values(kPrimitive, "mask", "uint8", 1, {0, 255, 7, 8, 9, 10, 11});
  expect_values(kPrimitive, "small", "int8", 2, {0, 0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6});
  expect_values(kPrimitive, "short", "int16", 1, {-32768, 32767, 0, 1, 2, 3, 4});
  EXPECT_THAT(polygons(geometry_).starts, ElementsAre(0, 3, 6, 10));
  EXPECT_THAT(polygons(geometry_).primitives, ElementsAre(4, 5, 6));
  EXPECT_THAT(group(Group::Class::kEdge, "seams", true), ElementsAre(0, 1, 1, 3, 3, 2));
}

TEST_P(Samples, PolygonsAsOldHoudinisWroteThem) {
  read("polygons_h13");
  expect_counts(8, 24, {{PrimitiveRun::Kind::kPolygons, 6}});
  EXPECT_EQ(find_attribute(geometry_, kPoint, "P")->data.tuple_size(), 4);
  EXPECT_EQ(positions(geometry_).col(7), Vec3(1, 1, 1));
  expect_values(kPrimitive, "level", "int32", 1, {3, 1, 4, 1, 5, -9});
  EXPECT_THAT(polygons(geometry_).closed, ElementsAre(true, true, true, true, true, false));
  EXPECT_THAT(group(Group::Class::kPoint, "corner"), ElementsAre(0, 7));
}

TEST_P(Samples, CurvesWithListsAndTables) {
  read("curves");
  expect_counts(5, 8, {{PrimitiveRun::Kind::kPolygons, 4}});
  EXPECT_THAT(polygons(geometry_).closed, ElementsAre(false, false, false, false));
  EXPECT_THAT(texts(kPoint, "path"), ElementsAre("/hips", "/hips/leg", "/hips/leg/fu\xc3\x9f",
                                                 "\"quoted\" and a\ttab", ""));
  EXPECT_THAT(array_lists(*find_attribute(geometry_, kPrimitive, "neighbours")),
              ElementsAre(ElementsAre(1, 2), IsEmpty(), ElementsAre(3), ElementsAre(0, 1, 2)));
  EXPECT_EQ(find_attribute(geometry_, kPrimitive, "tags")->kind, AttributeKind::kOpaque);
  EXPECT_EQ(find_attribute(geometry_, ElementClass::kDetail, "clip")->kind, AttributeKind::kDict);
  EXPECT_THAT(group(Group::Class::kPoint, "roots", true), ElementsAre(4, 0));
}

TEST_P(Samples, PointsAlone) {
  read("particles");
  expect_counts(6, 0, {});
  expect_values(kPoint, "id", "int32", 1, {10, 11, 12, 13, 14, 15});
  EXPECT_EQ(find_attribute(geometry_, kPoint, "orient")->data.number(23), 1);
  EXPECT_THAT(group(Group::Class::kPoint, "stopped"), IsEmpty());
  read("empty");
  expect_counts(0, 0, {});
  EXPECT_EQ(positions(geometry_).cols(), 0);
}

TEST_P(Samples, PackedGeometryAndSpheres) {
  read("packed");
  expect_counts(5, 5, {{PrimitiveRun::Kind::kOther, 5}});
  EXPECT_THAT(geometry_.warnings,
              ElementsAre("2 primitives of type 'PackedFragment' are kept but not decoded",
                          "1 primitives of type 'PackedGeometry' are kept but not decoded",
                          "2 primitives of type 'Sphere' are kept but not decoded"));
}

}  // namespace
}  // namespace dashpot
