#include <cstdio>

#include "standalone/cli/command_line.h"
#include "standalone/cli/commands.h"

int main(int argc, char** argv) {
  const int exit_code = dashpot::run_command_line(argc, argv);
  // What a full disk did not take must not pass for done.
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  std::fputs("dashpot: the output cannot be written; check the free space where it goes.\n",
             stderr);
  return exit_code == dashpot::kExitDone ? dashpot::kExitBadInput : exit_code;
}
