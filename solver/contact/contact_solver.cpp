#include "solver/contact/contact_solver.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "solver/base/parallel.h"
#include "solver/contact/contact_responses.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kVertexGrainContact = 512;
// Rounds of one iteration, and how far they go down; the next goes on with their forces. What they
// leave is noise that a stiff body multiplies.
constexpr int kRoundsPerIteration = 30;
constexpr double kSweepShare = 1e-3;
constexpr int kRigidRounds = 4;
constexpr int kSweepsOfRigidBody = 200;
constexpr double kSqueezed = 0.5;         // of how deep it was, m
constexpr double kRigidRounding = 1e-12;  // of the distance from the origin
// Corrections that are smaller than this share of the largest coordinate are rounding.
constexpr double kContactRounding = 1e-15;

// Sites of one rigid body.
struct RigidBodyResponse {
  const RigidPiece& piece;
  std::vector<Vec3> start, arm;  // of each slot
  Vec3 shift, turn;
  double stiffest;  // largest eigenvalue of the inverse inertia

  double compliance(int slot) const {
    return 1 / piece.weight + stiffest * arm[slot].squaredNorm();
  }
  Vec3 place(int slot) const { return start[slot] + shift + turn.cross(arm[slot]); }
  void push(int slot, const Vec3& force) {
    shift += force / piece.weight;
    turn += piece.inverse_inertia * arm[slot].cross(force);
  }
};

double deepest(const std::vector<SweepRow>& rows, const RigidBodyResponse& body) {
  double depth = 0;
  for (const SweepRow& row : rows)
    depth = std::max(depth, row.plane.offset - row.plane.normal.dot(body.place(row.site)));
  return depth;
}

Mat3 rotation_by(const Vec3& turn) {
  const double angle = turn.norm();
  if (angle == 0) return Mat3::Identity();
  return Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix();
}

// Moves a piece to the least of its inertia's objective over rigid motions, to first order, with
// contact; nothing if it is pinned.
void align_piece(const MeshPiece& vertices, const std::vector<double>& weight,
                 const std::vector<double>& target, const std::vector<Contact*>& contacts,
                 std::vector<double>& x) {
  const RigidPiece piece = rigid_piece(vertices, weight, x);
  if (!piece.is_free) return;
  RigidBodyResponse body{piece, {}, {}, Vec3::Zero(), Vec3::Zero(), 0};
  body.stiffest = Eigen::SelfAdjointEigenSolver<Mat3>(piece.inverse_inertia).eigenvalues()[2];
  Vec3 torque = Vec3::Zero();
  for (const int v : vertices.free) {
    const Vec3 pull = weight[v / 4] * (Vec3::Map(&target[v]) - Vec3::Map(&x[v]));
    body.shift += pull / piece.weight;
    torque += (Vec3::Map(&x[v]) - piece.center).cross(pull);
  }
  body.turn = piece.inverse_inertia * torque;
  std::vector<SweepRow> rows;
  for (const Contact* contact : contacts) {
    const Vec3 at = contact->stencil.place(x.data());
    const int slot = static_cast<int>(rows.size());
    body.start.push_back(at);
    body.arm.push_back(at - piece.center);
    rows.push_back({slot, contact->plane, contact->force});
    body.push(slot, contact->force);
  }
  const double depth = deepest(rows, body);
  for (int s = 0; s < kSweepsOfRigidBody; ++s)
    if (projected_gauss_seidel(rows, body) <= kRigidRounding * piece.center.norm()) break;
  // A body that is squeezed has no place as a rigid one: it stays as it is.
  if (deepest(rows, body) > kSqueezed * depth) return;
  for (std::size_t k = 0; k < rows.size(); ++k) contacts[k]->force = rows[k].force;
  const Mat3 rotation = rotation_by(body.turn);
  for (const int v : vertices.free) {
    const Vec3 arm = Vec3::Map(&x[v]) - piece.center;
    Vec3::Map(&x[v]) += body.shift + (rotation * arm - arm);
  }
}

}  // namespace

ContactSolver::ContactSolver(std::vector<Collider> colliders, std::vector<ContactVertex> sites,
                             const GlobalMatrix& matrix, const std::vector<MeshPiece>& pieces)
    : detector_(std::move(colliders), std::move(sites)),
      matrix_(matrix),
      pieces_(pieces),
      columns_(matrix, detector_.vertices()),
      response_(matrix, pieces),
      slot_of_site_(detector_.vertices().size(), -1) {}

