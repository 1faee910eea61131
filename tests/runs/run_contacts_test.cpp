#include "standalone/runs/run_contacts.h"

#include <gmock/gmock.h>

#include "standalone/runs/run_surface.h"
#include "tests/runs/made_run.h"

namespace dashpot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Of five points the second sticks, under 4 N, and the last one slips, under 5 N.
Geometry touched_tets() {
  Geometry geometry = MadeRun::two_tets();
  Points force = Points::Zero(3, 5);
  force.col(1) = Vec3(0, 4, 0);
  force.col(4) = Vec3(3, 0, -4);
  set_point_vectors(geometry, "contactforce", force);
  set_numeric(geometry, ElementClass::kPoint, "contactslip",
              std::vector<std::int32_t>{0, 1, 0, 0, 2}, 1);
  return geometry;
}

TEST(RunContacts, AreThePointsThatTouchSomething) {
  const Geometry frame = touched_tets();
  EXPECT_TRUE(has_contacts(frame));
  const ContactPoints contacts = contact_points(frame);
  ASSERT_EQ(contacts.places.cols(), 2);
  EXPECT_EQ(Vec3(contacts.places.col(0)), Vec3(1, 0, 0));
  EXPECT_EQ(Vec3(contacts.places.col(1)), Vec3(1, 1, 1));
  EXPECT_EQ(Vec3(contacts.forces.col(1)), Vec3(3, 0, -4));
  EXPECT_THAT(contacts.slips, ElementsAre(false, true));
  EXPECT_EQ(top_force(contacts), 5);
}

TEST(RunContacts, ArrowsArePartsOfTheLongestAndNeverLonger) {
  const ContactPoints contacts = contact_points(touched_tets());
  const Points arrows = force_arrows(contacts, 4.5);
  EXPECT_NEAR(arrows.col(0).norm(), 4 / 4.5, 1e-12);
  EXPECT_NEAR(arrows.col(1).norm(), 1, 1e-12) << "above the top";
  EXPECT_TRUE(arrows.col(1).isApprox(Vec3(0.6, 0, -0.8)));
  EXPECT_EQ(force_arrows(contacts, 0).cols(), 2);
}

TEST(RunContacts, FramesThatDoNotTellOfThemHaveNoneAndSayHowToGetThem) {
  EXPECT_FALSE(has_contacts(MadeRun::two_tets()));
  EXPECT_THAT(contact_points(MadeRun::two_tets()).slips, IsEmpty());
  const MadeRun made;
  const RunDirectory without = open_run(made.path());
  EXPECT_THAT(RunSurface(without, SurfaceChoice::kAuto).contact_trouble(),
              HasSubstr("--attribs contacts"));
  for (int frame = 1; frame <= 4; ++frame) made.write_frame(frame, touched_tets());
  const RunDirectory with = open_run(made.path());
  EXPECT_EQ(RunSurface(with, SurfaceChoice::kAuto).contact_trouble(), "");
}

}  // namespace
}  // namespace dashpot
