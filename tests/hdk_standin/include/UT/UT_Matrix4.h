#pragma once

class UT_Matrix4D {
 public:
  bool isIdentity() const { return is_identity; }
  bool is_identity = true;  // for tests
};
