#include "solver/contact/obstacle_detector.h"

#include "solver/base/parallel.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kVerticesPerBatch = 64;

// Points count as near if they may move this many times as far as the guess says.
constexpr double kReach = 2.0;

}  // namespace

ObstacleDetector::ObstacleDetector(const ContactModel& model)
    : model_(model),
      clearance_(model.colliders.size(), std::vector<double>(model.vertices.size())),
      near_(model.colliders.size(), std::vector<char>(model.vertices.size())) {}

double ObstacleDetector::distance_moved(int collider, int point, const Points& x) const {
  const ColliderMotion& motion = kinematics_.motion[collider];
  return (motion.end.to_own(x.col(point)) - motion.begin.to_own(before_->col(point))).norm();
}

void ObstacleDetector::begin(const ColliderKinematics& kinematics, const Points& before,
                             const Points& guess) {
  kinematics_ = kinematics;
  before_ = &before;
  const auto count = static_cast<std::ptrdiff_t>(model_.vertices.size());
  for (std::size_t c = 0; c < model_.colliders.size(); ++c) {
    const ColliderMotion& motion = kinematics_.motion[c];
    const ColliderShape& shape = *model_.colliders[c].collider.shape;
    parallel_chunks(count, kVerticesPerBatch, [&](ChunkRange range, std::ptrdiff_t) {
      std::vector<Vec3> own;
      for (auto v = range.begin; v < range.end; ++v)
        own.push_back(motion.begin.to_own(before.col(model_.vertices[v])));
      shape.distance_lower_bound(kinematics_.begin, kinematics_.end, own.data(), own.size(),
                                 &clearance_[c][static_cast<std::size_t>(range.begin)]);
      for (auto v = range.begin; v < range.end; ++v)
        near_[c][v] = clearance_[c][v] <=
                      kReach * distance_moved(static_cast<int>(c), model_.vertices[v], guess) +
                          shape.resolution() + model_.gap;
    });
  }
}

std::vector<int> ObstacleDetector::near(int collider, const std::vector<int>& vertices) const {
  std::vector<int> result;
  for (const int v : vertices)
    if (near_[collider][v]) result.push_back(v);
  return result;
}

bool ObstacleDetector::is_near(int collider, int vertex, const Points& x) const {
  return near_[collider][vertex] ||
         distance_moved(collider, model_.vertices[vertex], x) > clearance_[collider][vertex];
}

Contact ObstacleDetector::make_contact(int point, int collider) const {
  Contact contact;
  contact.id = ContactId::of_obstacle(collider, point);
  contact.stencil.point[0] = point;
  const Collider& obstacle = model_.colliders[collider].collider;
  contact.plane.friction = obstacle.friction * model_.friction[point];
  contact.restitution = obstacle.restitution;
  return contact;
}

// All of one collider.
void ObstacleDetector::update_range(const Points& x, Contact* first, Contact* last) const {
  const int collider = first->id.collider();
  const ColliderMotion& motion = kinematics_.motion[collider];
  std::vector<ContactPath> paths;
  for (const Contact* c = first; c != last; ++c)
    paths.push_back({motion.begin.to_own(before_->col(c->id.point())),
                     motion.end.to_own(x.col(c->id.point()))});
  std::vector<ContactPlaneQuery> touches(paths.size());
  model_.colliders[collider].collider.shape->touch(kinematics_.begin, kinematics_.end, paths.data(),
                                                   paths.size(), touches.data());
  for (Contact* c = first; c != last; ++c) {
    const ContactPlaneQuery& touch = touches[static_cast<std::size_t>(c - first)];
    c->near = touch.near;
    if (!touch.near) {  // out of reach of anything that could press
      c->plane.offset = c->plane.normal.dot(x.col(c->id.point())) - 1;
      continue;
    }
    const Vec3 point = motion.end.to_world(touch.point);
    const Vec3 own_velocity = motion.end.rotation * touch.velocity;
    const Vec3 from = c->is_anchored ? c->anchor : Vec3(before_->col(c->id.point()));
    const Vec3 rest =
        motion.end.to_world(motion.begin.to_own(from)) + kinematics_.tau() * own_velocity;
    c->plane.normal = motion.end.rotation * touch.normal;
    c->plane.offset = c->plane.normal.dot(point);
    c->plane.rest = rest;
    c->carried = rest - from;
    c->velocity = motion.end.velocity_at(point) + own_velocity;
  }
}

void ObstacleDetector::update(const Points& x, std::vector<Contact>& contacts) const {
  parallel_chunks(static_cast<std::ptrdiff_t>(contacts.size()), kVerticesPerBatch,
                  [&](ChunkRange range, std::ptrdiff_t) {
                    for (auto first = range.begin; first < range.end;) {
                      auto last = first + 1;
                      if (contacts[first].id.is_obstacle()) {
                        const int collider = contacts[first].id.collider();
                        while (last < range.end && contacts[last].id.collider() == collider) ++last;
                        update_range(x, &contacts[first], contacts.data() + last);
                      }
                      first = last;
                    }
                  });
}

}  // namespace dashpot
