#pragma once

#include <cstdint>

typedef std::int64_t int64;
typedef std::int64_t exint;
typedef float fpreal32;
typedef double fpreal64;
typedef double fpreal;

#define SYS_VISIBILITY_EXPORT __attribute__((visibility("default")))
