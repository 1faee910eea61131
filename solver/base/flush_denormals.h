#pragma once

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace dashpot {

// While alive, this thread treats denormal numbers as zero. They cost up to 4x in the factor's
// and the SVD's vanishing entries. The host's floating-point state comes back on destruction.
class FlushDenormals {
 public:
#if defined(__SSE__)
  FlushDenormals() : saved_(_mm_getcsr()) {
    constexpr unsigned kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040;
    if ((saved_ & (kFlushToZero | kDenormalsAreZero)) != (kFlushToZero | kDenormalsAreZero))
      _mm_setcsr(saved_ | kFlushToZero | kDenormalsAreZero);
  }
  ~FlushDenormals() {
    _mm_setcsr(saved_);
  }

 private:
  unsigned saved_;
#else
  FlushDenormals() {}
  ~FlushDenormals() {}
#endif

 public:
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;
};

}  // namespace dashpot
