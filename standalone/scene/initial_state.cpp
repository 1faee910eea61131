#include "standalone/scene/initial_state.h"

#include <Eigen/Geometry>
#include <cmath>

namespace dashpot {
namespace {

constexpr double kRadiansPerDegree = 0.017453292519943295;

Mat3 turn(double degrees, const Vec3& unit_axis) {
  return Eigen::AngleAxisd(degrees * kRadiansPerDegree, unit_axis).toRotationMatrix();
}

// SplitMix64. Not <random>: its distributions differ from one standard library to the next.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}

  // In [0, 1).
  double next() {
    state_ += 0x9e3779b97f4a7c15ull;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
  }

 private:
  std::uint64_t state_;
};

Vec3 middle_of_bounds(const Points& points) {
  return 0.5 * (points.rowwise().minCoeff() + points.rowwise().maxCoeff());
}

}  // namespace

bool Placement::is_identity() const {
  return scale == Vec3::Ones() && rotate == Vec3::Zero() && translate == Vec3::Zero();
}

Mat3 Placement::rotation() const {
  return turn(rotate.z(), Vec3::UnitZ()) * turn(rotate.y(), Vec3::UnitY()) *
         turn(rotate.x(), Vec3::UnitX());
}

void Placement::apply(Points& points) const {
  const Mat3 matrix = rotation() * scale.asDiagonal();
  points = ((matrix * points).colwise() + translate).eval();
}

Vec3 centroid(const Points& points, const std::vector<int>& listed) {
  Vec3 sum = Vec3::Zero();
  for (const int i : listed) sum += points.col(i);
  return sum / static_cast<double>(listed.size());
}

Vec3 center_of_mass(const Points& points, const std::vector<double>& masses) {
  // In order: a sum by vectors would depend on where the list happens to lie in memory.
  Vec3 moment = Vec3::Zero();
  double mass = 0;
  for (Eigen::Index i = 0; i < points.cols(); ++i) {
    const double m = masses[static_cast<std::size_t>(i)];
    moment += m * points.col(i);
    mass += m;
  }
  return moment / mass;
}

void deform(Points& points, const std::vector<int>& free, const Vec3& center, const Mat3& map) {
  for (const int i : free) points.col(i) = (center + map * (points.col(i) - center)).eval();
}

void twist(Points& points, const std::vector<int>& free, const Vec3& center, const Vec3& axis,
           double degrees) {
  const Vec3 unit = axis.normalized();
  const Eigen::RowVectorXd along = unit.transpose() * points;
  const double begin = along.minCoeff();
  const double length = along.maxCoeff() - begin;
  for (const int i : free) {
    const double fraction = length > 0 ? (along(i) - begin) / length : 0;
    const Vec3 arm = points.col(i) - center;
    points.col(i) = center + turn(degrees * fraction, unit) * arm;
  }
}

void collapse(Points& points, const std::vector<int>& free) {
  const Vec3 middle = middle_of_bounds(points);
  for (const int i : free) points.col(i) = middle;
}

void randomize(Points& points, const std::vector<int>& free, double size, std::uint64_t seed) {
  const Vec3 middle = middle_of_bounds(points);
  const Vec3 edges = size * (points.rowwise().maxCoeff() - points.rowwise().minCoeff());
  RandomNumbers random(seed);
  for (const int i : free)
    for (int axis = 0; axis < 3; ++axis)
      points(axis, i) = middle[axis] + (random.next() - 0.5) * edges[axis];
}

Points initial_velocity(const Points& points, const std::vector<int>& free, const Vec3& center,
                        const Vec3& velocity, const Vec3& angular_velocity, const Mat3& gradient) {
  Points result = Points::Zero(3, points.cols());
  for (const int i : free) {
    const Vec3 arm = points.col(i) - center;
    result.col(i) = velocity + angular_velocity.cross(arm) + gradient * arm;
  }
  return result;
}

}  // namespace dashpot
