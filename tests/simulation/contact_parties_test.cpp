#include "solver/simulation/contact_parties.h"

#include <gmock/gmock.h>

#include "solver/base/error.h"
#include "tests/support/bodies.h"

namespace dashpot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Body tet_body(const std::string& name) {
  Points rest(3, 4);
  rest << 0, 1, 0, 0,  //
      0, 0, 1, 0,      //
      0, 0, 0, 1;
  return make_body(make_tet_mesh(rest, {{0, 1, 2, 3}}, name), {}, name);
}

// Two tets, each a piece with a name.
Body torn_body(const std::string& name, const std::string& left, const std::string& right) {
  Points rest(3, 8);
  rest.leftCols(4) = rest.rightCols(4) = tet_body("").mesh.rest;
  Body body = make_body(make_tet_mesh(rest, {{0, 1, 2, 3}, {4, 5, 6, 7}}, name), {}, name);
  body.piece = {0, 0, 0, 0, 1, 1, 1, 1};
  body.pieces.resize(2);
  body.pieces[0].names = {left};
  body.pieces[1].names = {right};
  return body;
}

// Body 0 is "shirt", 1 and 2 are the pieces "left" and "right" of "arms", 3 is "table".
Scene dressed() {
  Scene scene;
  scene.bodies = {tet_body("shirt"), torn_body("arms", "left", "right"), tet_body("table")};
  return scene;
}

std::vector<std::pair<int, int>> apart(const Scene& scene) {
  check_scene(scene);
  const ContactParties parties(scene);
  std::vector<std::pair<int, int>> pairs;
  for (int a = 0; a < parties.count(); ++a)
    for (int b = a; b < parties.count(); ++b) {
      EXPECT_EQ(parties.collide(a, b), parties.collide(b, a)) << a << ", " << b;
      if (!parties.collide(a, b)) pairs.emplace_back(a, b);
    }
  return pairs;
}

using Pair = std::pair<int, int>;

TEST(ContactParties, AreBodiesAndPiecesOfBodies) {
  Scene scene = dressed();
  scene.bodies[1].no_contact_points = {0, 0, 1, 0, 0, 0, 0, 1};
  const ContactParties parties(scene);
  ASSERT_EQ(parties.count(), 4);
  EXPECT_EQ(parties.body_of(0), 0);
  EXPECT_EQ(parties.body_of(1), 1);
  EXPECT_EQ(parties.body_of(2), 1);
  EXPECT_EQ(parties.body_of(3), 2);
  EXPECT_THAT(parties.of_point(), ElementsAre(0, 0, 0, 0, 1, 1, -1, 1, 2, 2, 2, -1, 3, 3, 3, 3));
}

TEST(ContactParties, CollideWithEachOtherAndThemselvesByDefault) {
  EXPECT_THAT(apart(dressed()), ElementsAre());
}

TEST(ContactParties, SelfContactIsThatWithinAPiece) {
  Scene scene = dressed();
  scene.bodies[1].contact.self_contact = false;
  EXPECT_THAT(apart(scene), ElementsAre(Pair(1, 1), Pair(2, 2)));
  scene.bodies[1].pieces[0].contact = BodyContact();
  EXPECT_THAT(apart(scene), ElementsAre(Pair(2, 2)));
}

TEST(ContactParties, BodyContactIsThatBetweenThem) {
  Scene scene = dressed();
  scene.settings.body_contact = false;
  EXPECT_THAT(apart(scene),
              ElementsAre(Pair(0, 1), Pair(0, 2), Pair(0, 3), Pair(1, 2), Pair(1, 3), Pair(2, 3)));
}

TEST(ContactParties, ANameTakesOutAPieceOrAllPiecesOfABody) {
  Scene scene = dressed();
  scene.bodies[0].no_contact = {"left", "table"};
  EXPECT_THAT(apart(scene), ElementsAre(Pair(0, 1), Pair(0, 3)));
  scene.bodies[0].no_contact = {"arms"};
  EXPECT_THAT(apart(scene), ElementsAre(Pair(0, 1), Pair(0, 2)));
}

TEST(ContactParties, APieceMayNameAnotherOrItself) {
  Scene scene = dressed();
  scene.bodies[1].pieces[0].no_contact = {"right"};
  EXPECT_THAT(apart(scene), ElementsAre(Pair(1, 2)));
  scene.bodies[1].pieces[0].no_contact = {"left", "shirt"};
  EXPECT_THAT(apart(scene), ElementsAre(Pair(0, 1), Pair(1, 1)));
}

TEST(ContactParties, HaveTheCoefficientsOfTheirPieceElseOfTheirBody) {
  Scene scene = dressed();
  scene.bodies[1].contact.friction = 0.1;
  scene.bodies[1].pieces[1].contact = BodyContact{true, 0.9, 0.2};
  const ContactParties parties(scene);
  EXPECT_EQ(parties.contact_of(0).friction, 0.5);
  EXPECT_EQ(parties.contact_of(1).friction, 0.1);
  EXPECT_EQ(parties.contact_of(2).friction, 0.9);
  EXPECT_EQ(parties.contact_of(2).restitution, 0.2);
}

TEST(ContactParties, ANameThatNothingHasIsRefusedWithTheNearestOne) {
  for (const bool of_piece : {false, true}) {
    Scene scene = dressed();
    (of_piece ? scene.bodies[1].pieces[1].no_contact : scene.bodies[1].no_contact) = {"shrt"};
    try {
      check_scene(scene);
      FAIL();
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("body 'arms': nocontact names 'shrt', which is no body; "
                                          "did you mean 'shirt'?"));
    }
  }
}

}  // namespace
}  // namespace dashpot
