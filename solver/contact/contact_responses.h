#pragma once

#include <vector>

#include "solver/base/lane_points.h"
#include "solver/base/parallel.h"
#include "solver/contact/delassus_matrix.h"
#include "solver/contact/rigid_response.h"

namespace dashpot {

// How sites answer to forces, for solve_contacts. Slots are numbers of sites in contact.

// Sites move by columns of A^-1.
struct DenseResponse {
  static constexpr std::ptrdiff_t kSlotGrain = 64;
  const DelassusMatrix& columns;
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
  void moves(const std::vector<Vec3>& forces, std::vector<Vec3>& moved) const {
    std::vector<double> lanes(4 * forces.size(), 0.0);
    for (std::size_t j = 0; j < forces.size(); ++j) Vec3::Map(&lanes[4 * j]) = forces[j];
    parallel_each(columns.count(), kSlotGrain, [&](std::ptrdiff_t i) {
      const double* row = columns.row(static_cast<int>(i));
      Lane sum{};
      for (std::size_t j = 0; j < forces.size(); ++j) sum += row[j] * load_lane(&lanes[4 * j]);
      moved[i] = Vec3(sum[0], sum[1], sum[2]);
    });
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
  void moves(const std::vector<Vec3>& forces, std::vector<Vec3>& moved) const {
    dense.moves(forces, moved);
    std::vector<RigidResponse::Sums> turns = rigid.no_sums();
    for (std::size_t j = 0; j < forces.size(); ++j) rigid.add(vertex[j], forces[j], turns);
    for (std::size_t j = 0; j < forces.size(); ++j) moved[j] += rigid.extra(vertex[j], turns);
  }
};

}  // namespace dashpot
