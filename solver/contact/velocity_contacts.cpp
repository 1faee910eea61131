#include <Eigen/Dense>
#include <algorithm>

#include "solver/base/parallel.h"
#include "solver/contact/contact_responses.h"
#include "solver/contact/contact_solver.h"

namespace dashpot {
namespace {

constexpr int kRoundsOfSettling = 50;
// Relative to the largest velocity.
constexpr double kSettlingTolerance = 1e-12;
constexpr std::ptrdiff_t kVertexGrainSettling = 512;

// A piece answers as a whole if this share of the work of contact forces moves it rigidly, and
// point by point below the other.
constexpr double kWhole = 0.9, kPointwise = 0.7;

// The vertices of contact alone, by their own inertia.
struct PointResponse {
  std::vector<Vec3> places;      // of each slot
  std::vector<double> inverted;  // 1 / inertia

  double compliance(int slot) const { return inverted[slot]; }
  Vec3 place(int slot) const { return places[slot]; }
  void push(int slot, const Vec3& force) { places[slot] += inverted[slot] * force; }
  void moves(const std::vector<Vec3>& forces, std::vector<Vec3>& moved) const {
    for (std::size_t j = 0; j < forces.size(); ++j) moved[j] = inverted[j] * forces[j];
  }
};

}  // namespace

// How forces move all free vertices.
std::vector<double> ContactSolver::response(const std::vector<SweepRow>& rows, Answer answer) {
  std::vector<double> field(4 * static_cast<std::size_t>(matrix_.order().free_count), 0.0);
  std::vector<RigidResponse::Sums> sums = response_.no_sums();
  for (const SweepRow& row : rows) {
    const int vertex = detector_.vertices()[active_sites_[row.site]].vertex;
    const double share = answer == Answer::kPoints ? 1 / matrix_.inertia()[vertex / 4] : 1;
    Vec3::Map(&field[vertex]) += share * row.force;
    response_.add(vertex, row.force, sums);
  }
  if (answer == Answer::kPoints) return field;
  matrix_.solve(field.data());
  parallel_each(matrix_.order().free_count, kVertexGrainSettling, [&](std::ptrdiff_t k) {
    Vec3::Map(&field[4 * k]) += response_.extra(static_cast<int>(4 * k), sums);
    field[4 * k + 3] = 0;
  });
  return field;
}

// Finds forces for displacements `scale` times velocities, so that points in contact move with the
// velocities `goal` of their rows, or away. v contains what the forces of rows do, on entry.
void ContactSolver::sweep_velocities(const std::vector<double>& v, double scale,
                                     const std::vector<Vec3>& goal, Answer answer,
                                     std::vector<SweepRow>& rows) {
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k].plane.rest = scale * goal[k];
    rows[k].plane.offset = rows[k].plane.normal.dot(rows[k].plane.rest);
  }
  PointResponse points;
  TurningResponse turning{{columns_, {}}, response_, {}, response_.no_sums(), {}};
  double largest = 0;
  for (std::size_t s = 0; s < active_sites_.size(); ++s) {
    const int vertex = detector_.vertices()[active_sites_[s]].vertex;
    const Vec3 place = scale * Vec3::Map(&v[vertex]);
    largest = std::max(largest, place.norm());
    points.places.push_back(place);
    points.inverted.push_back(1 / matrix_.inertia()[vertex / 4]);
    turning.dense.places.insert(turning.dense.places.end(), {place.x(), place.y(), place.z(), 0});
    turning.vertex.push_back(vertex);
    if (answer == Answer::kPoints) continue;
    const Mat3 block =
        columns_.row(static_cast<int>(s))[s] * Mat3::Identity() + response_.extra_block(vertex);
    turning.own.push_back(Eigen::SelfAdjointEigenSolver<Mat3>(block).eigenvalues()[2]);
  }
  const double tolerance = kSettlingTolerance * largest;
  const int sites = static_cast<int>(active_sites_.size());
  if (answer == Answer::kPoints)
    solve_contacts(rows, points, sites, kRoundsOfSettling, tolerance);
  else
    solve_contacts(rows, turning, sites, kRoundsOfSettling, tolerance);
}

