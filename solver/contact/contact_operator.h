#pragma once

#include <array>
#include <memory>
#include <vector>

#include "solver/base/types.h"

namespace dashpot {

// A stencil over touched vertices ("slots"). Pinned vertices are left out, so that there may be
// none.
struct SlotRow {
  std::array<int, 4> slot{};
  std::array<double, 4> weight{};
  int count = 0;

  bool operator==(const SlotRow& other) const;
};

// How slots of one island answer to forces on them: (A^-1)_ss, the same for x, y and z.
class InverseBlock {
 public:
  virtual ~InverseBlock() = default;
  // Columns first ... first + count - 1 of u become the answer to those of f. May work in scratch
  // of its own: not to be called by two threads at once.
  virtual void multiply(const Points& f, int first, int count, Points& u) const = 0;
};

class DiagonalBlock final : public InverseBlock {
 public:
  explicit DiagonalBlock(std::vector<double> compliance) : compliance_(std::move(compliance)) {}
  void multiply(const Points& f, int first, int count, Points& u) const override;

 private:
  std::vector<double> compliance_;
};

// How contacts answer to forces of contacts: W = D ((A^-1)_ss + U K U^T) D^T, where D are the
// stencils and U K U^T is what the metric has besides the global matrix (rotation, L-BFGS).
class ContactOperator {
 public:
  struct Part {
    int first, count;  // slots
    std::shared_ptr<const InverseBlock> inverse;
  };

  // U: row 3 slot + component, any number of columns; K symmetric.
  ContactOperator(std::vector<SlotRow> rows, std::vector<Part> parts, Eigen::MatrixXd U,
                  Eigen::MatrixXd K);

  const std::vector<SlotRow>& rows() const { return rows_; }
  int row_count() const { return static_cast<int>(rows_.size()); }

  void multiply(const Points& z, Points& w) const;  // w = W z
  Eigen::MatrixXd dense() const;                    // row 3 contact + component

  // V with V V^T the positive part of D U K U^T D^T, row 3 contact + component.
  Eigen::MatrixXd low_rank_part() const;

 private:
  struct Touch {
    int row;
    double weight;
  };

  Eigen::MatrixXd contact_basis() const;      // D U
  void gather_forces(const Points& z) const;  // f = D^T z
  void add_low_rank() const;
  void spread(Points& w) const;  // w = D u

  std::vector<SlotRow> rows_;
  std::vector<Part> parts_;
  Eigen::MatrixXd u_basis_, middle_;
  std::vector<int> touch_begin_;  // of each slot in touches_
  std::vector<Touch> touches_;
  mutable Points f_, u_;  // of slots
};

}  // namespace dashpot
