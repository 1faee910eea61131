#include "standalone/frames/geometry_merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "standalone/frames/attribute_merge.h"
#include "standalone/geometry/geometry_reader.h"
#include "standalone/geometry/geometry_writer.h"
#include "tests/geometry/samples.h"
#include "tests/support/outside_data.h"

namespace dashpot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr ElementClass kPoint = ElementClass::kPoint, kPrim = ElementClass::kPrimitive,
                       kVertex = ElementClass::kVertex, kDetail = ElementClass::kDetail;

Geometry one_tet(double x) {
  Points points(3, 4);
  points << x, x + 1, x, x, 0, 0, 1, 0, 0, 0, 0, 1;
  return make_tet_geometry(points, {{0, 1, 3, 2}});
}

Geometry merge(const std::vector<Geometry>& geometries, std::vector<std::string>& warnings) {
  std::vector<MergePart> parts;
  for (const Geometry& geometry : geometries)
    parts.push_back({&geometry, "body" + std::to_string(parts.size())});
  return merge_geometries(parts, warnings);
}

Geometry merge_quietly(const std::vector<Geometry>& geometries) {
  std::vector<std::string> warnings;
  Geometry merged = merge(geometries, warnings);
  EXPECT_THAT(warnings, IsEmpty());
  return merged;
}

std::vector<double> numbers(const Geometry& geometry, ElementClass owner, const char* name) {
  const Attribute* attribute = find_attribute(geometry, owner, name);
  std::vector<double> result;
  for (std::size_t i = 0; attribute && i < attribute->data.value_count(); ++i)
    result.push_back(attribute->data.number(i));
  return result;
}

std::vector<std::string> texts(const Geometry& geometry, const char* name) {
  const Attribute* attribute = find_attribute(geometry, kPrim, name);
  std::vector<std::string> result;
  for (std::size_t i = 0; attribute && i < static_cast<std::size_t>(geometry.primitive_count); ++i)
    result.emplace_back(string_of(*attribute, i));
  return result;
}

const Group& group(const Geometry& geometry, Group::Class owner, const char* name) {
  return *find_group(geometry, owner, name);
}

TEST(GeometryMerge, PutsPointsVerticesAndTetsBehindEachOther) {
  const Geometry merged = merge_quietly({one_tet(0), one_tet(5), one_tet(9)});
  EXPECT_EQ(merged.point_count, 12);
  EXPECT_EQ(merged.primitive_count, 3);
  EXPECT_THAT(tets(merged).tets, ElementsAre(Tet{0, 1, 3, 2}, Tet{4, 5, 7, 6}, Tet{8, 9, 11, 10}));
  EXPECT_THAT(tets(merged).primitives, ElementsAre(0, 1, 2));
  EXPECT_EQ(positions(merged)(0, 4), 5);
}

TEST(GeometryMerge, ElementsWithoutAnAttributeGetItsDefault) {
  Geometry a = one_tet(0), b = one_tet(5);
  set_numeric(a, kPoint, "weight", std::vector<float>{1, 2, 3, 4}, 1);
  set_numeric(b, kPrim, "up", std::vector<std::int32_t>{7, 8}, 2);
  *find_key(find_attribute(b, kPrim, "up")->body, "defaults") = JsonArray{
      "size", 2, "storage", "int64", "values", UniformArray(std::vector<std::int64_t>{0, 1})};
  const Geometry merged = merge_quietly({a, b});
  EXPECT_THAT(numbers(merged, kPoint, "weight"), ElementsAre(1, 2, 3, 4, 0, 0, 0, 0));
  EXPECT_THAT(numbers(merged, kPrim, "up"), ElementsAre(0, 1, 7, 8));
}

TEST(GeometryMerge, WidensTuplesAndStoragesSoThatNothingIsLost) {
  Geometry a = one_tet(0), b = one_tet(5);
  constexpr std::int64_t kBig = (std::int64_t{1} << 60) + 1;
  set_numeric(a, kPrim, "id", std::vector<std::int32_t>{-3}, 1);
  set_numeric(b, kPrim, "id", std::vector<std::int64_t>{kBig, kBig + 1}, 2);
  set_numeric(a, kPrim, "mix", std::vector<std::int32_t>{16777217}, 1);
  set_numeric(b, kPrim, "mix", std::vector<float>{0.5F}, 1);
  const Geometry merged = merge_quietly({a, b});
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(find_attribute(merged, kPrim, "id")->data.values()),
            (std::vector<std::int64_t>{-3, 0, kBig, kBig + 1}));
  EXPECT_THAT(numbers(merged, kPrim, "mix"), ElementsAre(16777217, 0.5));
  const Attribute& id = *find_attribute(merged, kPrim, "id");
  EXPECT_EQ(find_key(id.body, "size")->integer(), 2);
  EXPECT_EQ(find_key(id.body, "storage")->text()->bytes, "int64");
}

