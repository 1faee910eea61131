#pragma once

namespace dashpot {

// The whole program: reads the arguments, does what they ask for, and turns every failure into one
// sentence on standard error and an exit code: 0 done, 2 bad input, 3 the simulation failed,
// 130 interrupted.
int run_command_line(int argc, char** argv);

}  // namespace dashpot
