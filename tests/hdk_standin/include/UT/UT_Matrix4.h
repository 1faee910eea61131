#pragma once

// As much of a transform as anybody asks: a shift along x.
class UT_Matrix4D {
 public:
  explicit UT_Matrix4D(double diagonal) : diagonal_(diagonal) {}
  bool isIdentity() const { return diagonal_ == 1 && shift == 0; }
  UT_Matrix4D operator*(const UT_Matrix4D& other) const {
    UT_Matrix4D product(diagonal_ * other.diagonal_);
    product.shift = shift + other.shift;
    return product;
  }
  double shift = 0;  // for tests

 private:
  double diagonal_;
};
