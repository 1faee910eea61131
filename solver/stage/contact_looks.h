#pragma once

namespace dashpot {

// When solvers look for what touches, and how exactly they solve for it.

// In the first iterations what touches is found anew, later it only grows, every so often.
constexpr int kFirstLooks = 4, kIterationsPerLook = 6;
// Coulomb's law is solved to this part of what the stage may be off.
constexpr double kConesOfTolerance = 0.1;
// A stage that was not solved goes this share of the way to where something would be passed
// through.
constexpr double kSafeShare = 0.9;

}  // namespace dashpot
