#pragma once

#include <vector>

#include "standalone/cli/commands.h"

namespace dashpot {

// A way to print what a command lists.
struct PrintFormat {
  const char *flag, *help;
  void (*print)();
};

// The command prints plain text, or one of the formats if its flag is given.
void add_print_formats(CLI::App& command, void (*plain)(), const std::vector<PrintFormat>& formats,
                       Action& action);

}  // namespace dashpot