TEST(GeometryMerge, PHasThreeComponentsUnlessAllHaveFour) {
  Geometry a = one_tet(0);
  const Geometry b = one_tet(5);
  set_numeric(a, kPoint, "P", std::vector<float>(16, 1.0F), 4);
  EXPECT_EQ(find_attribute(merge_quietly({a, a}), kPoint, "P")->data.tuple_size(), 4);
  const Geometry mixed = merge_quietly({a, b});
  EXPECT_EQ(find_attribute(mixed, kPoint, "P")->data.tuple_size(), 3);
  EXPECT_EQ(positions(mixed).col(3), Vec3(1, 1, 1));
  EXPECT_EQ(positions(mixed).col(4), Vec3(5, 0, 0));
}

TEST(GeometryMerge, StoragesThatHoldTheValuesOfBoth) {
  EXPECT_STREQ(common_storage("fpreal32", "fpreal32"), "fpreal32");
  EXPECT_STREQ(common_storage("uint8", "uint8"), "uint8");
  EXPECT_STREQ(common_storage("uint8", "int8"), "int16");
  EXPECT_STREQ(common_storage("int16", "uint16"), "int32");
  EXPECT_STREQ(common_storage("int64", "int32"), "int64");
  EXPECT_STREQ(common_storage("fpreal16", "fpreal32"), "fpreal32");
  EXPECT_STREQ(common_storage("int8", "fpreal16"), "fpreal16");
  EXPECT_STREQ(common_storage("int16", "fpreal16"), "fpreal32");
  EXPECT_STREQ(common_storage("int32", "fpreal32"), "fpreal64");
  EXPECT_STREQ(common_storage("int64", "fpreal32"), "fpreal64");
}

TEST(GeometryMerge, UnitesTablesOfStrings) {
  Geometry a = one_tet(0), b = one_tet(5), c = one_tet(9);
  add_name(a, "left");
  add_name(c, "left");
  Geometry named = merge_quietly({a, b, c});
  EXPECT_THAT(texts(named, "name"), ElementsAre("left", "", "left"));
  EXPECT_THAT(strings(*find_attribute(named, kPrim, "name")), ElementsAre("left"));
  add_name(b, "right");
  named = merge_quietly({a, b, c});
  EXPECT_THAT(texts(named, "name"), ElementsAre("left", "right", "left"));
  add_name(named, "other");
  EXPECT_THAT(texts(named, "name"), ElementsAre("left", "right", "left")) << "it has one";
}

TEST(GeometryMerge, UnitesGroupsOfEqualNames) {
  Geometry a = one_tet(0), b = one_tet(5);
  set_group(a, Group::Class::kPoint, "pins", {0, 3});
  set_group(b, Group::Class::kPoint, "pins", {1});
  set_group(b, Group::Class::kPrimitive, "pins", {0});
  set_group(a, Group::Class::kVertex, "corner", {2});
  const Geometry merged = merge_quietly({a, b});
  EXPECT_THAT(members(group(merged, Group::Class::kPoint, "pins")), ElementsAre(0, 3, 5));
  EXPECT_THAT(members(group(merged, Group::Class::kPrimitive, "pins")), ElementsAre(1));
  EXPECT_THAT(members(group(merged, Group::Class::kVertex, "corner")), ElementsAre(2));
}

TEST(GeometryMerge, DetailAttributesAreThoseOfTheFirst) {
  Geometry a = one_tet(0), b = one_tet(5);
  set_numeric(a, kDetail, "one", std::vector<float>{1}, 1);
  set_numeric(b, kDetail, "one", std::vector<float>{2}, 1);
  set_numeric(b, kDetail, "two", std::vector<float>{3}, 1);
  const Geometry merged = merge_quietly({a, b});
  EXPECT_THAT(numbers(merged, kDetail, "one"), ElementsAre(1));
  EXPECT_THAT(numbers(merged, kDetail, "two"), ElementsAre(3));
}

TEST(GeometryMerge, WhatCannotBeMergedIsNamedOnce) {
  Geometry a = one_tet(0), b = one_tet(5), c = one_tet(9);
  add_name(a, "text");
  set_numeric(b, kPrim, "name", std::vector<float>{2}, 1);
  set_numeric(c, kPrim, "name", std::vector<float>{2}, 1);
  set_numeric(b, kPoint, "capture", std::vector<float>{1, 2, 3, 4}, 1);
  Attribute& capture = *find_attribute(b, kPoint, "capture");
  capture.kind = AttributeKind::kOpaque;
  capture.type = "indexpair";
  b.sections.push_back({{"novelty", TextForm::kToken}, 3});
  std::vector<std::string> warnings;
  const Geometry merged = merge({a, b, c}, warnings);
  EXPECT_EQ(find_attribute(merged, kPrim, "name"), nullptr);
  EXPECT_EQ(find_attribute(merged, kPoint, "capture"), nullptr);
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("the point attribute 'capture' of type 'indexpair'"),
                                    HasSubstr("the primitive attribute 'name'"),
                                    HasSubstr("section 'novelty' of body 'body1'")));
}

