#include "standalone/runs/shading.h"

#include <algorithm>
#include <cmath>

#include "solver/base/error.h"

namespace dashpot {

const std::vector<Shading>& shadings() {
  static const std::vector<Shading> all = {
      {"stretch", "Stretch", "", "strain",
       "largest change of length in any direction, relative to rest: 0.1 is 10 %"},
      {"speed", "Speed", "m/s", nullptr, "how fast points move"},
      {"dissipation", "Dissipation", "J/m\u00b3", "dissipation",
       "energy per volume that damping turned into heat in the frame"},
      {"stress", "Stress", "Pa", "stress", "von Mises stress"},
  };
  return all;
}

const Shading& find_shading(std::string_view token) {
  std::string tokens;
  for (const Shading& shading : shadings()) {
    if (token == shading.token) return shading;
    tokens += (tokens.empty() ? "" : ", ") + std::string(shading.token);
  }
  throw InputError("there is no shading '" + std::string(token) + "'; choose from " + tokens + ".");
}

double scale_top(std::vector<float> values) {
  constexpr double kCounted = 0.999;
  if (values.empty()) return 0;
  const auto place = values.begin() +
                     static_cast<std::ptrdiff_t>(kCounted * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return std::max(*place, 0.0F);
}

}  // namespace dashpot
