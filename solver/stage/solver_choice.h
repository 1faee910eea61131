#pragma once

namespace dashpot {

// In the order of the menu: automatic admm.
enum class SolverChoice { kAutomatic, kAdmm };

}  // namespace dashpot