void ContactSolver::begin(const ColliderKinematics& stage, const std::vector<double>& before,
                          const std::vector<double>& guess, const Points& x_p,
                          const std::vector<Contact>& known) {
  detector_.begin(stage, before, guess, x_p, known);
  change_ = 0;
}

void ContactSolver::add_forces(double* forces) const {
  for (const Contact& row : detector_.contacts()) row.stencil.add(row.force, forces);
}

bool ContactSolver::is_active(const Contact& row, const std::vector<double>& x) const {
  if (!row.force.isZero(0)) return true;
  if (!row.near) return false;
  return row.plane.normal.dot(row.stencil.place(x.data())) < row.plane.offset;
}

// The active rows, with the slot of their site for its number.
std::vector<SweepRow> ContactSolver::gather_rows(const std::vector<int>& active) {
  for (const int site : active_sites_) slot_of_site_[site] = -1;
  active_sites_.clear();
  std::vector<SweepRow> rows;
  for (const int r : active) {
    const Contact& row = detector_.contacts()[r];
    int& slot = slot_of_site_[row.site];
    if (slot < 0) {
      slot = static_cast<int>(active_sites_.size());
      active_sites_.push_back(row.site);
    }
    rows.push_back({slot, row.plane, row.force});
  }
  return rows;
}

void ContactSolver::correct(std::vector<double>& x, std::vector<double>& step) {
  change_ = 0;
  if (detector_.contacts().empty()) return;
  detector_.update(x);
  active_.clear();
  for (std::size_t r = 0; r < detector_.contacts().size(); ++r)
    if (is_active(detector_.contacts()[r], x)) active_.push_back(static_cast<int>(r));
  if (active_.empty()) return;
  std::vector<SweepRow> rows = gather_rows(active_);
  columns_.select(active_sites_);

  DenseResponse dense{columns_, std::vector<double>(4 * active_sites_.size(), 0.0)};
  double largest = 0;
  for (std::size_t s = 0; s < active_sites_.size(); ++s) {
    const double* at = &x[detector_.vertices()[active_sites_[s]].vertex];
    for (int d = 0; d < 3; ++d) {
      dense.places[4 * s + d] = at[d];
      largest = std::max(largest, std::abs(at[d]));
    }
  }
  // Rows whose collider went out of reach let go.
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (detector_.contacts()[active_[k]].near) continue;
    dense.push(rows[k].site, -rows[k].force);
    rows[k].force.setZero();
    rows[k].plane = ContactPlane{};
  }
  solve_contacts(rows, dense, static_cast<int>(active_sites_.size()), kRoundsPerIteration,
                 kContactRounding * largest, kSweepShare);

  std::fill(step.begin(), step.end(), 0.0);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    Contact& row = detector_.contacts()[active_[k]];
    row.stencil.add(rows[k].force - row.force, step.data());
    row.force = rows[k].force;
  }
  for (std::size_t s = 0; s < active_sites_.size(); ++s)
    change_ = std::max(change_, (dense.place(static_cast<int>(s)) -
                                 Vec3::Map(&x[detector_.vertices()[active_sites_[s]].vertex]))
                                    .norm());
  if (change_ == 0) return;
  matrix_.solve(step.data());
  parallel_each(matrix_.order().free_count, kVertexGrainContact, [&](std::ptrdiff_t k) {
    for (int d = 0; d < 3; ++d) x[4 * k + d] += step[4 * k + d];
  });
}

void ContactSolver::align(const std::vector<double>& target, std::vector<double>& x,
                          std::vector<char>& in_contact) {
  in_contact.assign(pieces_.size(), 0);
  if (detector_.contacts().empty()) return;
  for (int round = 0; round < kRigidRounds; ++round) {
    detector_.update(x);
    std::vector<std::vector<Contact*>> rows_of(pieces_.size());
    for (Contact& row : detector_.contacts()) {
      const int piece = response_.piece_of(detector_.vertices()[row.site].vertex);
      if (row.near) rows_of[piece].push_back(&row);
      if (is_active(row, x)) in_contact[piece] = 1;
    }
    for (std::size_t p = 0; p < pieces_.size(); ++p)
      if (in_contact[p]) align_piece(pieces_[p], matrix_.inertia(), target, rows_of[p], x);
  }
}

}  // namespace dashpot
