#include "solver/collision/orientation.h"

#include <cmath>
#include <vector>

namespace dashpot {
namespace {

int sign_of(double value) {
  return (value > 0) - (value < 0);
}

// A number as an exact sum of doubles that do not overlap, smallest first (Shewchuk 1997).
class Expansion {
 public:
  static Expansion difference(double a, double b) {
    Expansion e;
    e.add(a);
    e.add(-b);
    return e;
  }

  int sign() const { return parts_.empty() ? 0 : sign_of(parts_.back()); }

  Expansion& operator+=(const Expansion& b) {
    for (const double part : b.parts_) add(part);
    return *this;
  }
  Expansion operator-() const {
    Expansion result = *this;
    for (double& part : result.parts_) part = -part;
    return result;
  }
  Expansion operator*(const Expansion& b) const {
    Expansion result;
    for (const double s : parts_)
      for (const double t : b.parts_) {
        // Through memory: fused with an addition that follows, it would be another number there.
        const volatile double product = s * t;
        result.add(std::fma(s, t, -product));
        result.add(product);
      }
    return result;
  }

 private:
  void add(double value) {
    std::vector<double> sum;
    sum.reserve(parts_.size() + 1);
    for (const double part : parts_) {
      const double total = value + part, of_part = total - value;
      const double lost = (value - (total - of_part)) + (part - of_part);
      if (lost != 0) sum.push_back(lost);
      value = total;
    }
    if (value != 0) sum.push_back(value);
    parts_.swap(sum);
  }

  std::vector<double> parts_;
};

int exact_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  Expansion u[3], v[3], w[3];
  for (int k = 0; k < 3; ++k) {
    u[k] = Expansion::difference(b[k], a[k]);
    v[k] = Expansion::difference(c[k], a[k]);
    w[k] = Expansion::difference(d[k], a[k]);
  }
  Expansion det;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    Expansion minor = v[i] * w[j];
    minor += -(v[j] * w[i]);
    det += u[k] * minor;
  }
  return det.sign();
}

}  // namespace

int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  constexpr double kErrorBound =
      8e-16;  // (7 + 56 eps) eps, eps = 2^-53: Shewchuk 1997, o3derrboundA
  const Vec3 u = b - a, v = c - a, w = d - a;
  double det = 0, size = 0;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double s = v[i] * w[j], t = v[j] * w[i];
    det += u[k] * (s - t);
    size += std::abs(u[k]) * (std::abs(s) + std::abs(t));
  }
  if (std::abs(det) > kErrorBound * size) return sign_of(det);
  // Flat sides of boxes: differences are zero only where the coordinates are the same.
  for (int k = 0; k < 3; ++k)
    if (u[k] == 0 && v[k] == 0 && w[k] == 0) return 0;
  return exact_orientation(a, b, c, d);
}

}  // namespace dashpot
