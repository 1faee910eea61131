#include "standalone/runs/shading.h"

#include <algorithm>
#include <cmath>

#include "solver/base/error.h"

namespace dashpot {
namespace {

// The value that such a share of all does not exceed; zero if there is none.
template <class T>
T share_of(std::vector<T>& values, double share) {
  if (values.empty()) return 0;
  const auto last = static_cast<double>(values.size() - 1);
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(std::ceil(share * last - 0.5));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

}  // namespace

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

double frame_top(std::vector<float> values) {
  return std::max(double{share_of(values, 0.995)}, 0.0);
}

double scale_top(std::vector<double> frame_tops) {
  if (frame_tops.empty()) return 0;
  const double top = share_of(frame_tops, 0.9);
  return top > 0 ? top : *std::max_element(frame_tops.begin(), frame_tops.end());
}

}  // namespace dashpot