// How far each piece is moved as a whole by its contact forces: 1 if it is, 0 if it is deformed.
std::vector<double> ContactSolver::rigid_fraction(const std::vector<SweepRow>& rows) {
  const std::vector<double> field = response(rows, Answer::kWhole);
  std::vector<double> work(pieces_.size(), 0.0), whole(pieces_.size(), 0.0);
  std::vector<Vec3> force(pieces_.size(), Vec3::Zero());
  std::vector<RigidResponse::Sums> sums = response_.no_sums();
  for (const SweepRow& row : rows) {
    const int vertex = detector_.vertices()[active_sites_[row.site]].vertex;
    const int piece = response_.piece_of(vertex);
    work[piece] += row.force.dot(Vec3::Map(&field[vertex]));
    force[piece] += row.force;
    response_.add(vertex, row.force, sums);
  }
  for (std::size_t p = 0; p < whole.size(); ++p) {
    if (!(work[p] > 0)) continue;
    const double share =
        response_.rigid_work(static_cast<int>(p), force[p], sums[p].torque) / work[p];
    whole[p] = std::clamp((share - kPointwise) / (kWhole - kPointwise), 0.0, 1.0);
  }
  return whole;
}

// The forces of the active rows with which points in contact move with `goal` instead of v, which
// contains the forces of the stage. Adds what the change of forces does, times `factor`, to
// `field`.
std::vector<Vec3> ContactSolver::settle(const std::vector<double>& v, double scale,
                                        const std::vector<Vec3>& goal, double factor,
                                        std::vector<double>& field) {
  const std::vector<SweepRow>& before = stage_rows_;
  std::vector<Vec3> force(before.size(), Vec3::Zero());
  for (const Answer answer : {Answer::kPoints, Answer::kWhole}) {
    if (answer == Answer::kWhole && *std::max_element(whole_.begin(), whole_.end()) == 0) continue;
    const auto share = [&](int vertex) {
      const int piece = response_.piece_of(vertex);
      const double whole = piece < 0 ? 0 : whole_[piece];
      return answer == Answer::kWhole ? whole : 1 - whole;
    };
    std::vector<SweepRow> rows = before;
    sweep_velocities(v, scale, goal, answer, rows);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      force[k] += share(detector_.vertices()[active_sites_[rows[k].site]].vertex) * rows[k].force;
      rows[k].force -= before[k].force;
    }
    const std::vector<double> change = response(rows, answer);
    parallel_each(matrix_.order().free_count, kVertexGrainSettling, [&](std::ptrdiff_t k) {
      const double part = factor * share(static_cast<int>(4 * k));
      for (auto i = 4 * k; i < 4 * k + 3; ++i) field[i] += part * change[i];
    });
  }
  return force;
}

void ContactSolver::solve_velocity_contacts(const Settling& settling, std::vector<double>& v) {
  active_.clear();
  for (std::size_t r = 0; r < detector_.contacts().size(); ++r) {
    detector_.contacts()[r].next_step_force.setZero();
    if (!detector_.contacts()[r].force.isZero(0)) active_.push_back(static_cast<int>(r));
  }
  if (active_.empty()) return;
  stage_rows_ = gather_rows(active_);
  columns_.select(active_sites_);
  std::vector<char> turned(pieces_.size(), 0);
  if (settling.turns_freely)
    for (const int site : active_sites_)
      turned[response_.piece_of(detector_.vertices()[site].vertex)] = 1;
  response_.prepare(*settling.x, turned);
  whole_ = rigid_fraction(stage_rows_);

  std::vector<Vec3> goal;
  for (std::size_t k = 0; k < stage_rows_.size(); ++k) {
    const Contact& row = detector_.contacts()[active_[k]];
    const double whole = whole_[response_.piece_of(detector_.vertices()[row.site].vertex)];
    goal.push_back(row.velocity + whole * settling.bounce[active_[k]] * row.plane.normal);
  }
  const double rate = settling.extrapolation / settling.h;
  const std::vector<Vec3> force = settle(std::vector<double>(v), 1 / rate, goal, rate, v);
  for (std::size_t k = 0; k < force.size(); ++k) detector_.contacts()[active_[k]].force = force[k];
}

void ContactSolver::solve_acceleration_contacts(double h, const std::vector<double>& v,
                                                std::vector<double>& a) {
  if (active_.empty()) return;
  std::vector<double> later = v;
  parallel_each(static_cast<std::ptrdiff_t>(a.size()), 4 * kVertexGrainSettling,
                [&](std::ptrdiff_t i) { later[i] += h * a[i]; });
  std::vector<Vec3> goal;
  for (const int r : active_)
    goal.push_back(detector_.contacts()[r].velocity + h * detector_.contacts()[r].acceleration);
  const std::vector<Vec3> force = settle(later, h, goal, 1 / (h * h), a);
  for (std::size_t k = 0; k < force.size(); ++k)
    detector_.contacts()[active_[k]].next_step_force = force[k];
}

}  // namespace dashpot
