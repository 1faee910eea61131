#pragma once

#include <cstddef>

namespace dashpot {

// The page without data, deflated by zlib; made by page/build.mjs. Empty (size zero) if the program
// was built without node.
struct PageTemplate {
  const unsigned char* bytes;
  std::size_t size;
  std::size_t unpacked_size;
};
PageTemplate page_template();

// Where the data goes.
constexpr const char* kDataMark = "<!--dashpot-data-->";
constexpr const char* kTitleMark = "<!--dashpot-title-->";

}  // namespace dashpot
