#include "solver/contact/contact_operator.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "solver/base/parallel.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kRowsPerPiece = 512;

int slot_count(const std::vector<ContactOperator::Part>& parts) {
  int count = 0;
  for (const auto& part : parts) count = std::max(count, part.first + part.count);
  return count;
}

}  // namespace

bool SlotRow::operator==(const SlotRow& other) const {
  return count == other.count &&
         std::equal(slot.begin(), slot.begin() + count, other.slot.begin()) &&
         std::equal(weight.begin(), weight.begin() + count, other.weight.begin());
}

void DiagonalBlock::multiply(const Points& f, int first, int count, Points& u) const {
  for (int i = 0; i < count; ++i) u.col(first + i) = compliance_[i] * f.col(first + i);
}

ContactOperator::ContactOperator(std::vector<SlotRow> rows, std::vector<Part> parts,
                                 Eigen::MatrixXd U, Eigen::MatrixXd K)
    : rows_(std::move(rows)),
      parts_(std::move(parts)),
      u_basis_(std::move(U)),
      middle_(std::move(K)) {
  const int slots = slot_count(parts_);
  f_.setZero(3, slots);
  u_.setZero(3, slots);
  touch_begin_.assign(static_cast<std::size_t>(slots) + 1, 0);
  for (const SlotRow& row : rows_)
    for (int k = 0; k < row.count; ++k) ++touch_begin_[row.slot[k] + 1];
  for (int s = 0; s < slots; ++s) touch_begin_[s + 1] += touch_begin_[s];
  touches_.resize(static_cast<std::size_t>(touch_begin_[slots]));
  std::vector<int> next(touch_begin_.begin(), touch_begin_.end() - 1);
  for (int c = 0; c < row_count(); ++c)
    for (int k = 0; k < rows_[c].count; ++k)
      touches_[next[rows_[c].slot[k]]++] = {c, rows_[c].weight[k]};
}

void ContactOperator::gather_forces(const Points& z) const {
  parallel_each(f_.cols(), kRowsPerPiece, [&](std::ptrdiff_t s) {
    Vec3 sum = Vec3::Zero();
    for (int t = touch_begin_[s]; t < touch_begin_[s + 1]; ++t)
      sum += touches_[t].weight * z.col(touches_[t].row);
    f_.col(s) = sum;
  });
}

void ContactOperator::add_low_rank() const {
  if (u_basis_.cols() == 0) return;
  const Eigen::Map<const Eigen::VectorXd> f(f_.data(), f_.size());
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(u_basis_.cols());
  const Eigen::VectorXd sums = parallel_sum(f.size(), 3 * kRowsPerPiece, zero, [&](ChunkRange r) {
    const std::ptrdiff_t n = r.end - r.begin;
    return Eigen::VectorXd(u_basis_.middleRows(r.begin, n).transpose() * f.segment(r.begin, n));
  });
  const Eigen::VectorXd factor = middle_ * sums;
  Eigen::Map<Eigen::VectorXd> u(u_.data(), u_.size());
  parallel_chunks(u.size(), 3 * kRowsPerPiece, [&](ChunkRange r, std::ptrdiff_t) {
    const std::ptrdiff_t n = r.end - r.begin;
    u.segment(r.begin, n).noalias() += u_basis_.middleRows(r.begin, n) * factor;
  });
}

void ContactOperator::spread(Points& w) const {
  w.resize(3, row_count());
  parallel_each(row_count(), kRowsPerPiece, [&](std::ptrdiff_t c) {
    const SlotRow& row = rows_[c];
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < row.count; ++k) sum += row.weight[k] * u_.col(row.slot[k]);
    w.col(c) = sum;
  });
}

void ContactOperator::multiply(const Points& z, Points& w) const {
  gather_forces(z);
  for (const Part& part : parts_) part.inverse->multiply(f_, part.first, part.count, u_);
  add_low_rank();
  spread(w);
}

Eigen::MatrixXd ContactOperator::dense() const {
  const int m = row_count();
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(3 * m, 3 * m);
  Points z = Points::Zero(3, m), w;
  // The blocks do not mix components, so that one product serves three contacts.
  for (int first = 0; first < m; first += 3) {
    const int columns = std::min(3, m - first);
    z.setZero();
    for (int k = 0; k < columns; ++k) z(k, first + k) = 1;
    gather_forces(z);
    for (const Part& part : parts_) part.inverse->multiply(f_, part.first, part.count, u_);
    spread(w);
    for (int k = 0; k < columns; ++k)
      for (int c = 0; c < m; ++c)
        for (int axis = 0; axis < 3; ++axis) matrix(3 * c + axis, 3 * (first + k) + axis) = w(k, c);
  }
  const Eigen::MatrixXd basis = contact_basis();
  if (basis.cols() > 0) matrix += basis * middle_ * basis.transpose();
  return matrix;
}

Eigen::MatrixXd ContactOperator::contact_basis() const {
  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(3 * row_count(), u_basis_.cols());
  if (u_basis_.cols() == 0) return basis;
  for (int c = 0; c < row_count(); ++c)
    for (int k = 0; k < rows_[c].count; ++k)
      basis.middleRows<3>(3 * c) +=
          rows_[c].weight[k] * u_basis_.middleRows<3>(3 * rows_[c].slot[k]);
  return basis;
}

// With the basis B = Q S (Q orthonormal), B K B^T = Q (S K S^T) Q^T.
Eigen::MatrixXd ContactOperator::low_rank_part() const {
  constexpr double kNothing = 1e-12;  // of the largest
  using Eigensystem = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;
  const Eigen::MatrixXd basis = contact_basis();
  if (basis.cols() == 0 || basis.rows() == 0) return Eigen::MatrixXd::Zero(basis.rows(), 0);
  // Columns of very different size would hide each other in the products.
  const Eigen::VectorXd size = basis.colwise().norm().cwiseMax(1e-300);
  const Eigen::MatrixXd scaled = basis * size.cwiseInverse().asDiagonal();
  const Eigensystem products(scaled.transpose() * scaled);
  const auto positive = [](const Eigensystem& system) {
    const Eigen::VectorXd& values = system.eigenvalues();
    const double least = kNothing * std::max(0.0, values[values.size() - 1]);
    return std::count_if(values.begin(), values.end(), [&](double v) { return v > least; });
  };
  const auto rank = positive(products);
  if (rank == 0) return Eigen::MatrixXd::Zero(basis.rows(), 0);
  const Eigen::MatrixXd directions = products.eigenvectors().rightCols(rank);
  const Eigen::VectorXd lengths = products.eigenvalues().tail(rank).cwiseSqrt();
  const Eigen::MatrixXd s = lengths.asDiagonal() * directions.transpose() * size.asDiagonal();
  const Eigensystem modes(s * middle_ * s.transpose());
  const auto kept = positive(modes);
  const Eigen::VectorXd scale = modes.eigenvalues().tail(kept).cwiseSqrt();
  return scaled * (directions * lengths.cwiseInverse().asDiagonal() *
                   modes.eigenvectors().rightCols(kept) * scale.asDiagonal());
}

}  // namespace dashpot
