// Who collides with whom, as scene files and the attributes of geometry files say it.
#include <gmock/gmock.h>

#include <algorithm>

#include "standalone/geometry/geometry_writer.h"
#include "tests/scene/scene_text.h"

namespace dashpot {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr ElementClass kOfPrimitives = ElementClass::kPrimitive, kOfPoints = ElementClass::kPoint;

class ContactOfBodies : public SceneFileTest {
 protected:
  // Body 'other' beside the cube.
  static std::string two(const std::string& lines) {
    return cube(lines) + "[[body]]\nname = \"other\"\ngeometry = { type = \"box\", cells = 1 }\n";
  }
};

TEST_F(ContactOfBodies, IsAsDeclaredUnlessTheSceneSays) {
  const Body usual = load_cube("").scene.bodies[0];
  EXPECT_TRUE(usual.contact.self_contact);
  EXPECT_EQ(usual.contact.friction, 0.5);
  EXPECT_EQ(usual.contact.restitution, 0);
  EXPECT_THAT(usual.pieces, IsEmpty());
  const Scene scene =
      load("[simulation]\nbodycontact = false\ncontactgap = 0.002\nuntangle = true\n" +
           two("selfcontact = false\nfriction = 0.3\nrestitution = 0.7\nnocontact = [\"other\"]\n"))
          .scene;
  EXPECT_FALSE(scene.settings.body_contact);
  EXPECT_EQ(scene.settings.contact_gap, 0.002);
  EXPECT_TRUE(scene.settings.untangle);
  const Body& body = scene.bodies[0];
  EXPECT_FALSE(body.contact.self_contact);
  EXPECT_EQ(body.contact.friction, 0.3);
  EXPECT_EQ(body.contact.restitution, 0.7);
  EXPECT_THAT(body.no_contact, ElementsAre("other"));
  EXPECT_TRUE(body.friction.empty()) << "the multipliers of points are another thing";
}

TEST_F(ContactOfBodies, CanBeSetFromTheCommandLine) {
  const Scene scene =
      load(two(""), {"body.cube.friction=0.1", "body.cube.nocontact=[\"other\"]"}).scene;
  EXPECT_EQ(scene.bodies[0].contact.friction, 0.1);
  EXPECT_THAT(scene.bodies[0].no_contact, ElementsAre("other"));
}

TEST_F(ContactOfBodies, MistakesAreRefusedWithTheirLine) {
  EXPECT_EQ(error_of(two("nocontact = [\"othr\"]\n")),
            "scene.toml:4: body 'cube': nocontact names 'othr', which is no body; did you mean "
            "'other'?");
  EXPECT_THAT(error_of(two("nocontact = \"other\"\n")),
              AllOf(HasSubstr("scene.toml:4"), HasSubstr("names of bodies, [\"shirt\", \"arm\"]"),
                    HasSubstr("not the text 'other'")));
  EXPECT_THAT(error_of(two("nocontact = [1]\n")), HasSubstr("each of them text in quotes"));
  EXPECT_THAT(error_of(two("restitution = 1.5\n")),
              AllOf(HasSubstr("scene.toml:4"), HasSubstr("restitution = 1.5 is out of range")));
  EXPECT_THAT(error_of("[simulation]\nfriction = 1\n" + two("")),
              HasSubstr("a key of [[body]] and [[collider]]"));
}

// Four tets that share no point, in a row along x.
Geometry four_tets() {
  Points points(3, 16);
  std::vector<Tet> tets;
  for (int t = 0; t < 4; ++t) {
    points.middleCols(4 * t, 4) << 2 * t, 2 * t + 1, 2 * t, 2 * t,  //
        0, 0, 1, 0,                                                 //
        0, 0, 0, 1;
    tets.push_back({4 * t, 4 * t + 1, 4 * t + 3, 4 * t + 2});
  }
  return make_tet_geometry(points, tets);
}

void set_texts(Geometry& geometry, ElementClass owner, const std::string& name,
               const std::vector<std::string>& texts) {
  std::vector<std::string> table;
  std::vector<std::int32_t> index;
  for (const std::string& text : texts) {
    const auto found = std::find(table.begin(), table.end(), text);
    index.push_back(static_cast<std::int32_t>(found - table.begin()));
    if (found == table.end()) table.push_back(text);
  }
  set_numeric(geometry, owner, name, std::move(index), 1);
  Attribute& attribute = *find_attribute(geometry, owner, name);
  attribute.type = "string";
  attribute.kind = AttributeKind::kString;
  attribute.definition =
      JsonArray{"scope", "public", "type", "string", "name", name.c_str(), "options", JsonMap()};
  attribute.body = JsonArray{"size",    1,          "storage",
                             "int32",   "strings",  UniformArray(TextArray{table, false}),
                             "indices", JsonValue()};
}

class ContactOfGeometry : public ContactOfBodies {
 protected:
  std::string scene_of(const Geometry& geometry, const std::string& lines = "") const {
    write_geometry(folder_ / "body.bgeo", geometry);
    return "[[body]]\nname = \"jelly\"\ngeometry = \"body.bgeo\"\n" + lines;
  }
  Body body_of(const Geometry& geometry, const std::string& lines = "") const {
    return load(scene_of(geometry, lines)).scene.bodies[0];
  }
  // Of the first point of each tet.
  static std::vector<int> pieces(const Body& body) {
    std::vector<int> list;
    for (std::size_t i = 0; i < body.piece.size(); i += 4) {
      for (std::size_t k = 1; k < 4; ++k) EXPECT_EQ(body.piece[i + k], body.piece[i]);
      list.push_back(body.piece[i]);
    }
    return list;
  }
};

TEST_F(ContactOfGeometry, WhatTetsDoNotConnectArePieces) {
  const Body body = body_of(four_tets());
  EXPECT_THAT(pieces(body), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(body.pieces.size(), 4u);
}

TEST_F(ContactOfGeometry, ANameMakesOnePieceOfSeveral) {
  for (const ElementClass owner : {kOfPrimitives, kOfPoints}) {
    Geometry geometry = four_tets();
    std::vector<std::string> names = {"a", "", "b", "a"};
    if (owner == kOfPoints) {
      std::vector<std::string> of_points;
      for (const std::string& name : names) of_points.insert(of_points.end(), 4, name);
      names = of_points;
    }
    set_texts(geometry, owner, "name", names);
    const Body body = body_of(geometry);
    EXPECT_THAT(pieces(body), ElementsAre(0, 1, 2, 0));
    ASSERT_EQ(body.pieces.size(), 3u);
    EXPECT_THAT(body.pieces[0].names, ElementsAre("a"));
    EXPECT_THAT(body.pieces[1].names, IsEmpty());
    EXPECT_THAT(body.pieces[2].names, ElementsAre("b"));
  }
}

TEST_F(ContactOfGeometry, WhatTetsConnectIsOnePieceUnderAnyOfItsNames) {
  Points points(3, 5);
  points << 0, 1, 0, 0, 1,  //
      0, 0, 1, 0, 1,        //
      0, 0, 0, 1, 1;
  Geometry geometry = make_tet_geometry(points, {{0, 1, 3, 2}, {4, 3, 1, 2}});
  set_texts(geometry, kOfPrimitives, "name", {"upper", "lower"});
  const Body body = body_of(geometry, "nocontact = [\"lower\"]\n");
  EXPECT_TRUE(body.piece.empty());
  ASSERT_EQ(body.pieces.size(), 1u);
  EXPECT_THAT(body.pieces[0].names, ElementsAre("upper", "lower"));
}

TEST_F(ContactOfGeometry, PiecesSayWithWhomTheyDoNotCollide) {
  Geometry geometry = four_tets();
  set_texts(geometry, kOfPrimitives, "name", {"a", "b", "c", "d"});
  set_texts(geometry, kOfPrimitives, "nocontact", {"", "a, c", "d  a", ""});
  const Body body = body_of(geometry);
  EXPECT_THAT(body.pieces[0].no_contact, IsEmpty());
  EXPECT_THAT(body.pieces[1].no_contact, ElementsAre("a", "c"));
  EXPECT_THAT(body.pieces[2].no_contact, ElementsAre("d", "a"));
  set_texts(geometry, kOfPrimitives, "nocontact", {"", "", "", "e"});
  EXPECT_THAT(error_of(scene_of(geometry)), HasSubstr("nocontact names 'e', which is no body"));
  set_numeric(geometry, kOfPrimitives, "nocontact", std::vector<float>(4, 1), 1);
  EXPECT_THAT(error_of(scene_of(geometry)), HasSubstr("must be text"));
}

TEST_F(ContactOfGeometry, MembersOfTheGroupTakeNoPart) {
  EXPECT_THAT(body_of(four_tets()).no_contact_points, IsEmpty());
  Geometry geometry = four_tets();
  set_group(geometry, Group::Class::kPoint, "nocontact", {2, 5});
  set_group(geometry, Group::Class::kPrimitive, "nocontact", {3});
  EXPECT_THAT(body_of(geometry).no_contact_points,
              ElementsAre(0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1));
}

TEST_F(ContactOfGeometry, CoefficientsArePaintedOntoPieces) {
  Geometry geometry = four_tets();
  set_numeric(geometry, ElementClass::kDetail, "restitution", std::vector<double>{0.25}, 1);
  set_numeric(geometry, kOfPrimitives, "friction", std::vector<double>{0.125, 0.25, 0.5, 1}, 1);
  set_numeric(geometry, kOfPoints, "friction", std::vector<double>(16, 3), 1);
  const SceneFile file = load(scene_of(geometry, "friction = 0.75\nselfcontact = false\n"));
  const Body& body = file.scene.bodies[0];
  EXPECT_EQ(body.contact.friction, 0.75);
  EXPECT_EQ(body.contact.restitution, 0.25);
  EXPECT_EQ(body.friction, std::vector<double>(16, 3));
  ASSERT_EQ(body.pieces.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    ASSERT_TRUE(body.pieces[k].contact.has_value());
    EXPECT_EQ(body.pieces[k].contact->friction, 0.125 * (1 << k));
    EXPECT_EQ(body.pieces[k].contact->restitution, 0.25);
    EXPECT_FALSE(body.pieces[k].contact->self_contact);
  }
  EXPECT_THAT(file.warnings, IsEmpty());
  set_numeric(geometry, kOfPrimitives, "friction", std::vector<double>{0.1, -1, 0.1, 0.1}, 1);
  EXPECT_THAT(error_of(scene_of(geometry)), HasSubstr("primitive 1: friction = -1"));
}

}  // namespace
}  // namespace dashpot
