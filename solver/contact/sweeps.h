#pragma once

#include <algorithm>
#include <vector>

#include "solver/contact/friction_prox.h"

namespace dashpot {

// A row of a contact problem.
struct SweepRow {
  int site = 0;
  ContactPlane plane;
  Vec3 force = Vec3::Zero();  // N
};

struct SweepResult {
  int sweeps = 0;
  double first_change = 0;
  double change = 0;  // the largest correction of a position in the last sweep, m
};

// Projected Gauss-Seidel over contact rows: each in turn gets the force that is right for it while
// the others stay (S3 section 5, with friction). Response says how forces move sites:
//   Vec3 place(site)         where the site is with all forces
//   double compliance(site)  how far a force on it moves the site itself, m/N, from above
//   void push(site, force)   adds a force
// It ends when a sweep corrects no position by more than `rounding` (m), or than `share` of what
// the first sweep did.
template <class Response>
SweepResult sweep_contacts(std::vector<SweepRow>& rows, Response& response, int most_sweeps,
                           double rounding, double share = 0) {
  SweepResult result;
  while (result.sweeps < most_sweeps) {
    ++result.sweeps;
    result.change = 0;
    for (SweepRow& row : rows) {
      const double compliance = response.compliance(row.site);
      const Vec3 free = response.place(row.site) - compliance * row.force;
      const Vec3 force = contact_force(row.plane, free, compliance);
      const Vec3 more = force - row.force;
      const double change = compliance * more.cwiseAbs().maxCoeff();
      if (change == 0) continue;
      row.force = force;
      response.push(row.site, more);
      result.change = std::max(result.change, change);
    }
    if (result.sweeps == 1) result.first_change = result.change;
    if (result.change <= std::max(rounding, share * result.first_change)) break;
  }
  return result;
}

}  // namespace dashpot
