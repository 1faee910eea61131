#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/geometry/exercise.h"

// The first bytes of a format are given, so that every input is of that format.
inline int fuzz(const std::string& magic, const std::uint8_t* data, std::size_t size) {
  dashpot::exercise(magic + std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
