#include "solver/simulation/free_groups.h"

#include <algorithm>

#include "solver/simulation/points_in_motion.h"
#include "solver/stage/contact_components.h"

namespace dashpot {
namespace {

// Of points; empty if anything else takes up their momenta.
std::vector<int> free_points(const SimulationModel& model, const Islands& islands,
                             const std::vector<Contact>& contacts,
                             const ContactComponent& component, const IslandMask& active) {
  const auto is_outside = [&](int c) {
    const Contact& contact = contacts[c];
    return contact.id.is_obstacle() ||
           std::any_of(contact.stencil.point.begin(),
                       contact.stencil.point.begin() + contact.stencil.count,
                       [&](int i) { return islands.island_of_point(i) < 0; });
  };
  if (std::any_of(component.contacts.begin(), component.contacts.end(), is_outside)) return {};
  IslandMask is_member(active.size(), 0);
  for (const int i : component.islands) {
    if (!active[i] || !islands.turns_freely(i)) return {};
    is_member[i] = 1;
  }
  std::vector<int> points;
  for (int i = 0; i < model.point_count(); ++i) {
    const int island = islands.island_of_point(i);
    if (island < 0 || !is_member[island]) continue;
    if (model.pinned[i] || model.drag[i] != 0) return {};
    points.push_back(i);
  }
  return points;
}

// As a stage of length h would have that ends with another velocity.
void move_together(const std::vector<int>& points, double h, const Vec3& velocity, Motion& after) {
  for (const int i : points) {
    after.x.col(i) += h * velocity;
    after.v.col(i) += velocity;
    after.a.col(i) += velocity / h;
  }
}

}  // namespace

void keep_momenta(const SimulationModel& model, const Islands& islands, const CorrectedStage& stage,
                  const StageContact& contact, const IslandMask& active,
                  const IslandMask& has_been_hit, Motion& after) {
  if (model.external_force.cols() != 0) return;
  std::vector<ContactComponent> components =
      find_components(contact.contacts, islands.count(), islands.island_of_points());
  IslandMask alone = contact.in_contact;
  for (std::size_t i = 0; i < alone.size(); ++i) alone[i] = alone[i] || has_been_hit[i];
  for (const ContactComponent& component : components)
    for (const int i : component.islands) alone[i] = 0;
  for (int i = 0; i < islands.count(); ++i)
    if (alone[i]) components.push_back({{}, {i}});
  for (const ContactComponent& component : components) {
    const std::vector<int> points =
        free_points(model, islands, contact.contacts, component, active);
    if (points.empty()) continue;
    const PointsInMotion begin(model.mass, stage.before.x, stage.before.v, points);
    const PointsInMotion end(model.mass, after.x, after.v, points);
    const Vec3 drift = (begin.momentum() - end.momentum()) / end.mass() + stage.tau * stage.gravity;
    if (!component.contacts.empty() || has_been_hit[component.islands.front()])
      end.add_spin(begin.angular() - end.angular(), after.v);
    if (contact.cut[component.islands.front()])
      for (const int i : points) after.v.col(i) += drift;
    else
      move_together(points, stage.h, drift, after);
  }
}

}  // namespace dashpot
