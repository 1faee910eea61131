#include "solver/contact/contact_memory.h"

#include <algorithm>
#include <map>
#include <utility>

#include "solver/contact/contact_model.h"

namespace dashpot {
namespace {

bool is_finite(const ContactMemory& memory) {
  return std::all_of(memory.touching.begin(), memory.touching.end(), [](const auto& t) {
    const auto& weight = t.stencil.weight;
    return t.force.allFinite() && t.anchor.allFinite() &&
           std::all_of(weight.begin(), weight.end(), [](double w) { return std::abs(w) <= 1; });
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

// Of each collider that the memory names, its number in the scene, or -1.
std::vector<int> numbers_here(const ContactMemory& memory, const std::vector<std::string>& names) {
  const auto here = counted(names), there = counted(memory.colliders);
  std::vector<int> numbers;
  for (const auto& name : there) {
    const auto found = std::find(here.begin(), here.end(), name);
    numbers.push_back(found == here.end() ? -1 : static_cast<int>(found - here.begin()));
  }
  return numbers;
}

bool fits(const ContactMemory::Touching& touching, const ContactModel& model) {
  const ContactStencil& stencil = touching.stencil;
  if (stencil.count < 1 || stencil.count > 4) return false;
  const auto is_vertex = [&](int point) { return model.is_on_surface(point); };
  return std::all_of(stencil.point.begin(), stencil.point.begin() + stencil.count, is_vertex);
}

}  // namespace

bool ContactMemory::operator==(const ContactMemory& other) const {
  const auto same = [](const Touching& a, const Touching& b) {
    return a.id == b.id && a.stencil == b.stencil && a.force == b.force &&
           a.is_anchored == b.is_anchored && a.anchor == b.anchor;
  };
  return colliders == other.colliders && surface == other.surface && let_go == other.let_go &&
         met == other.met &&
         std::equal(touching.begin(), touching.end(), other.touching.begin(), other.touching.end(),
                    same);
}

ContactMemory fitting(const ContactMemory& memory, const ContactModel& model) {
  ContactMemory fit;
  for (const SceneCollider& collider : model.colliders)
    fit.colliders.push_back(collider.collider.name);
  fit.surface = model.surface_fingerprint;
  if (!is_finite(memory)) return fit;
  const std::vector<int> number = numbers_here(memory, fit.colliders);
  for (ContactMemory::Touching touching : memory.touching) {
    if (!fits(touching, model)) continue;
    ContactId& id = touching.id;
    if (id.is_obstacle()) {
      const bool is_named = id.collider() >= 0 && id.collider() < static_cast<int>(number.size());
      if (!is_named || number[id.collider()] < 0 || model.vertex_at(id.point()) < 0) continue;
      id.first = number[id.collider()];
    } else if (memory.surface != fit.surface) {
      continue;
    }
    fit.touching.push_back(touching);
  }
  const auto keep_bodies = [&](const std::vector<int>& from, std::vector<int>& to) {
    for (const int body : from)
      if (body >= 0 && body < model.body_count) to.push_back(body);
  };
  keep_bodies(memory.let_go, fit.let_go);
  keep_bodies(memory.met, fit.met);
  std::sort(fit.touching.begin(), fit.touching.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });
  return fit;
}

}  // namespace dashpot
