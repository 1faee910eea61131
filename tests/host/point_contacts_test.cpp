#include "solver/host/point_contacts.h"

#include <gmock/gmock.h>

namespace dashpot {
namespace {

using ::testing::ElementsAre;

ContactMark mark(const Vec3& force, std::array<int, 4> points, std::array<double, 4> weights,
                 bool slips) {
  ContactMark made;
  made.force = force;
  made.points = points;
  made.weights = weights;
  made.slips = slips;
  return made;
}

// A geometry of five points, whose points 4, 0 and 2 are points 10, 11 and 12 of the state.
BodyPoints three_of_five() {
  BodyPoints points;
  points.point_count = 5;
  points.mesh_points = {4, 0, 2};
  return points;
}

TEST(PointContacts, SumTheSharesOfForcesOnBothSides) {
  ContactReport report;
  report.marks.push_back(mark({0, 8, 0}, {10, 3, 4, -1}, {1, -0.25, -0.75, 0}, false));
  report.marks.push_back(mark({4, 0, 0}, {3, 10, 11, 12}, {1, -0.5, -0.25, -0.25}, true));
  const PointContacts contacts = point_contacts(report, three_of_five(), 10);
  Points expected = Points::Zero(3, 5);
  expected.col(4) << -2, 8, 0;
  expected.col(0) << -1, 0, 0;
  expected.col(2) << -1, 0, 0;
  EXPECT_EQ(contacts.force, expected);
}

TEST(PointContacts, APointSlipsIfOneOfItsContactsDoes) {
  ContactReport report;
  report.marks.push_back(mark({0, 1, 0}, {10, -1, -1, -1}, {1, 0, 0, 0}, true));
  report.marks.push_back(mark({0, 1, 0}, {10, 11, 12, -1}, {0.5, 0.5, 0, 0}, false));
  const PointContacts contacts = point_contacts(report, three_of_five(), 10);
  EXPECT_THAT(contacts.slip,
              ElementsAre(PointContacts::kSticks, PointContacts::kNone, PointContacts::kNone,
                          PointContacts::kNone, PointContacts::kSlips));
}

}  // namespace
}  // namespace dashpot
