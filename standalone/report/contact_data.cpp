#include "standalone/report/contact_data.h"

#include <algorithm>
#include <cmath>

#include "standalone/render/contact_overlay.h"
#include "standalone/render/palette.h"
#include "standalone/runs/shading.h"

namespace dashpot {
namespace {

void add_rows(const Points& points, const Vec3& origin, double step,
              std::vector<std::int32_t>& numbers) {
  constexpr double kMost = 1e9;
  for (Eigen::Index axis = 0; axis < 3; ++axis)
    for (Eigen::Index p = 0; p < points.cols(); ++p)
      numbers.push_back(static_cast<std::int32_t>(
          std::lround(std::clamp((points(axis, p) - origin[axis]) / step, -kMost, kMost))));
}

}  // namespace

double top_force_of(const std::vector<std::unique_ptr<RunFrames>>& runs) {
  std::vector<double> tops;
  for (const auto& run : runs)
    for (const ContactPoints& frame : run->contacts)
      if (!frame.slips.empty()) tops.push_back(top_force(frame));
  return scale_top(std::move(tops));
}

nlohmann::ordered_json contact_key_json(double top) {
  return {{"sticks", hex_colour(slip_colour(false))},
          {"slips", hex_colour(slip_colour(true))},
          {"top", top},
          {"parts", kArrowParts}};
}

std::string pack_contacts(const ContactPoints* begin, const ContactPoints* end,
                          const Quantisation& quantisation, double top) {
  std::vector<std::int32_t> numbers;
  for (const ContactPoints* frame = begin; frame != end; ++frame) {
    numbers.push_back(static_cast<std::int32_t>(frame->slips.size()));
    numbers.insert(numbers.end(), frame->slips.begin(), frame->slips.end());
    add_rows(frame->places, quantisation.origin, quantisation.step, numbers);
    add_rows(force_arrows(*frame, top), Vec3::Zero(), 1.0 / kArrowParts, numbers);
  }
  return pack_numbers(numbers);
}

}  // namespace dashpot
