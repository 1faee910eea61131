#include "solver/contact/contact_memory.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "solver/contact/contact_model.h"

namespace dashpot {
namespace {

bool is_finite(const ContactMemory& memory) {
  return memory.impulse.allFinite() && std::isfinite(memory.normal_impulse) &&
         std::all_of(memory.touching.begin(), memory.touching.end(), [](const auto& t) {
           return t.force.allFinite() && t.next_step_force.allFinite() && t.normal.allFinite();
         });
}

// Names with the number of times that they came before.
std::vector<std::pair<std::string, int>> counted(const std::vector<std::string>& names) {
  std::map<std::string, int> times;
  std::vector<std::pair<std::string, int>> result;
  result.reserve(names.size());
  for (const std::string& name : names) result.emplace_back(name, times[name]++);
  return result;
}

}  // namespace

bool ContactMemory::operator==(const ContactMemory& other) const {
  const auto same = [](const Touching& a, const Touching& b) {
    return a.point == b.point && a.collider == b.collider && a.force == b.force &&
           a.next_step_force == b.next_step_force && a.normal == b.normal;
  };
  return impulse == other.impulse && normal_impulse == other.normal_impulse &&
         colliders == other.colliders &&
         std::equal(touching.begin(), touching.end(), other.touching.begin(), other.touching.end(),
                    same);
}

ContactMemory fitting(const ContactMemory& memory, const ContactModel& model) {
  ContactMemory fit;
  for (const SceneCollider& collider : model.colliders)
    fit.colliders.push_back(collider.collider.name);
  if (!is_finite(memory)) return fit;
  fit.impulse = memory.impulse;
  fit.normal_impulse = memory.normal_impulse;
  const auto here = counted(fit.colliders), there = counted(memory.colliders);
  std::vector<int> number_here;
  for (const auto& name : there) {
    const auto found = std::find(here.begin(), here.end(), name);
    number_here.push_back(found == here.end() ? -1 : static_cast<int>(found - here.begin()));
  }
  for (const ContactMemory::Touching& touching : memory.touching) {
    const bool is_named =
        touching.collider >= 0 && touching.collider < static_cast<int>(number_here.size());
    if (!is_named || number_here[touching.collider] < 0) continue;
    if (model.vertex_at(touching.point) < 0) continue;
    fit.touching.push_back(touching);
    fit.touching.back().collider = number_here[touching.collider];
  }
  return fit;
}

}  // namespace dashpot
