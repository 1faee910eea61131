#include "solver/elements/element_diagnostics.h"

#include <algorithm>
#include <cmath>

#include "solver/base/error.h"
#include "solver/base/words.h"
#include "solver/mesh/quality.h"

namespace dashpot {
namespace {

// Relative to rest. The faces of a tet that is squeezed flat vanish and stress grows without
// bound; below this volume it is measured as if the tet had this volume.
constexpr double kSmallestVolume = 1e-3;

double von_mises_stress(const ElementView& e) {
  const Stretches<double>& s = e.stretches;
  const Stretches<double> gradient = energy_gradient(e.material, s, e.lame);
  const double volume = std::max(std::abs(s[0] * s[1] * s[2]), kSmallestVolume);
  // sigma = P F^T / J, in its principal axes. Its sign, that of J, does not matter here.
  Stretches<double> sigma;
  for (std::size_t i = 0; i < 3; ++i) sigma[i] = gradient[i] * s[i] / volume;
  const double a = sigma[0] - sigma[1], b = sigma[1] - sigma[2], c = sigma[2] - sigma[0];
  return std::sqrt(0.5 * (a * a + b * b + c * c));
}

double largest_strain(const ElementView& e) {
  return std::max(std::abs(e.stretches[0] - 1), std::abs(e.stretches[2] - 1));
}

double elastic_energy(const ElementView& e) {
  return e.rest_volume * energy_density(e.material, e.stretches, e.lame);
}

double signed_quality(const ElementView& e) {
  const double quality = shape_quality(e.x, e.tet);
  return e.stretches[2] < 0 ? -quality : quality;
}

double dissipated_energy(const ElementView& e) {
  return e.dissipated;
}

}  // namespace

const std::vector<ElementDiagnostic>& element_diagnostics() {
  static const std::vector<ElementDiagnostic> all = {
      {"stress", "Pa", "von Mises stress: how hard the shape, not the volume, resists",
       von_mises_stress},
      {"strain", "", "largest change of length in any direction, relative to rest: 0.1 is 10 %",
       largest_strain},
      {"energy", "J", "elastic energy that the tet stores", elastic_energy},
      {"quality", "", "shape of the tet: 1 regular, 0 flat, negative when inside out",
       signed_quality},
      {"dissipation", "J",
       "energy that the tet's damping, mass damping included, turned into heat in this frame",
       dissipated_energy},
  };
  return all;
}

const ElementDiagnostic& find_element_diagnostic(std::string_view token) {
  std::vector<std::string> tokens;
  for (const ElementDiagnostic& diagnostic : element_diagnostics()) {
    if (token == diagnostic.token) return diagnostic;
    tokens.emplace_back(diagnostic.token);
  }
  throw InputError("there is no attribute '" + std::string(token) + "' of the tets to write" +
                   did_you_mean(std::string(token), tokens));
}

}  // namespace dashpot
