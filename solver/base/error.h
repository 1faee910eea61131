#pragma once

#include <stdexcept>
#include <string>

namespace dashpot {

// The user's data or parameters are wrong. The message is one sentence that names the file,
// element or parameter and says what to do. Hosts show it as it is (node error, exit code 2).
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The simulation itself broke down (a state that is no longer finite). Exit code 3.
class SimulationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace dashpot
