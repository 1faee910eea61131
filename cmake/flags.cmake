# Every target of ours links this privately: warnings, vector instructions, sanitizers are no concern of those who
# link to ours.
add_library(dashpot_flags INTERFACE)

# -Wno-psabi: 32-byte vectors never cross a library boundary by value.
# -fpch-preprocess: lets ccache work with precompiled headers.
# -ffp-contract=fast: with -std=c++17 GCC would not fuse multiply and add.
target_compile_options(dashpot_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wno-psabi -ffp-contract=fast)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(dashpot_flags INTERFACE -fpch-preprocess)
endif()

set(simd ${DASHPOT_SIMD})
if(simd STREQUAL "auto")
  set(simd baseline)
  if(EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo cpu_flags REGEX "^flags" LIMIT_COUNT 1)
    if(cpu_flags MATCHES " avx2( |$)" AND cpu_flags MATCHES " fma( |$)")
      set(simd avx2)
    endif()
  endif()
endif()
if(simd STREQUAL "avx2")
  target_compile_options(dashpot_flags INTERFACE -mavx2 -mfma)
endif()
message(STATUS "Dashpot vector instructions: ${simd}")

if(DASHPOT_SANITIZE)
  target_compile_options(dashpot_flags INTERFACE
    -fsanitize=${DASHPOT_SANITIZE} -fno-omit-frame-pointer -g)
  target_link_options(dashpot_flags INTERFACE -fsanitize=${DASHPOT_SANITIZE})
endif()

# A matter of the ABI, and so the same for us and for those who link to libdashpot: see solver/base/types.h. It is
# Eigen's own choice with AVX.
set(DASHPOT_EIGEN_ALIGNMENT EIGEN_MAX_ALIGN_BYTES=32 EIGEN_MAX_STATIC_ALIGN_BYTES=32)