// Everything else that a file may hold, two of each.
constexpr const char* kRich = R"(["fileversion","20.5.1","pointcount",6,"vertexcount",14,
"primitivecount",6,"topology",["pointref",["indices",[0,1,2,3,0,1,2,3,4,5,0,1,2,5]]],
"attributes",["pointattributes",[[["scope","public","type","numeric","name","P","options",{}],
  ["size",3,"storage","fpreal32","defaults",["size",1,"storage","fpreal64","values",[0]],
   "values",["size",3,"storage","fpreal32","tuples",[[0,0,0],[1,0,0],[0,1,0],[0,0,1],[2,2,2],[3,3,3]]]]],
 [["scope","public","type","arraydata","name","near","options",{}],
  ["storage","int32","size",1,"values",[[1,2],[],[0],[],[],[5,4,3]]]],
 [["scope","public","type","stringarray","name","tags","options",{}],
  ["storage","int32","size",1,"strings",["red","blue"],"indices",[[0,1],[],[1],[-1],[],[]]]],
 [["scope","public","type","dict","name","facts","options",{}],
  ["size",1,"storage","int32","dicts",[{"mass":1}],"indices",
   ["size",1,"storage","int32","arrays",[[-1,0,0,-1,-1,-1]]]]]]],
"primitives",[[["type","Tetrahedron_run"],["startvertex",0,"nprimitives",1]],
 [["type","Polygon_run"],["startvertex",4,"nprimitives",1,"nvertices_rle",[3,1]]],
 [["type","run","runtype","Poly","varyingfields",["vertex","closed"],"uniformfields",{}],[[[7,8,9],false]]],
 [["type","run","runtype","Sphere","varyingfields",["vertex"],"uniformfields",{"transform":[1,0,0,0,1,0,0,0,1]}],[[10],[11]]],
 [["type","Tube"],["vertex",12,"caps",true]]],
"pointgroups",[[["name","walk"],["selection",["ordered",[4,0,2]]]]],
"edgegroups",[[["name","seam"],["points",[0,1,3,2]]]]])";

std::vector<std::int64_t> vertex_field(const Geometry& geometry, std::size_t run, std::size_t row) {
  const JsonValue& value = (*geometry.primitives[run].body.array())[row];
  return *integer_list(value.array() ? (*value.array())[0] : value);
}

TEST(GeometryMerge, RenumbersEveryKindOfPrimitiveListAndGroup) {
  const Geometry rich = decode_geometry(std::string(kRich));
  const Geometry merged = merge_quietly({rich, rich});
  EXPECT_THAT(tets(merged).tets, ElementsAre(Tet{0, 1, 2, 3}, Tet{6, 7, 8, 9}));
  EXPECT_THAT(polygons(merged).vertices, ElementsAre(4, 5, 6, 7, 8, 9, 18, 19, 20, 21, 22, 23));
  EXPECT_THAT(polygons(merged).closed, ElementsAre(true, false, true, false));
  EXPECT_THAT(vertex_field(merged, 8, 1), ElementsAre(25)) << "second sphere";
  EXPECT_EQ(find_key(merged.primitives[9].body, "vertex")->integer(), 26) << "tube";
  EXPECT_EQ(merged.vertex_points()[25], 7);

  const auto near = array_lists(*find_attribute(merged, kPoint, "near"));
  ASSERT_EQ(near.size(), 12u);
  EXPECT_THAT(near[11], ElementsAre(5, 4, 3)) << "values, not numbers of points";
  const Attribute& tags = *find_attribute(merged, kPoint, "tags");
  EXPECT_THAT(strings(tags), ElementsAre("red", "blue"));
  EXPECT_THAT(*integer_list((*find_key(tags.body, "indices")->array())[6]), ElementsAre(0, 1));
  EXPECT_THAT(numbers(merged, kPoint, "facts"),
              ElementsAre(-1, 0, 0, -1, -1, -1, -1, 1, 1, -1, -1, -1));
  const Group& walk = group(merged, Group::Class::kPoint, "walk");
  EXPECT_TRUE(walk.ordered);
  EXPECT_THAT(members(walk), ElementsAre(4, 0, 2, 10, 6, 8));
  EXPECT_THAT(members(group(merged, Group::Class::kEdge, "seam")),
              ElementsAre(0, 1, 3, 2, 6, 7, 9, 8));
}

