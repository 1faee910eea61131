#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "solver/base/hash.h"

namespace dashpot {

// Tells whether a file is still as it was written.
struct FileDigest {
  std::uint64_t bytes = 0, hash = 0;

  bool operator==(const FileDigest& other) const {
    return bytes == other.bytes && hash == other.hash;
  }
};

inline FileDigest digest_of(std::string_view bytes) {
  Hash hash;
  hash.add(bytes.data(), bytes.size());
  return {bytes.size(), hash.value()};
}

// Sixteen digits.
inline std::string hex_digits(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace dashpot
