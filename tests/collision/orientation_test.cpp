#include "solver/collision/orientation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

constexpr double kUlp = 0x1.0p-52;

// Points 1 + k ulp with small integers k: the determinant of the integers has the same sign.
TEST(Orientation, IsExactWhereRoundingWouldDecide) {
  RandomNumbers random(9);
  int zero = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    std::int64_t k[4][3];
    Vec3 p[4];
    for (int i = 0; i < 4; ++i)
      for (int d = 0; d < 3; ++d) {
        k[i][d] = std::llround(random.between(0, 6));
        p[i][d] = 1 + static_cast<double>(k[i][d]) * kUlp;
      }
    std::int64_t m[3][3];
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d) m[i][d] = k[i + 1][d] - k[0][d];
    const std::int64_t det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                             m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                             m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    EXPECT_EQ(orientation(p[0], p[1], p[2], p[3]), (det > 0) - (det < 0));
    zero += det == 0;
  }
  EXPECT_GT(zero, 100);
}

// On the plane through three points whose coordinates do not round, an ulp above and below.
TEST(Orientation, TellsAnUlpFromAPlane) {
  const Vec3 a(0.1, 0.7, 0.3), b(5.3, 0.7, 0.3), c(0.1, 9.1, 0.3), on(1.7, 1.9, 0.3);
  EXPECT_EQ(orientation(a, b, c, on), 0);
  EXPECT_EQ(orientation(a, b, c, Vec3(1.7, 1.9, std::nextafter(0.3, 1.0))), 1);
  EXPECT_EQ(orientation(a, b, c, Vec3(1.7, 1.9, std::nextafter(0.3, 0.0))), -1);
}

TEST(Orientation, ChangesSignWithTwoPointsInDoubtToo) {
  RandomNumbers random(2);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3 a = random.vector(), b = random.vector(), c = random.vector();
    const Vec3 d = a + random.next() * (b - a) + random.next() * (c - a);
    EXPECT_EQ(orientation(a, b, c, d), -orientation(b, a, c, d));
    EXPECT_EQ(orientation(a, b, c, d), orientation(b, c, a, d));
    EXPECT_EQ(orientation(a, b, c, d), -orientation(a, b, d, c));
  }
}

}  // namespace
}  // namespace dashpot
