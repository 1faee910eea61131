#pragma once

#include "SYS/SYS_Types.h"

template <class T>
class UT_Vector3T {
 public:
  typedef T value_type;
  UT_Vector3T() : v_{0, 0, 0} {}
  UT_Vector3T(T x, T y, T z) : v_{x, y, z} {}
  T x() const { return v_[0]; }
  T y() const { return v_[1]; }
  T z() const { return v_[2]; }
  T operator()(int i) const { return v_[i]; }

 private:
  T v_[3];
};
typedef UT_Vector3T<fpreal32> UT_Vector3F;
typedef UT_Vector3T<fpreal64> UT_Vector3D;
typedef UT_Vector3F UT_Vector3;
