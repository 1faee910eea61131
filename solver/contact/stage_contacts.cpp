#include "solver/contact/stage_contacts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/collision/surface_detector.h"
#include "solver/contact/pair_coefficients.h"

namespace dashpot {
namespace {

// Obstacles that are nearer than this many gaps have a contact, whether it presses or not.
constexpr double kNearObstacle = 1.5;
// What begins nearer than the gap is kept as far apart as it is: to push it out makes energy. Only
// what is nearer than the first of these parts of the gap, such as bodies that were put flush on
// each other, is pushed apart, to the second: so that what rests there is not nearer again.
constexpr double kTooNear = 0.2, kPushedApart = 0.25;
// How fast bodies are pushed apart that intersect, m/s.
constexpr double kUntangling = 1.0;

// Of one pair of features there may be two: the one that was found, and the one that was missed.
bool comes_before(const Contact& a, const Contact& b) {
  return a.id < b.id || (a.id == b.id && a.is_forced < b.is_forced);
}

bool is_same(const Contact& a, const Contact& b) {
  return a.id == b.id && a.is_forced == b.is_forced;
}

// What pushes things apart that are `apart` does work on them, as an obstacle does that moves.
void push(Contact& contact, double apart) {
  contact.carried = std::max(0.0, contact.plane.offset - apart) * contact.plane.normal;
}

}  // namespace

StageContacts::StageContacts(const ContactModel& model, const ObstacleDetector& obstacles,
                             const SurfaceDetector* surfaces, const Points& before,
                             ContactParty party)
    : model_(model),
      obstacles_(obstacles),
      surfaces_(surfaces),
      before_(before),
      party_(std::move(party)) {
  for (int c = 0; c < static_cast<int>(model.colliders.size()); ++c) {
    for (const int v : obstacles.near(c, party_.vertices))
      near_.push_back(ContactId::of_obstacle(c, model.vertices[v]));
    for (const auto& touching : party_.known)
      if (touching.id.is_obstacle() && touching.id.collider() == c) near_.push_back(touching.id);
  }
  std::sort(near_.begin(), near_.end());
  near_.erase(std::unique(near_.begin(), near_.end()), near_.end());
}

// What stuck keeps the very places that stick, and the forces go on.
void StageContacts::recall(Contact& contact) const {
  const auto found =
      std::lower_bound(party_.known.begin(), party_.known.end(), contact.id,
                       [](const auto& touching, const ContactId& id) { return touching.id < id; });
  if (found == party_.known.end() || !(found->id == contact.id)) return;
  contact.force = found->force;
  contact.held = contact.presses();
  if (!found->is_anchored) return;
  contact.is_anchored = true;
  contact.anchor = found->anchor;
  contact.stencil = found->stencil;
}

void StageContacts::add_obstacles(const Points& x, std::vector<Contact>& found) {
  std::vector<Contact> all;
  for (const ContactId& id : near_) {
    all.push_back(obstacles_.make_contact(id.point(), id.collider()));
    recall(all.back());
  }
  obstacles_.update(x, all);
  for (Contact& contact : all) {
    if (!contact.near) continue;
    if (contact.presses() || contact.gap(x) < kNearObstacle * model_.gap) found.push_back(contact);
  }
}

Contact StageContacts::make_pair(const PairStencil& stencil) const {
  Contact contact;
  contact.id = ContactId(stencil.id);
  contact.stencil.point = stencil.point;
  contact.stencil.weight = stencil.weight;
  contact.stencil.count = stencil.count;
  contact.plane.normal = stencil.normal;
  contact.plane.offset = model_.gap;
  int of_side[2] = {-1, -1};
  double multiplier[2] = {0, 0};
  for (int k = 0; k < stencil.count; ++k) {
    const int side = stencil.weight[k] < 0;
    of_side[side] = stencil.point[k];
    multiplier[side] += std::abs(stencil.weight[k]) * model_.friction[stencil.point[k]];
  }
  const auto coefficients = [&](int side) {
    return of_side[side] < 0 ? SurfaceCoefficients{}
                             : model_.coefficients[model_.surface->body_of_point(of_side[side])];
  };
  const SurfaceCoefficients first = coefficients(0), second = coefficients(1);
  contact.plane.friction =
      pair_friction(first.friction, second.friction, multiplier[0], multiplier[1]);
  contact.restitution = pair_restitution(first.restitution, second.restitution);
  return contact;
}

void StageContacts::add_pairs(const std::vector<PairStencil>& stencils, bool forced,
                              std::vector<Contact>& found) const {
  for (const PairStencil& stencil : stencils) {
    Contact contact = make_pair(stencil);
    contact.is_forced = forced;
    if (!forced) recall(contact);
    const Vec3 begin = contact.stencil.place(before_);
    const double apart = contact.plane.normal.dot(begin);
    contact.plane.offset =
        apart < kTooNear * model_.gap ? kPushedApart * model_.gap : std::min(apart, model_.gap);
    if (begin.norm() < kTooNear * model_.gap) push(contact, apart);
    contact.plane.rest = contact.is_anchored ? contact.anchor : begin;
    found.push_back(contact);
  }
}

// What intersects is moved apart by as much as it may in this stage, and by nothing else.
void StageContacts::add_pushes(const Points& x, std::vector<Contact>& found) const {
  const double way = kUntangling * obstacles_.kinematics().tau();
  for (const PairStencil& stencil : party_.pushes) {
    Contact contact = make_pair(stencil);
    contact.plane.friction = contact.restitution = 0;
    contact.plane.offset = std::min(model_.gap, stencil.distance + way);
    contact.plane.rest = contact.stencil.place(before_);
    push(contact, contact.plane.normal.dot(contact.plane.rest));
    if (contact.gap(x) < model_.gap) found.push_back(contact);
  }
}

// Forces of those that stay go on.
bool StageContacts::merge(std::vector<Contact> found, bool drops) {
  std::stable_sort(found.begin(), found.end(), comes_before);
  found.erase(std::unique(found.begin(), found.end(), is_same), found.end());
  std::vector<Contact> all;
  bool changed = false;
  auto old = contacts_.begin();
  const auto keep_old = [&] {
    const bool stays = !drops || old->is_forced || old->id.is_obstacle();
    changed = changed || !stays;
    if (stays) all.push_back(*old);
    ++old;
  };
  for (Contact& contact : found) {
    while (old != contacts_.end() && comes_before(*old, contact)) keep_old();
    const bool is_old = old != contacts_.end() && is_same(*old, contact);
    if (is_old) {
      contact.force = old->force;
      changed = changed || !(contact.stencil == old->stencil);
      ++old;
    }
    changed = changed || !is_old;
    all.push_back(contact);
  }
  while (old != contacts_.end()) keep_old();
  contacts_ = std::move(all);
  return changed;
}

bool StageContacts::look(const Points& x, bool drops) {
  std::vector<Contact> found;
  if (surfaces_) add_pairs(surfaces_->find(x, &party_.candidates, !drops), false, found);
  add_pushes(x, found);
  add_obstacles(x, found);
  return merge(std::move(found), drops);
}

bool StageContacts::is_free(const Points& x) {
  if (has_candidates()) look(x, true);
  return std::all_of(contacts_.begin(), contacts_.end(),
                     [&](const Contact& contact) { return contact.gap(x) >= 0; }) &&
         !look_back(x);
}

double StageContacts::free_share(const Points& x) const {
  return surfaces_ ? surfaces_->free_share(x, &party_.candidates) : 1;
}

bool StageContacts::look_back(const Points& x) {
  std::vector<Contact> found;
  if (surfaces_) add_pairs(surfaces_->find_missed(x, &party_.candidates), true, found);
  bool nearer = false;
  for (int c = 0; c < static_cast<int>(model_.colliders.size()); ++c)
    for (const int v : party_.vertices) {
      if (!obstacles_.is_near(c, v, x)) continue;
      const ContactId id = ContactId::of_obstacle(c, model_.vertices[v]);
      const auto at = std::lower_bound(near_.begin(), near_.end(), id);
      if (at != near_.end() && *at == id) continue;
      near_.insert(at, id);
      nearer = true;
    }
  if (nearer) add_obstacles(x, found);
  return merge(std::move(found), false);
}

}  // namespace dashpot