TEST(GeometryMerge, PrimitivesWithUnknownVerticesAreNamed) {
  Geometry odd = decode_geometry(std::string(kRich));
  odd.primitives.back().body = JsonArray{"corner", 12};
  std::vector<std::string> warnings;
  merge({odd, odd}, warnings);
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("1 primitives of type 'Tube' of body 'body1'")))
      << "those of the first body are right as they are";
}

struct Place {
  std::int64_t point, vertex, primitive;
  std::int64_t of(ElementClass owner) const {
    return owner == kPoint ? point : owner == kVertex ? vertex : primitive;
  }
  std::int64_t of(Group::Class owner) const {
    if (owner == Group::Class::kVertex) return vertex;
    return owner == Group::Class::kPrimitive ? primitive : point;
  }
};

void expect_same_values(const Attribute& all, const Attribute& own, std::size_t first,
                        std::size_t count) {
  const auto own_width = static_cast<std::size_t>(own.data.tuple_size());
  const auto width = static_cast<std::size_t>(all.data.tuple_size());
  for (std::size_t i = 0; i < count; ++i) {
    if (own.kind == AttributeKind::kString && own_width > 0) {
      ASSERT_EQ(string_of(all, first + i), string_of(own, i)) << "element " << i;
    } else if (own.kind == AttributeKind::kNumeric) {
      for (std::size_t c = 0; c < std::min(width, own_width); ++c)
        ASSERT_EQ(all.data.number((first + i) * width + c), own.data.number(i * own_width + c))
            << "element " << i;
    }
  }
  if (own.kind != AttributeKind::kArray) return;
  const auto all_lists = array_lists(all), own_lists = array_lists(own);
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(all_lists[first + i], own_lists[i]);
}

void expect_contains(const Geometry& all, const Geometry& part, const Place& place) {
  for (const Attribute& own : part.attributes) {
    SCOPED_TRACE("attribute " + own.name);
    const Attribute* merged = find_attribute(all, own.owner, own.name);
    ASSERT_NE(merged, nullptr);
    EXPECT_EQ(merged->type, own.type);
    EXPECT_EQ(
        same_value(*find_key(merged->definition, "options"), *find_key(own.definition, "options")),
        merged->data.tuple_size() == own.data.tuple_size());
    if (own.owner != kDetail)
      expect_same_values(*merged, own, static_cast<std::size_t>(place.of(own.owner)),
                         static_cast<std::size_t>(part.element_count(own.owner)));
  }
  for (std::size_t v = 0; v < part.vertex_points().size(); ++v)
    ASSERT_EQ(all.vertex_points()[static_cast<std::size_t>(place.vertex) + v],
              part.vertex_points()[v] + place.point);
  for (const Group& own : part.groups) {
    const Group* merged = find_group(all, own.owner, own.name);
    ASSERT_NE(merged, nullptr) << own.name;
    EXPECT_EQ(merged->ordered, own.ordered);
    const std::vector<std::int32_t> whole = members(*merged);
    std::vector<std::int32_t> wanted = members(own);
    for (std::int32_t& member : wanted) member += static_cast<std::int32_t>(place.of(own.owner));
    EXPECT_NE(std::search(whole.begin(), whole.end(), wanted.begin(), wanted.end()) == whole.end(),
              !wanted.empty())
        << own.name;
  }
}

// A toy of tets, then the sample twice: everything of each is there, also after writing and
// reading.
void expect_everything_merged(const Geometry& toy, const std::filesystem::path& samples) {
  for (const auto& path : geometry_files(samples)) {
    SCOPED_TRACE(path.filename().string());
    const Geometry sample = read_geometry(path);
    std::vector<std::string> warnings;
    const Geometry merged = merge({toy, sample, sample}, warnings);
    EXPECT_THAT(warnings, IsEmpty());
    const Place first{toy.point_count, toy.vertex_count(), toy.primitive_count};
    const Place second{first.point + sample.point_count, first.vertex + sample.vertex_count(),
                       first.primitive + sample.primitive_count};
    for (const bool binary : {true, false}) {
      const Geometry read = decode_geometry(encode_payload(merged, binary));
      expect_contains(read, toy, {0, 0, 0});
      expect_contains(read, sample, first);
      expect_contains(read, sample, second);
      EXPECT_EQ(tets(read).tets.size(), tets(toy).tets.size() + 2 * tets(sample).tets.size());
      EXPECT_EQ(polygons(read).primitives.size(), 2 * polygons(sample).primitives.size());
    }
  }
}

TEST(GeometryMerge, KeepsEveryAttributeAndGroup) {
  expect_everything_merged(read_geometry(own_samples() / "tets.geo"), own_samples());
}

TEST(OutsideDataMerge, KeepsEveryAttributeAndGroup) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  expect_everything_merged(read_geometry(houdini_data() / "tet_toy_h19.5.geo"), houdini_data());
}

}  // namespace
}  // namespace dashpot
