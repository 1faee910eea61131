#pragma once

class UT_Matrix4D {
 public:
  explicit UT_Matrix4D(double diagonal) : is_identity(diagonal == 1) {}
  bool isIdentity() const { return is_identity; }
  bool is_identity;  // for tests
};
