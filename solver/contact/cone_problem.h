#pragma once

#include <vector>

#include "solver/base/types.h"
#include "solver/contact/contact_plane.h"
#include "solver/contact/coulomb_cone.h"

namespace dashpot {

// One round of ConeSolver: forces f near f^ and places y = D x of all rows, with s and f^ fixed.
// Its merit
//   1/2 z'Wz + f^.Wz + sum |P_K(p)|^2 / (2k),   z = f - f^,  k = 1 / (eps q),
// has the gradient W (f - P_K(p)).
class ConeProblem {
 public:
  ConeProblem(const std::vector<ContactPlane>& planes, const std::vector<double>& compliance)
      : planes_(planes), compliance_(compliance), at_(planes.size()) {}

  int row_count() const { return static_cast<int>(planes_.size()); }

  // A new round: f^ = force, s = mu |u_T|, eps = proximal.
  void recenter(const Points& y, const Points& force, double proximal, std::vector<double>& slip);

  // Projects all rows. Returns the residual: how far a row would have to move, m.
  double evaluate(const Points& y, const Points& force);
  // The same with P_K linear on given faces of the cones, one for each row, as it was there.
  double evaluate_on(const std::vector<ConeProjection>& faces, const Points& y,
                     const Points& force);

  // Of the last evaluate() or evaluate_on().
  const std::vector<ConeProjection>& faces() const { return at_; }
  const ConeProjection& at(std::ptrdiff_t c) const { return at_[c]; }
  const Points& inner() const { return inner_; }     // P_K(p) - f in the range of the derivative
  const Points& outer() const { return outer_; }     // and out of it
  double outer_size() const { return outer_size_; }  // m
  std::vector<char> pressing() const;                // by row
  bool is_pressing(std::ptrdiff_t c) const { return at_[c].status != ConeStatus::kOpen; }

  // eps q of a row: the inverse of the derivative of P_K(p) by y is this times unproject().
  double softness(std::ptrdiff_t c) const { return proximal_ * compliance_[c]; }
  double compliance(std::ptrdiff_t c) const { return compliance_[c]; }

  // First and second derivative of the merit at force + a step, y + a image, along the step;
  // image = W step.
  struct Slope {
    double slope = 0, curvature = 0;
    Slope& operator+=(const Slope& other);
  };
  Slope slope(double a, const Points& y, const Points& force, const Points& step,
              const Points& image) const;

 private:
  Vec3 pull(std::ptrdiff_t c, const Vec3& y) const;  // p
  ConeProjection project(std::ptrdiff_t c, const Vec3& y) const;
  template <class Project>
  double set_residual(const Points& force, const Project& project);

  const std::vector<ContactPlane>& planes_;
  const std::vector<double>& compliance_;
  double proximal_ = 1;
  const std::vector<double>* slip_ = nullptr;
  Points center_;  // f^
  std::vector<ConeProjection> at_;
  Points inner_, outer_;
  double outer_size_ = 0;
};

}  // namespace dashpot
