#include <Eigen/Dense>
#include <algorithm>

#include "solver/admm/contact_responses.h"
#include "solver/admm/contact_solver.h"
#include "solver/base/parallel.h"

namespace dashpot {
namespace {

constexpr int kSweepsOfSettling = 1000;
// Relative to the largest velocity.
constexpr double kSettlingTolerance = 1e-12;
constexpr std::ptrdiff_t kVertexGrainSettling = 512;

void add_field(const std::vector<double>& field, double factor, std::vector<double>& to) {
  parallel_each(static_cast<std::ptrdiff_t>(field.size()), 4 * kVertexGrainSettling,
                [&](std::ptrdiff_t i) { to[i] += factor * field[i]; });
}

}  // namespace

// G f over all free vertices.
std::vector<double> ContactSolver::response(const std::vector<SweepRow>& rows) {
  std::vector<double> field(4 * static_cast<std::size_t>(system_.order().free_count), 0.0);
  std::vector<RigidResponse::Sums> sums = response_.no_sums();
  for (const SweepRow& row : rows) {
    const int vertex = finder_.sites()[active_sites_[row.site]].vertex;
    Vec3::Map(&field[vertex]) += row.force;
    response_.add(vertex, row.force, sums);
  }
  system_.solve(field.data());
  parallel_each(system_.order().free_count, kVertexGrainSettling, [&](std::ptrdiff_t k) {
    Vec3::Map(&field[4 * k]) += response_.extra(static_cast<int>(4 * k), sums);
    field[4 * k + 3] = 0;
  });
  return field;
}

// Finds forces for displacements `scale` times velocities.
void ContactSolver::sweep_velocities(const std::vector<double>& v, double scale,
                                     const std::vector<double>& bounce,
                                     std::vector<SweepRow>& rows) {
  TurningResponse turning{{columns_, std::vector<double>(4 * active_sites_.size(), 0.0)},
                          response_,
                          {},
                          response_.no_sums(),
                          {}};
  double largest = 0;
  for (std::size_t s = 0; s < active_sites_.size(); ++s) {
    const int vertex = finder_.sites()[active_sites_[s]].vertex;
    Vec3::Map(&turning.dense.places[4 * s]) = scale * Vec3::Map(&v[vertex]);
    largest = std::max(largest, scale * Vec3::Map(&v[vertex]).norm());
    turning.vertex.push_back(vertex);
    const Mat3 block = columns_.row(static_cast<int>(s))[s] * Mat3::Identity() +
                       response_.extra_block(vertex);
    turning.own.push_back(Eigen::SelfAdjointEigenSolver<Mat3>(block).eigenvalues()[2]);
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const ContactRow& row = finder_.rows()[active_[k]];
    rows[k].plane.offset = scale * (row.plane.normal.dot(row.velocity) + bounce[active_[k]]);
    rows[k].plane.rest = scale * row.velocity;
    turning.push(rows[k].site, rows[k].force);
  }
  sweep_contacts(rows, turning, kSweepsOfSettling, kSettlingTolerance * largest);
}

void ContactSolver::settle(const Settling& settling, Motion& motion) {
  active_.clear();
  for (std::size_t r = 0; r < finder_.rows().size(); ++r) {
    finder_.rows()[r].support.setZero();
    if (!finder_.rows()[r].force.isZero(0)) active_.push_back(static_cast<int>(r));
  }
  if (active_.empty()) return;
  std::vector<SweepRow> rows = gather_rows(active_);
  columns_.select(active_sites_);
  std::vector<char> turned(pieces_.size(), 0);
  if (settling.turns_freely)
    for (const int site : active_sites_)
      turned[response_.piece_of(finder_.sites()[site].vertex)] = 1;
  response_.prepare(*settling.x, turned);

  const double h = settling.h, rate = settling.extrapolation / h;
  const std::vector<double> stage_response = response(rows);
  add_field(stage_response, -rate, motion.v);
  add_field(stage_response, -1 / (h * h), motion.a);
  sweep_velocities(motion.v, 1 / rate, settling.bounce, rows);
  add_field(response(rows), rate, motion.v);
  for (std::size_t k = 0; k < rows.size(); ++k)
    finder_.rows()[active_[k]].force = rows[k].force;

  // What the colliders bear from now on: no velocity is to turn into them within h.
  std::vector<double> later = motion.v;
  add_field(motion.a, h, later);
  sweep_velocities(later, h, std::vector<double>(finder_.rows().size(), 0.0), rows);
  add_field(response(rows), 1 / (h * h), motion.a);
  for (std::size_t k = 0; k < rows.size(); ++k)
    finder_.rows()[active_[k]].support = rows[k].force;
}

}  // namespace dashpot
