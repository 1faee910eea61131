// Pieces of the input are bodies; attributes and groups say who collides with whom.
#include <gmock/gmock.h>

#include "solver/host/geometry_body.h"
#include "sop_plugin/detail_view.h"
#include "sop_plugin/detail_writer.h"
#include "tests/sop_plugin/network.h"
#include "tests/support/bodies.h"

namespace dashpot {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Two bars, one above the other.
Scene two_bars() {
  Scene scene = bar_scene();
  scene.bodies[0].name = "lower";
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[1].name = "upper";
  scene.bodies[1].contact = {false, 0.25, 0.75};
  for (Points* points : {&scene.bodies[1].position, &scene.bodies[1].mesh.rest})
    points->row(1).array() += 1;
  return scene;
}

void fill_bars(GU_Detail& detail, double = 0) {
  fill_detail(two_bars(), detail);
}

void add_no_contact(GU_Detail& detail, const std::string& of_first) {
  detail.add_string(GA_ATTRIB_PRIMITIVE, "nocontact")
      ->texts.at(static_cast<std::size_t>(detail.primitiveOffset(0))) = of_first;
}

Body body_of(const GU_Detail& detail) {
  BodyPoints points;
  return read_geometry_body(DetailView(detail, "input 1"), "input 1", {}, {}, false, points);
}

TEST(ContactAttributes, ArePiecesWithNamesAndCoefficients) {
  GU_Detail detail;
  fill_bars(detail);
  add_no_contact(detail, "upper");
  const Body body = body_of(detail);
  const int half = two_bars().bodies[0].mesh.point_count();
  ASSERT_EQ(body.pieces.size(), 2u);
  EXPECT_THAT(std::vector<int>(body.piece.begin(), body.piece.begin() + half), Each(0));
  EXPECT_THAT(std::vector<int>(body.piece.begin() + half, body.piece.end()), Each(1));
  EXPECT_THAT(body.pieces[0].names, ElementsAre("lower"));
  EXPECT_THAT(body.pieces[0].no_contact, ElementsAre("upper"));
  EXPECT_THAT(body.pieces[1].names, ElementsAre("upper"));
  EXPECT_EQ(body.pieces[1].contact->friction, 0.25);
  EXPECT_EQ(body.pieces[1].contact->restitution, 0.75);
  EXPECT_FALSE(body.pieces[1].contact->self_contact);
}

TEST(ContactAttributes, GroupsAreReadByNumberAndNotByOffset) {
  GU_Detail detail;
  fill_bars(detail);
  detail.add_group(GA_ATTRIB_POINT, "nocontact", {detail.pointOffset(3), detail.pointOffset(7)});
  const std::vector<char> listed = body_of(detail).no_contact_points;
  ASSERT_EQ(static_cast<GA_Size>(listed.size()), detail.getNumPoints());
  for (std::size_t i = 0; i < listed.size(); ++i) EXPECT_EQ(listed[i] != 0, i == 3 || i == 7) << i;

  GU_Detail of_tets;
  fill_bars(of_tets);
  of_tets.add_group(GA_ATTRIB_PRIMITIVE, "nocontact", {of_tets.primitiveOffset(2)});
  const Tet tet = DetailView(of_tets, "").tets().tets[2];
  const std::vector<char> corners = body_of(of_tets).no_contact_points;
  for (int i = 0; i < static_cast<int>(corners.size()); ++i)
    EXPECT_EQ(corners[i] != 0, std::find(tet.begin(), tet.end(), i) != tet.end()) << i;
}

TEST(ContactAttributes, ANameThatNothingHasIsAnErrorOfTheNode) {
  Network network;
  network.connect(0, [](GU_Detail& detail, double) {
    fill_bars(detail);
    add_no_contact(detail, "uper");
  });
  network.cook(2);
  EXPECT_THAT(network.errors(), ElementsAre(HasSubstr("nocontact names 'uper', which is no body; "
                                                      "did you mean 'upper'?")));
}

// Frames that were simulated before an edit of what matters are not shown after it.
TEST(ContactAttributes, EditsOfThemBeginAgain) {
  Network network;
  auto& source = network.connect(0, fill_bars);
  network.cook(5);
  ASSERT_EQ(network.simulated_frames(), 4);
  const auto simulated_after = [&](standin::SourceNode::Maker maker) {
    network.cook(5);
    source.edit(std::move(maker));
    network.cook(3);
    EXPECT_THAT(network.errors(), IsEmpty());
    return network.simulated_frames();
  };
  EXPECT_EQ(simulated_after(fill_bars), 4) << "the same again";
  EXPECT_EQ(simulated_after([](GU_Detail& detail, double) {
              fill_bars(detail);
              add_no_contact(detail, "upper");
            }),
            2);
  EXPECT_EQ(simulated_after([](GU_Detail& detail, double) {
              fill_bars(detail);
              detail.add_group(GA_ATTRIB_POINT, "nocontact", {detail.pointOffset(3)});
            }),
            2);
  EXPECT_EQ(simulated_after([](GU_Detail& detail, double) {
              fill_bars(detail);
              for (std::string& name : detail.findAttribute(GA_ATTRIB_PRIMITIVE, "name")->texts)
                name = "both";
            }),
            2);
}

TEST(ContactAttributes, ContactsAreAttributesBehindAToggle) {
  Network network;
  network.connect(0, fill_bars);
  EXPECT_EQ(network.cook(2).findAttribute(GA_ATTRIB_POINT, "contactforce"), nullptr);
  network.solver().set_parm("outputcontacts", 1);
  const GU_Detail& shown = network.cook(3);
  EXPECT_THAT(network.errors(), IsEmpty());
  const GA_Attribute* force = shown.findAttribute(GA_ATTRIB_POINT, "contactforce");
  const GA_Attribute* slip = shown.findAttribute(GA_ATTRIB_POINT, "contactslip");
  ASSERT_NE(force, nullptr);
  ASSERT_NE(slip, nullptr);
  EXPECT_EQ(force->getTypeInfo(), GA_TYPE_VECTOR);
  EXPECT_EQ(force->getTupleSize(), 3);
  EXPECT_EQ(slip->storage(), GA_STORE_INT32);
}

TEST(ContactAttributes, ColorsAreBehindAToggleOfTheirOwn) {
  Network network;
  network.connect(0, fill_bars);
  network.solver().set_parm("outputcontactcolor", 1);
  EXPECT_EQ(network.cook(2).findAttribute(GA_ATTRIB_POINT, "Cd"), nullptr) << "without contacts";
  network.solver().set_parm("outputcontacts", 1);
  EXPECT_NE(network.cook(3).findAttribute(GA_ATTRIB_POINT, "Cd"), nullptr);
  network.solver().set_parm("outputcontactcolor", 0);
  EXPECT_EQ(network.cook(4).findAttribute(GA_ATTRIB_POINT, "Cd"), nullptr);
}

TEST(ContactAttributes, ColorsSayWhatTouchesAndHow) {
  GU_Detail detail;
  fill_bars(detail);
  PointContacts contacts;
  contacts.force = Points::Zero(3, detail.getNumPoints());
  contacts.slip.assign(static_cast<std::size_t>(detail.getNumPoints()), PointContacts::kNone);
  contacts.slip[3] = PointContacts::kSticks;
  contacts.slip[5] = PointContacts::kSlips;
  write_contact_colours(detail, contacts);
  const Points colours = vectors_of(detail, "Cd");
  for (int i = 0; i < static_cast<int>(colours.cols()); ++i) {
    const PointContacts::Slip slip = i == 3   ? PointContacts::kSticks
                                     : i == 5 ? PointContacts::kSlips
                                              : PointContacts::kNone;
    EXPECT_TRUE(colours.col(i).isApprox(contact_colour(slip), 1e-6)) << i;
  }
}

}  // namespace
}  // namespace dashpot
