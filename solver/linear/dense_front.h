#pragma once

#include <Eigen/Core>

namespace dashpot {

// Eliminates the leading columns of a dense symmetric matrix.
//
// panel: (width + below) x width, the lower triangle [A11; A21], zero above the diagonal. Becomes
//   [L11^-1; L21 L11^-1] where A11 = L11 L11^T and A21 = L21 L11^T.
// update: below x below, the lower triangle of A22. Becomes A22 - L21 L21^T.
// smallest_pivot: per column, the pivot (squared diagonal of L11) must be larger than this.
//
// Returns the first column whose pivot is too small, with panel and update left unfinished, or -1.
// Large fronts are worked on by several threads in fixed pieces, so the result never depends on
// their number.
int eliminate_front(Eigen::MatrixXd& panel, Eigen::MatrixXd& update,
                    const Eigen::VectorXd& smallest_pivot);

}  // namespace dashpot
