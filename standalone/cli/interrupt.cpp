#include "standalone/cli/interrupt.h"

namespace dashpot {
namespace {

volatile std::sig_atomic_t raised = 0;

void raise_flag(int) {
  raised = 1;
}

}  // namespace

InterruptGuard::InterruptGuard() {
  raised = 0;
  struct sigaction action = {};
  action.sa_handler = raise_flag;
  // Back to the default after the first signal; system calls in progress go on.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    ::sigaction(kSignals[i], &action, &before_[i]);
    if (kSignals[i] == SIGHUP && before_[i].sa_handler == SIG_IGN)
      ::sigaction(kSignals[i], &before_[i], nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  for (std::size_t i = 0; i < std::size(kSignals); ++i)
    ::sigaction(kSignals[i], &before_[i], nullptr);
}

bool InterruptGuard::interrupted() {
  return raised != 0;
}

}  // namespace dashpot
