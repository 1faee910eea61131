#include "standalone/cli/interrupt.h"

#include <csignal>

namespace dashpot {
namespace {

volatile std::sig_atomic_t raised = 0;

void raise_flag(int) {
  raised = 1;
}

void set_handler(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  // Back to the default after the first signal; system calls in progress go on.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  raised = 0;
  set_handler(raise_flag);
}

InterruptGuard::~InterruptGuard() {
  set_handler(SIG_DFL);
}

bool InterruptGuard::interrupted() {
  return raised != 0;
}

}  // namespace dashpot
