#include "solver/parameters/solver_settings.h"

#include "solver/parameters/parameters.h"

namespace dashpot {

void check_settings(const SolverSettings& settings, const std::string& where) {
  for (const Parameter& p : parameters())
    if (p.scope == ParameterScope::kSolver) check_value(p, p.setting.get(settings), where);
}

void hash_settings(const SolverSettings& settings, Hash& hash) {
  for (const Parameter& p : parameters())
    if (p.scope == ParameterScope::kSolver) hash_value(p, p.setting.get(settings), hash);
}

}  // namespace dashpot
