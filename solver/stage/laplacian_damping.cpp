#include "solver/stage/laplacian_damping.h"

#include <Eigen/Dense>
#include <algorithm>

#include "solver/base/lane_points.h"
#include "solver/base/parallel.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kRowGrain = 512;
constexpr std::ptrdiff_t kPieceGrain = 1024;

Vec3 vector_at(const double* values, int at) {
  return Vec3::Map(values + at);
}

}  // namespace

LaplacianDamping::LaplacianDamping(const Elements& elements, const Island& island,
                                   const std::vector<double>& coefficients, bool conserve_angular,
                                   const std::vector<double>& mass,
                                   const std::vector<MeshPiece>& pieces)
    : projected_(conserve_angular && !coefficients.empty()) {
  if (coefficients.empty()) return;
  mass_ = mass;
  assemble(elements, island, coefficients);
  if (!projected_) return;
  for (const MeshPiece& mesh : pieces) {
    Piece& piece = pieces_.emplace_back();
    piece.vertices = mesh.free;
    piece.vertices.insert(piece.vertices.end(), mesh.pinned.begin(), mesh.pinned.end());
    piece.free_vertices = mesh.free;
  }
  arm_.assign(4 * mass_.size(), 0.0);
  relative_ = force_ = arm_;
  for (int c = 0; c < 6; ++c) columns_[c] = solved_[c] = arm_;
}

void LaplacianDamping::assemble(const Elements& elements, const Island& island,
                                const std::vector<double>& coefficients) {
  const int n = vertex_count();
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t s = 0; s < elements.sets().size(); ++s) {
    const ElementSet& set = *elements.sets()[s];
    for (const int e : island.elements[s]) {
      const ElementSet::Gradients gradients = set.gradients(e);
      const int* points = set.points(e);
      const Eigen::MatrixXd block =
          coefficients[set.first() + e] * gradients * gradients.transpose();
      for (int a = 0; a < set.points_per_element(); ++a)
        for (int b = 0; b < set.points_per_element(); ++b)
          entries.emplace_back(island.position(points[a]), island.position(points[b]), block(a, b));
    }
  }
  Eigen::SparseMatrix<double, Eigen::RowMajor> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  start_.assign(matrix.outerIndexPtr(), matrix.outerIndexPtr() + n + 1);
  column_.assign(matrix.innerIndexPtr(), matrix.innerIndexPtr() + matrix.nonZeros());
  value_.assign(matrix.valuePtr(), matrix.valuePtr() + matrix.nonZeros());
  for (int& column : column_) column *= 4;
}

void LaplacianDamping::apply(const double* u, double* result) const {
  parallel_each(vertex_count(), kRowGrain, [&](std::ptrdiff_t k) {
    Lane sum{};
    for (int e = start_[k]; e < start_[k + 1]; ++e) sum += value_[e] * load_lane(u + column_[e]);
    store_lane(result + 4 * k, sum);
  });
}

void LaplacianDamping::set_inertia(const double* x, Piece& piece) const {
  double mass = 0;
  piece.center.setZero();
  for (const int v : piece.vertices) {
    mass += mass_[v / 4];
    piece.center += mass_[v / 4] * vector_at(x, v);
  }
  piece.center /= mass;
  Mat3 inertia = Mat3::Zero();
  for (const int v : piece.vertices) {
    const Vec3 r = vector_at(x, v) - piece.center;
    inertia += mass_[v / 4] * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
  }
  // A piece that is a line or a point has no inertia about some axes, and no rotation about them.
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(inertia);
  const double smallest = 1e-12 * eigen.eigenvalues().maxCoeff();
  const Vec3 inverse = eigen.eigenvalues().unaryExpr(
      [smallest](double value) { return value > smallest ? 1 / value : 0.0; });
  piece.inverse_inertia =
      eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
}

void LaplacianDamping::set_frame(const double* x) {
  for (Piece& piece : pieces_) {
    set_inertia(x, piece);
    for (const int v : piece.vertices) Vec3::Map(&arm_[v]) = vector_at(x, v) - piece.center;
  }
}

