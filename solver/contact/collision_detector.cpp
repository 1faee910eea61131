#include "solver/contact/collision_detector.h"

#include <algorithm>
#include <utility>

#include "solver/base/parallel.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kSitesPerBatch = 64;

// Sites count as near if they may move this many times as far as the guess says.
constexpr double kReach = 2.0;

bool comes_before(const Contact& a, const Contact& b) {
  return std::pair(a.collider, a.site) < std::pair(b.collider, b.site);
}

}  // namespace

CollisionDetector::CollisionDetector(std::vector<Collider> colliders,
                                     std::vector<ContactVertex> vertices)
    : colliders_(std::move(colliders)),
      vertices_(std::move(vertices)),
      before_(vertices_.size()),
      x_p_(vertices_.size()),
      clearance_(colliders_.size(), std::vector<double>(vertices_.size())) {}

double CollisionDetector::distance_moved(const ColliderMotion& motion, const std::vector<double>& x,
                                         int site) const {
  return (motion.end.to_own(bound_place(x, site)) - motion.begin.to_own(before_[site])).norm();
}

Vec3 CollisionDetector::acceleration(const ColliderMotion& motion, const Vec3& place) {
  constexpr double kJump = 1e4;  // m/s^2: a motion that ends just then
  if (motion.ahead == 0) return Vec3::Zero();
  const Vec3 next = motion.later.to_world(motion.end.to_own(place));
  const Vec3 result =
      (motion.later.velocity_at(next) - motion.end.velocity_at(place)) / motion.ahead;
  return result.norm() < kJump ? result : Vec3::Zero().eval();
}

void CollisionDetector::add_contact(int site, int collider) {
  Contact row;
  row.site = site;
  row.stencil.vertex[0] = vertices_[site].vertex;
  row.collider = collider;
  const ColliderMotion& motion = kinematics_.motion[collider];
  const Vec3 own = motion.begin.to_own(before_[site]);
  row.drive = (motion.end.to_world(own) - motion.past(own)) / kinematics_.extrapolation;
  contacts_.push_back(row);
  clearance_[collider][site] = -1;
}

void CollisionDetector::begin(const ColliderKinematics& kinematics,
                              const std::vector<double>& before, const std::vector<double>& guess,
                              const Points& x_p, const std::vector<Contact>& known) {
  kinematics_ = kinematics;
  contacts_.clear();
  for (std::size_t s = 0; s < vertices_.size(); ++s) {
    before_[s] = position(before, static_cast<int>(s));
    x_p_[s] = x_p.col(vertices_[s].point);
  }
  const auto count = static_cast<std::ptrdiff_t>(vertices_.size());
  for (std::size_t c = 0; c < colliders_.size(); ++c) {
    const ColliderMotion& motion = kinematics_.motion[c];
    const ColliderShape& shape = *colliders_[c].shape;
    std::vector<char> near(vertices_.size());
    parallel_chunks(count, kSitesPerBatch, [&](ChunkRange range, std::ptrdiff_t) {
      std::vector<Vec3> own;
      for (auto s = range.begin; s < range.end; ++s) own.push_back(motion.begin.to_own(before_[s]));
      shape.distance_lower_bound(kinematics_.begin, kinematics_.end, own.data(), own.size(),
                                 &clearance_[c][static_cast<std::size_t>(range.begin)]);
      for (auto s = range.begin; s < range.end; ++s)
        near[s] = clearance_[c][s] <=
                  kReach * distance_moved(motion, guess, static_cast<int>(s)) + shape.resolution();
    });
    for (const Contact& row : known)
      if (row.collider == static_cast<int>(c)) near[row.site] = 1;
    for (std::size_t s = 0; s < vertices_.size(); ++s)
      if (near[s]) add_contact(static_cast<int>(s), static_cast<int>(c));
  }
  for (const Contact& row : known) {
    const auto at = std::lower_bound(contacts_.begin(), contacts_.end(), row, comes_before);
    at->force = row.force;
    at->held = !row.force.isZero(0);
  }
}

void CollisionDetector::update(const std::vector<double>& x) {
  parallel_chunks(
      static_cast<std::ptrdiff_t>(contacts_.size()), kSitesPerBatch,
      [&](ChunkRange range, std::ptrdiff_t) {
        std::vector<ContactPath> paths;
        std::vector<ContactPlaneQuery> touches;
        for (auto first = range.begin; first < range.end;) {
          const int collider = contacts_[first].collider;
          const ColliderMotion& motion = kinematics_.motion[collider];
          auto last = first;
          paths.clear();
          for (; last < range.end && contacts_[last].collider == collider; ++last)
            paths.push_back({motion.begin.to_own(before_[contacts_[last].site]),
                             motion.end.to_own(bound_place(x, contacts_[last].site))});
          touches.assign(paths.size(), ContactPlaneQuery{});
          colliders_[collider].shape->touch(kinematics_.begin, kinematics_.end, paths.data(),
                                            paths.size(), touches.data());
          for (auto r = first; r < last; ++r) {
            Contact& row = contacts_[r];
            const ContactPlaneQuery& touch = touches[r - first];
            row.near = touch.near;
            if (!touch.near) continue;
            const Vec3 point = motion.end.to_world(touch.point);
            const Vec3 own_velocity = motion.end.rotation * touch.velocity;
            const double k = kinematics_.extrapolation;
            row.plane.normal = motion.end.rotation * touch.normal;
            row.plane.offset = row.plane.normal.dot(point + (k - 1) * before_[row.site]) / k;
            row.plane.rest = x_p_[row.site] + row.drive + kinematics_.h * own_velocity;
            row.plane.friction = colliders_[collider].friction * vertices_[row.site].friction;
            row.velocity = motion.end.velocity_at(point) + own_velocity;
            row.acceleration = acceleration(motion, point);
          }
          first = last;
        }
      });
}

bool CollisionDetector::extend(const std::vector<double>& x) {
  const std::size_t old = contacts_.size();
  for (std::size_t c = 0; c < colliders_.size(); ++c)
    for (std::size_t s = 0; s < vertices_.size(); ++s)
      if (clearance_[c][s] >= 0 &&
          distance_moved(kinematics_.motion[c], x, static_cast<int>(s)) > clearance_[c][s])
        add_contact(static_cast<int>(s), static_cast<int>(c));
  std::stable_sort(contacts_.begin(), contacts_.end(), comes_before);
  return contacts_.size() > old;
}

}  // namespace dashpot
