#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "solver/base/types.h"
#include "solver/contact/contact_memory.h"

namespace dashpot {

// Everything that the next step depends on, and nothing else: copying it, or saving and restoring
// it, continues the simulation bit for bit. Points of all bodies, one body after the other.
struct State {
  double time = 0.0;  // s of simulated time
  std::int64_t steps = 0;
  Points x, v;
  Points a;                       // M^{-1} f^n, total force, gravity included
  Points x_previous, v_previous;  // x^{n-1}, v^{n-1}; empty before the second step
  double previous_dt = 0.0;       // 0: neither a nor the past says anything about the next step
  // Generalised forces on the elements' local coordinates, as Islands lays them out; empty:
  // unknown.
  std::vector<double> dual;
  std::uint64_t dual_layout = 0;
  ContactMemory contact;
  // Running totals of the energy ledger, J
  double work = 0.0, dissipated = 0.0, initial_energy = 0.0;

  std::uint64_t hash() const;

  // Own binary layout with a version and a checksum. load throws InputError if the bytes are not a
  // whole state.
  void save(std::ostream& out) const;
  static State load(std::istream& in);
};

}  // namespace dashpot
