#include "solver/simulation/frame_report.h"

namespace dashpot {

std::string remedy(Status status) {
  switch (status) {
    case Status::kBudgetExhausted:
      return "The iteration budget ended before the tolerance was reached; raise iterations or "
             "substeps, or accept a larger tolerance.";
    case Status::kInvertedElements:
      return "Some tets are inside out; raise substeps or iterations, or use a stiffer body.";
    case Status::kCancelled:
      return "The frame was cancelled.";
    case Status::kNone:
      break;
  }
  return "";
}

}  // namespace dashpot
