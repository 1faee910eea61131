#pragma once

namespace dashpot {

// In the order of the menu: automatic admm.
enum class StageSolver { kAutomatic, kAdmm };

}  // namespace dashpot
