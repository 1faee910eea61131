#include "standalone/cli/version.h"

namespace dashpot {

const char* version() {
  return DASHPOT_VERSION;
}

}  // namespace dashpot
