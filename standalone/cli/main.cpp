#include "standalone/cli/command_line.h"

int main(int argc, char** argv) {
  return dashpot::run_command_line(argc, argv);
}
