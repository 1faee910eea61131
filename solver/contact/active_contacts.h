#pragma once

#include <algorithm>
#include <vector>

#include "solver/contact/sweep_row.h"

namespace dashpot {

// The rows that press, as linear equations: where friction holds, the site is at rest; where it
// slides, it is on the plane, and friction is in proportion to the pressure and turns with the
// slip. Sweeps find out fast which rows are which, but need hundreds of rounds for the forces of a
// stiff body; these equations have them at once. Besides what projected_gauss_seidel needs of a
// Response:
//   void moves(forces, moved)  how forces, one Vec3 for each site, move the sites
template <class Response>
class ActiveContacts {
 public:
  using Field = std::vector<Vec3>;  // one for each row

  ActiveContacts(const std::vector<SweepRow>& rows, const Response& response, int site_count)
      : rows_(rows), response_(response), forces_(site_count), moved_(site_count) {
    constexpr double kHeld = 1 - 1e-9;  // of what friction can bear
    for (const SweepRow& row : rows) {
      const Vec3& n = row.plane.normal;
      const double pressure = n.dot(row.force);
      const Vec3 along = row.force - pressure * n;
      const double most = row.plane.friction * pressure;
      Equation e;
      if (pressure > 0) {
        e.kind = along.norm() < kHeld * most ? Kind::kSticks : Kind::kSlides;
        e.direction = row.force / pressure;
        e.side = n.cross(along).normalized();
        const double slip = along.normalized().dot(row.plane.rest - response.place(row.site));
        if (most > 0) e.give = std::max(0.0, slip) / most;
      }
      equations_.push_back(e);
    }
  }

  // How far sites are from where the equations want them.
  Field residual() const {
    Field result(rows_.size());
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const ContactPlane& plane = rows_[k].plane;
      const Vec3 goal = plane.rest + (plane.offset - plane.normal.dot(plane.rest)) * plane.normal;
      result[k] = part(k, goal - response_.place(rows_[k].site));
    }
    return result;
  }

  // What unknowns (forces of rows, as far as the site alone would be moved by them) change of the
  // residual.
  void apply(const Field& unknown, Field& image) {
    // Keeps forces finite that two planes at one site leave open.
    constexpr double kSoftening = 1e-6;
    for (Vec3& force : forces_) force.setZero();
    for (std::size_t k = 0; k < rows_.size(); ++k) forces_[rows_[k].site] += force(k, unknown[k]);
    response_.moves(forces_, moved_);
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const Equation& e = equations_[k];
      image[k] = part(k, moved_[rows_[k].site]) + kSoftening * unknown[k];
      if (e.kind == Kind::kSlides)
        image[k] += e.give / compliance(k) * e.side.dot(unknown[k]) * e.side;
    }
  }

  Vec3 force(std::size_t k, const Vec3& unknown) const {
    const Equation& e = equations_[k];
    if (e.kind == Kind::kSticks) return unknown / compliance(k);
    return (rows_[k].plane.normal.dot(unknown) * e.direction + e.side.dot(unknown) * e.side) /
           compliance(k);
  }

 private:
  enum class Kind : char { kOpen, kSlides, kSticks };
  struct Equation {
    Kind kind = Kind::kOpen;
    Vec3 direction = Vec3::Zero();  // of the whole force, for a pressure of 1
    Vec3 side = Vec3::Zero();       // along the plane, across the slip
    double give = 0;                // how far a force to the side turns the slip to it, m/N
  };

  double compliance(std::size_t k) const { return response_.compliance(rows_[k].site); }

  // Of a displacement, what the equation of a row is about.
  Vec3 part(std::size_t k, const Vec3& v) const {
    const Equation& e = equations_[k];
    if (e.kind == Kind::kSticks) return v;
    if (e.kind == Kind::kOpen) return Vec3::Zero();
    return rows_[k].plane.normal.dot(v) * rows_[k].plane.normal + e.side.dot(v) * e.side;
  }

  const std::vector<SweepRow>& rows_;
  const Response& response_;
  std::vector<Equation> equations_;
  Field forces_, moved_;  // of sites
};

// Solves those equations by stabilised bi-conjugate gradients, and adds what they change.
template <class Response>
void solve_pressing_rows(std::vector<SweepRow>& rows, Response& response, int site_count) {
  constexpr int kMost = 30;
  constexpr double kEnough = 1e-4;
  using Field = typename ActiveContacts<Response>::Field;
  ActiveContacts<Response> pressing(rows, response, site_count);
  const auto dot = [](const Field& a, const Field& b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += a[k].dot(b[k]);
    return sum;
  };
  const auto add = [](double factor, const Field& more, Field& to) {
    for (std::size_t k = 0; k < to.size(); ++k) to[k] += factor * more[k];
  };
  const std::size_t count = rows.size();
  Field residual = pressing.residual();
  const Field shadow = residual;
  Field change(count, Vec3::Zero()), search = residual, image(count), second(count);
  double rho = dot(shadow, residual);
  const double enough = kEnough * kEnough * rho;
  for (int i = 0; i < kMost && rho != 0; ++i) {
    pressing.apply(search, image);
    const double alpha = rho / dot(shadow, image);
    add(-alpha, image, residual);
    pressing.apply(residual, second);
    const double curvature = dot(second, second);
    const double omega = curvature > 0 ? dot(second, residual) / curvature : 0;
    add(alpha, search, change);
    add(omega, residual, change);
    add(-omega, second, residual);
    const double next = dot(shadow, residual);
    if (!(dot(residual, residual) > enough) || omega == 0) break;
    const double beta = next / rho * alpha / omega;
    for (std::size_t k = 0; k < count; ++k)
      search[k] = residual[k] + beta * (search[k] - omega * image[k]);
    rho = next;
  }
  Field more(count);
  for (std::size_t k = 0; k < count; ++k) {
    more[k] = pressing.force(k, change[k]);
    if (!more[k].allFinite()) return;
  }
  for (std::size_t k = 0; k < count; ++k) {
    rows[k].force += more[k];
    response.push(rows[k].site, more[k]);
  }
}

}  // namespace dashpot
