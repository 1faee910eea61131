#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "solver/contact/cone_newton.h"
#include "solver/contact/contact.h"
#include "solver/contact/contact_operator.h"
#include "solver/stage/quasi_newton_metric.h"
#include "solver/stage/solver_work.h"
#include "solver/stage/stage_group.h"

namespace dashpot {

// Of each point of the scene, the island it is in, -1 if in none.
using IslandOfPoint = std::vector<int>;

// The contacts of a group in terms of its arrays: D, and how touched vertices answer to forces.
class ContactSystem {
 public:
  // islands: number of each problem of the group. fixed: places of points that are in no island.
  ContactSystem(const StageGroup& group, const std::vector<int>& islands,
                const IslandOfPoint& island_of_point, const Points& fixed);

  // After others touch, or in other places.
  void set_contacts(const std::vector<Contact>& contacts);
  bool empty() const { return rows_.empty(); }
  int count() const { return static_cast<int>(rows_.size()); }

  // D x at the present positions.
  Points places() const;
  // D d for a displacement of free vertices.
  Points moves(const std::vector<double>& displacement) const;
  // Adds D^T f to forces on free vertices.
  void add_forces(const Points& force, std::vector<double>& forces) const;

  // Solves Coulomb's law in the metric: forces with which D x, which is y with those on entry,
  // obeys it. metric: nullptr for A alone.
  ConeResult solve(const QuasiNewtonMetric* metric, const std::vector<Contact>& contacts,
                   const ConeSettings& settings, Points& y, Points& force);

  const ConeWork& work() const { return work_; }  // so far

  // Moves what is beyond the planes of obstacles onto them, where surfaces may be near only by what
  // cannot bring them together.
  void push_out(const std::vector<Contact>& contacts, double pair_gap) const;
  // Copies the places of touched vertices to x.
  void store_touched(Points& x) const;

 private:
  struct End {
    int problem;  // -1: the point is in no island
    int vertex;   // place of its four doubles, or the point
    double weight;
    int slot;  // -1: it is not free
  };
  struct Row {
    std::vector<End> ends;
  };
  End end_of(int point, double weight) const;
  void set_slots();
  void set_response();

  const StageGroup& group_;
  std::vector<int> problem_of_island_;
  const IslandOfPoint& island_of_point_;
  const Points& fixed_;
  std::vector<Row> rows_;
  std::vector<QuasiNewtonMetric::Vertex> slots_;  // touched free vertices, by problem, then vertex
  std::vector<SlotRow> slot_rows_;
  std::vector<ContactOperator::Part> parts_;
  Eigen::SparseMatrix<double> touched_;
  std::vector<double> compliance_, slip_;
  ConeSolver cones_;
  ConeWork work_;
};

}  // namespace dashpot
