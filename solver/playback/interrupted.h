#pragma once

namespace dashpot {

// Thrown by a host that was asked to stop while an input was made: what it has of it is not to be
// looked at.
struct Interrupted {};

}  // namespace dashpot
