#include "solver/linear/dense_front.h"

#include <cmath>

#include "solver/base/parallel.h"

namespace dashpot {
namespace {

using Block = Eigen::Ref<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
using ConstBlock = Eigen::Ref<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
using Pivots = Eigen::Ref<const Eigen::VectorXd>;

// Up to this size plain loops beat the blocked products.
constexpr Eigen::Index kUnblocked = 24;
// Rows or columns that one task works on.
constexpr Eigen::Index kPiece = 128;

int cholesky_unblocked(Block a, const Pivots& smallest_pivot) {
  const Eigen::Index n = a.cols();
  for (Eigen::Index j = 0; j < n; ++j) {
    // Written so that a pivot that is not a number fails too.
    if (!(a(j, j) > smallest_pivot[j])) return static_cast<int>(j);
    const Eigen::Index below = n - j - 1;
    a(j, j) = std::sqrt(a(j, j));
    a.col(j).tail(below) /= a(j, j);
    for (Eigen::Index c = j + 1; c < n; ++c) a.col(c).tail(n - c) -= a(c, j) * a.col(j).tail(n - c);
  }
  return -1;
}

void invert_unblocked(Block l) {
  const Eigen::Index n = l.cols();
  for (Eigen::Index j = n - 1; j >= 0; --j) {
    // Below the diagonal, column j of the inverse is -(inverse of the trailing block) l_j / l_jj.
    const double inverse = 1.0 / l(j, j);
    for (Eigen::Index p = n - 1; p > j; --p) {
      const double t = -inverse * l(p, j);
      l.col(j).tail(n - p - 1) += t * l.col(p).tail(n - p - 1);
      l(p, j) = t * l(p, p);
    }
    l(j, j) = inverse;
  }
}

// a - l l^T, lower triangle only.
void subtract_outer_product(const ConstBlock& l, Block a) {
  parallel_chunks(a.cols(), kPiece, [&](ChunkRange piece, std::ptrdiff_t) {
    const Eigen::Index width = piece.end - piece.begin, below = a.rows() - piece.end;
    const auto l_piece = l.middleRows(piece.begin, width);
    a.block(piece.begin, piece.begin, width, width)
        .selfadjointView<Eigen::Lower>()
        .rankUpdate(l_piece, -1.0);
    if (below > 0)
      a.block(piece.end, piece.begin, below, width).noalias() -=
          l.bottomRows(below) * l_piece.transpose();
  });
}

// result = a inverse^T, where inverse is lower triangular: L21 from A21 and L11^-1.
void times_transposed_inverse(const ConstBlock& a, const ConstBlock& inverse, Block result) {
  parallel_chunks(a.rows(), kPiece, [&](ChunkRange piece, std::ptrdiff_t) {
    const Eigen::Index rows = piece.end - piece.begin;
    result.middleRows(piece.begin, rows).noalias() =
        a.middleRows(piece.begin, rows) * inverse.transpose().triangularView<Eigen::Upper>();
  });
}

void times_inverse(const ConstBlock& l, const ConstBlock& inverse, Block result) {
  parallel_chunks(l.rows(), kPiece, [&](ChunkRange piece, std::ptrdiff_t) {
    const Eigen::Index rows = piece.end - piece.begin;
    result.middleRows(piece.begin, rows).noalias() =
        l.middleRows(piece.begin, rows) * inverse.triangularView<Eigen::Lower>();
  });
}

// Replaces the symmetric positive definite a (lower triangle) by the inverse of its Cholesky
// factor. Halving turns nearly all of the work into matrix products.
int invert_cholesky(Block a, const Pivots& smallest_pivot) {
  const Eigen::Index n = a.cols();
  if (n <= kUnblocked) {
    const int bad = cholesky_unblocked(a, smallest_pivot);
    if (bad == -1) invert_unblocked(a);
    return bad;
  }
  const Eigen::Index head = n / 2, tail = n - head;
  auto a11 = a.topLeftCorner(head, head);
  auto a21 = a.bottomLeftCorner(tail, head);
  auto a22 = a.bottomRightCorner(tail, tail);
  int bad = invert_cholesky(a11, smallest_pivot.head(head));
  if (bad != -1) return bad;
  Eigen::MatrixXd l21(tail, head);
  times_transposed_inverse(a21, a11, l21);
  subtract_outer_product(l21, a22);
  bad = invert_cholesky(a22, smallest_pivot.tail(tail));
  if (bad != -1) return static_cast<int>(head) + bad;
  // [L11 0; L21 L22]^-1 has -L22^-1 L21 L11^-1 in its lower left.
  Eigen::MatrixXd product(tail, head);
  times_inverse(l21, a11, product);
  a21.noalias() = a22.triangularView<Eigen::Lower>() * (-product);
  return -1;
}

}  // namespace

int eliminate_front(Eigen::MatrixXd& panel, Eigen::MatrixXd& update,
                    const Eigen::VectorXd& smallest_pivot) {
  const Eigen::Index below = update.rows();
  auto diagonal = panel.topRows(panel.cols());
  const int bad = invert_cholesky(diagonal, smallest_pivot);
  if (bad != -1 || below == 0) return bad;
  Eigen::MatrixXd l21(below, panel.cols());
  times_transposed_inverse(panel.bottomRows(below), diagonal, l21);
  subtract_outer_product(l21, update);
  times_inverse(l21, diagonal, panel.bottomRows(below));
  return -1;
}

}  // namespace dashpot
