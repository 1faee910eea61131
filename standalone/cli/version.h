#pragma once

namespace dashpot {

const char* version();  // "0.1.0", from CMakeLists.txt

}  // namespace dashpot
