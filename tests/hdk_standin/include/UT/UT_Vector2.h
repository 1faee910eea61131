#pragma once

#include "SYS/SYS_Types.h"

template <class T>
class UT_Vector2T {
 public:
  UT_Vector2T() : v_{0, 0} {}
  UT_Vector2T(T x, T y) : v_{x, y} {}
  T x() const { return v_[0]; }
  T y() const { return v_[1]; }

 private:
  T v_[2];
};
typedef UT_Vector2T<fpreal64> UT_Vector2D;