// With R the rotations about the three axes and N the inertia, P = R N^-1 R^T M and
// D' = D + V K V^T, V = [D R, M R N^-1], K = [0 -I; -I R^T D R]; then Woodbury's formula.
void LaplacianDamping::prepare_correction(double h, const GlobalMatrix& system) {
  for (auto& column : columns_) std::fill(column.begin(), column.end(), 0.0);
  for (int axis = 0; axis < 3; ++axis) {
    std::fill(relative_.begin(), relative_.end(), 0.0);
    for (const Piece& piece : pieces_) {
      const Vec3 turn = piece.inverse_inertia.col(axis);
      for (const int v : piece.vertices) {
        const Vec3 arm = vector_at(arm_.data(), v);
        Vec3::Map(&relative_[v]) = Vec3::Unit(axis).cross(arm);
        Vec3::Map(&columns_[3 + axis][v]) = mass_[v / 4] * turn.cross(arm);
      }
    }
    apply(relative_.data(), columns_[axis].data());
  }
  for (int c = 0; c < 6; ++c) {
    solved_[c] = columns_[c];
    system.solve(solved_[c].data());
  }
  for (Piece& piece : pieces_) {
    Mat3 stiffness;
    for (int axis = 0; axis < 3; ++axis) stiffness.col(axis) = torque(piece, columns_[axis].data());
    Matrix6 update;
    update << -stiffness, -Mat3::Identity(), -Mat3::Identity(), Mat3::Zero();
    update *= h;
    for (int c = 0; c < 6; ++c) update.col(c) += dot_columns(piece, solved_[c].data());
    piece.inverse_update = update.inverse();
  }
}

Vec3 LaplacianDamping::torque(const Piece& piece, const double* forces) const {
  return parallel_sum(static_cast<std::ptrdiff_t>(piece.vertices.size()), kPieceGrain,
                      Vec3(Vec3::Zero()), [&](ChunkRange range) {
                        Vec3 sum = Vec3::Zero();
                        for (auto i = range.begin; i < range.end; ++i) {
                          const int v = piece.vertices[i];
                          sum += vector_at(arm_.data(), v).cross(vector_at(forces, v));
                        }
                        return sum;
                      });
}

Vec3 LaplacianDamping::spin(const Piece& piece, const double* u) const {
  const Vec3 momentum =
      parallel_sum(static_cast<std::ptrdiff_t>(piece.vertices.size()), kPieceGrain,
                   Vec3(Vec3::Zero()), [&](ChunkRange range) {
                     Vec3 sum = Vec3::Zero();
                     for (auto i = range.begin; i < range.end; ++i) {
                       const int v = piece.vertices[i];
                       sum += mass_[v / 4] * vector_at(arm_.data(), v).cross(vector_at(u, v));
                     }
                     return sum;
                   });
  return piece.inverse_inertia * momentum;
}

LaplacianDamping::Vector6 LaplacianDamping::dot_columns(const Piece& piece, const double* y) const {
  return parallel_sum(static_cast<std::ptrdiff_t>(piece.free_vertices.size()), kPieceGrain,
                      Vector6(Vector6::Zero()), [&](ChunkRange range) {
                        Vector6 sum = Vector6::Zero();
                        for (auto i = range.begin; i < range.end; ++i) {
                          const int v = piece.free_vertices[i];
                          for (int c = 0; c < 6; ++c)
                            sum[c] += vector_at(columns_[c].data(), v).dot(vector_at(y, v));
                        }
                        return sum;
                      });
}

void LaplacianDamping::remove_rotation(double* u) const {
  for (const Piece& piece : pieces_) {
    const Vec3 omega = spin(piece, u);
    parallel_each(static_cast<std::ptrdiff_t>(piece.vertices.size()), kPieceGrain,
                  [&](std::ptrdiff_t i) {
                    const int v = piece.vertices[i];
                    Vec3::Map(u + v) -= omega.cross(vector_at(arm_.data(), v));
                  });
  }
}

void LaplacianDamping::subtract_forces(const double* u, double* forces) {
  if (!projected_) {
    parallel_each(vertex_count(), kRowGrain, [&](std::ptrdiff_t k) {
      Lane sum = load_lane(forces + 4 * k);
      for (int e = start_[k]; e < start_[k + 1]; ++e) sum -= value_[e] * load_lane(u + column_[e]);
      store_lane(forces + 4 * k, sum);
    });
    return;
  }
  relative_.assign(u, u + relative_.size());
  remove_rotation(relative_.data());
  apply(relative_.data(), force_.data());
  for (const Piece& piece : pieces_) {
    const Vec3 turn = piece.inverse_inertia * torque(piece, force_.data());
    parallel_each(
        static_cast<std::ptrdiff_t>(piece.vertices.size()), kPieceGrain, [&](std::ptrdiff_t i) {
          const int v = piece.vertices[i];
          Vec3::Map(forces + v) -=
              vector_at(force_.data(), v) - mass_[v / 4] * turn.cross(vector_at(arm_.data(), v));
        });
  }
}

void LaplacianDamping::correct(double* step) const {
  for (const Piece& piece : pieces_) {
    const Vector6 amount = piece.inverse_update * dot_columns(piece, step);
    parallel_each(static_cast<std::ptrdiff_t>(piece.free_vertices.size()), kPieceGrain,
                  [&](std::ptrdiff_t i) {
                    const int v = piece.free_vertices[i];
                    Vec3 sum = Vec3::Zero();
                    for (int c = 0; c < 6; ++c) sum += amount[c] * vector_at(solved_[c].data(), v);
                    Vec3::Map(step + v) -= sum;
                  });
  }
}

}  // namespace dashpot
