#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "solver/contact/active_contacts.h"
#include "solver/contact/sweep_row.h"

namespace dashpot {

struct SweepResult {
  int rounds = 0;
  double change = 0;  // the largest correction of a position in the last sweep, m
};

// Projected Gauss-Seidel over contact rows: each in turn gets the force that is right for it while
// the others stay (Overby et al. 2017 section 5, with friction). Returns the largest correction of
// a position, m. Response says how forces move sites:
//   Vec3 place(site)         where the site is with all forces
//   double compliance(site)  how far a force on it moves the site itself, m/N, from above
//   void push(site, force)   adds a force
template <class Response>
double projected_gauss_seidel(std::vector<SweepRow>& rows, Response& response) {
  double largest = 0;
  for (SweepRow& row : rows) {
    const double compliance = response.compliance(row.site);
    const Vec3 free = response.place(row.site) - compliance * row.force;
    const Vec3 force = contact_force(row.plane, free, compliance);
    const Vec3 more = force - row.force;
    const double change = compliance * more.cwiseAbs().maxCoeff();
    if (change == 0) continue;
    row.force = force;
    response.push(row.site, more);
    largest = std::max(largest, change);
  }
  return largest;
}

// Sweeps, and between them solves for the forces of the rows that press, until a sweep corrects no
// position by more than `rounding` (m), or than `share` of what the first sweep did.
template <class Response>
SweepResult solve_contacts(std::vector<SweepRow>& rows, Response& response, int site_count,
                           int most_rounds, double rounding, double share = 0) {
  constexpr int kSweepsPerRound = 4, kMostSweeps = 64;
  SweepResult result;
  double enough = rounding, before = std::numeric_limits<double>::infinity();
  int sweeps = kSweepsPerRound;
  std::vector<SweepRow> kept = rows;
  while (true) {
    for (int s = 0; s < sweeps; ++s) {
      result.change = projected_gauss_seidel(rows, response);
      if (result.rounds == 0 && s == 0) enough = std::max(rounding, share * result.change);
      if (result.change <= enough) return result;
    }
    ++result.rounds;
    if (result.change > before) {
      // The equations led away: back, and more sweeps before they are asked again.
      result.change = before;
      for (std::size_t k = 0; k < rows.size(); ++k) {
        response.push(rows[k].site, kept[k].force - rows[k].force);
        rows[k].force = kept[k].force;
      }
      sweeps = std::min(2 * sweeps, kMostSweeps);
      before = std::numeric_limits<double>::infinity();
      if (result.rounds >= most_rounds) return result;
      continue;
    }
    if (result.rounds >= most_rounds) return result;
    before = result.change;
    kept = rows;
    solve_pressing_rows(rows, response, site_count);
  }
}

}  // namespace dashpot
