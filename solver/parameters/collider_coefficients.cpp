#include "solver/parameters/collider_coefficients.h"

#include "solver/parameters/parameters.h"

namespace dashpot {

Collider default_coefficients() {
  Collider collider;
  for (const Parameter& p : parameters())
    if (p.scope == ParameterScope::kCollider) p.coefficient.set({p.number, p.vector}, collider);
  return collider;
}

void check_coefficients(const Collider& collider, const std::string& where) {
  for (const Parameter& p : parameters())
    if (p.scope == ParameterScope::kCollider) check_value(p, p.coefficient.get(collider), where);
}

void hash_coefficients(const Collider& collider, Hash& hash) {
  for (const Parameter& p : parameters())
    if (p.scope == ParameterScope::kCollider) hash_value(p, p.coefficient.get(collider), hash);
}

}  // namespace dashpot
