#include "solver/simulation/frame_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "solver/base/words.h"
#include "solver/parameters/parameters.h"
#include "solver/simulation/scene.h"

namespace dashpot {
namespace {

// 1, 1.5, 2, 3, 5 or 7 times a power of ten.
int next_round_number(double least) {
  const double ten = std::pow(10.0, std::floor(std::log10(least)));
  for (const double digit : {1.0, 1.5, 2.0, 3.0, 5.0, 7.0})
    if (digit * ten >= least) return static_cast<int>(std::lround(digit * ten));
  return static_cast<int>(std::lround(10 * ten));
}

// How many iterations will reach the tolerance: twice those that would if each took off as much as
// the ones before, because the last digits come slower. Infinite if they took off nothing.
double sufficient_iterations(double residual, const SolverSettings& settings) {
  if (!(residual < 1)) return std::numeric_limits<double>::infinity();
  return 2 * settings.iterations * std::log(settings.tolerance) / std::log(residual);
}

// Iterations while they help, else shorter steps.
std::string better_settings(double residual, const SolverSettings& settings) {
  constexpr double kStillHelps = 10;  // times the iterations that there are
  const double needed = sufficient_iterations(residual, settings);
  const double most = std::min(kStillHelps * settings.iterations, parameter("iterations").max);
  const double usual = parameter("iterations").number;
  if (settings.iterations < usual && !(needed > usual && needed <= most))
    return "set iterations = " + exact(usual) + ", as by default";
  if (needed <= most)
    return "set iterations = " +
           std::to_string(next_round_number(std::max(needed, settings.iterations + 1.0)));
  const int substeps = std::min(2 * settings.substeps, static_cast<int>(parameter("substeps").max));
  return "set substeps = " + std::to_string(substeps) + ", and iterations = " +
         std::to_string(next_round_number(std::min(2.0 * settings.iterations, most)));
}

std::string tangled_sentence(const Trouble& trouble, const SolverSettings& settings) {
  char place[96];
  std::snprintf(place, sizeof place, "[%.4g, %.4g, %.4g]", trouble.ignored_place.x(),
                trouble.ignored_place.y(), trouble.ignored_place.z());
  return "surfaces intersect in " + counted(trouble.ignored, "place") +
         (trouble.ignored == 1 ? ", " : ", the first of them ") + place +
         ", and do not feel each other there until they are apart; " +
         (settings.untangle ? "move them apart, or name one in nocontact of the other."
                            : "set untangle = true to push them apart.");
}

}  // namespace

void Trouble::add(const FrameReport& report) {
  residual = std::max({residual, report.primal_residual, report.dual_residual});
  inverted = std::max(inverted, report.all.inverted);
  if (report.contact.ignored > ignored) {
    ignored = report.contact.ignored;
    ignored_place = report.contact.ignored_place;
  }
}

std::string remedy(Status status) {
  switch (status) {
    case Status::kBudgetExhausted:
      return "The iteration budget ended before the tolerance was reached; raise iterations or "
             "substeps, or accept a larger tolerance.";
    case Status::kInvertedElements:
      return "Some tets are inside out; raise substeps or iterations, or use a stiffer body.";
    case Status::kTakenAgain:
      return "A step would have made energy and was taken again by backward Euler, which loses "
             "motion; raise substeps.";
    case Status::kTangled:
      return "Surfaces intersect and do not feel each other until they are apart; set untangle to "
             "push them apart.";
    case Status::kCancelled:
      return "The frame was cancelled.";
    case Status::kNone:
      break;
  }
  return "";
}

std::string remedy(Status status, const Trouble& trouble, const SolverSettings& settings) {
  if (status == Status::kInvertedElements)
    return counted(trouble.inverted, "tet") +
           (trouble.inverted == 1 ? " is inside out" : " are inside out") +
           "; set substeps = " + std::to_string(2 * settings.substeps) + ", or use a stiffer body.";
  if (status == Status::kTakenAgain)
    return "a step would have made energy and was taken again by backward Euler, which loses "
           "motion; set substeps = " +
           std::to_string(2 * settings.substeps) + ".";
  if (status == Status::kTangled) return tangled_sentence(trouble, settings);
  if (status != Status::kBudgetExhausted) return remedy(status);
  const std::string budget = "the " + counted(settings.iterations, "iteration") + " of a stage ";
  if (!(trouble.residual > settings.tolerance))
    return budget + "did not settle it; " + better_settings(settings.tolerance, settings) + ".";
  if (!(trouble.residual < 1))
    return budget + "came nowhere near a solution; " + better_settings(trouble.residual, settings) +
           ".";
  return budget + "left a mismatch of " + percent(trouble.residual) + " of its motion, " +
         rounded(trouble.residual / settings.tolerance) + " times the tolerance; " +
         better_settings(trouble.residual, settings) + ".";
}

std::string remedy(Status status, const FrameReport& report, const SolverSettings& settings) {
  Trouble trouble;
  trouble.add(report);
  return remedy(status, trouble, settings);
}

}  // namespace dashpot
