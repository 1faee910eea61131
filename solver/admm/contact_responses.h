#pragma once

#include <vector>

#include "solver/admm/compliance_columns.h"
#include "solver/admm/rigid_response.h"
#include "solver/base/lane_points.h"

namespace dashpot {

// How sites answer to forces, for sweep_contacts. Slots are numbers of sites in contact.

// Sites move by columns of A^-1.
struct DenseResponse {
  const ComplianceColumns& columns;
  std::vector<double> places;  // four doubles per selected site

  double compliance(int slot) const { return columns.row(slot)[slot]; }
  Vec3 place(int slot) const { return Vec3::Map(&places[4 * static_cast<std::size_t>(slot)]); }
  void push(int slot, const Vec3& force) {
    const Lane more{force.x(), force.y(), force.z(), 0};
    const double* row = columns.row(slot);
    for (int j = 0; j < columns.count(); ++j) {
      double* at = &places[4 * static_cast<std::size_t>(j)];
      store_lane(at, load_lane(at) + row[j] * more);
    }
  }
};

// The same with rotation as free as it is.
struct TurningResponse {
  DenseResponse dense;
  const RigidResponse& rigid;
  std::vector<int> vertex;  // of each slot
  std::vector<RigidResponse::Sums> sums;
  std::vector<double> own;  // compliance of each slot

  double compliance(int slot) const { return own[slot]; }
  Vec3 place(int slot) const { return dense.place(slot) + rigid.extra(vertex[slot], sums); }
  void push(int slot, const Vec3& force) {
    dense.push(slot, force);
    rigid.add(vertex[slot], force, sums);
  }
};

}  // namespace dashpot
