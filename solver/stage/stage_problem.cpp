#include "solver/stage/stage_problem.h"

#include <cmath>
#include <limits>
#include <utility>

#include "solver/base/lane_points.h"
#include "solver/base/parallel.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kVertexGrain = 512;

// A mismatch this many times the rounding error of the positions cannot be improved.
constexpr double kRounding = 4.0;
// Contact corrects positions once more, and sweep by sweep.
constexpr double kRoundingOfContact = 4.0;
// A stage that changes the coordinates by less than this many times the rounding error is judged as
// if it changed them by that much: a body at rest or in free fall need not be solved to zero.
constexpr double kSmallestChange = 1e4;

// Entries of the element's square block, below the diagonal, in numbers of the island's points.
GlobalMatrix::Triplets stiffness_entries(const Elements& elements, const Island& island,
                                         const std::vector<double>& values) {
  GlobalMatrix::Triplets entries;
  entries.reserve(values.size());
  for (std::size_t s = 0; s < elements.sets().size(); ++s) {
    const ElementSet& set = *elements.sets()[s];
    for (const int e : island.elements[s])
      for (int a = 0; a < set.points_per_element(); ++a)
        for (int b = 0; b <= a; ++b) {
          const int i = island.position(set.points(e)[a]), j = island.position(set.points(e)[b]);
          entries.emplace_back(std::max(i, j), std::min(i, j), values[entries.size()]);
        }
  }
  return entries;
}

std::vector<double> values_of(const Elements& elements, const Island& island,
                              const std::vector<double>& factor) {
  std::vector<double> all;
  for (std::size_t s = 0; s < elements.sets().size(); ++s) {
    std::vector<double> values = elements.sets()[s]->stiffness_values(island.elements[s], factor);
    if (all.empty())
      all = std::move(values);
    else
      all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

// Positions are by number in the island until the matrix has put its points in order.
void set_positions(const Island& island, const std::vector<int>& position) {
  for (std::size_t k = 0; k < island.points.size(); ++k)
    (*island.positions)[island.points[k]] = position.empty() ? static_cast<int>(k) : position[k];
}

ElementSet::TermBatches make_batches(const Elements& elements, const Island& island) {
  ElementSet::TermBatches all;
  for (std::size_t s = 0; s < elements.sets().size(); ++s)
    for (auto& batch : elements.sets()[s]->make_batches(island.elements[s], *island.positions))
      all.push_back(std::move(batch));
  return all;
}

// An island is one connected piece.
std::vector<MeshPiece> pieces_of(const VertexOrder& order) {
  std::vector<MeshPiece> pieces(1);
  for (int k = 0; k < order.count(); ++k)
    (k < order.free_count ? pieces[0].free : pieces[0].pinned).push_back(4 * k);
  return pieces;
}

}  // namespace

GlobalMatrix StageProblem::make_matrix(const StageModel& model, const Island& island,
                                       const ElementValues& values, const PreparedMatrix& former) {
  std::vector<double> mass, drag;
  std::vector<char> pinned;
  for (const int point : island.points) {
    mass.push_back(model.mass[point]);
    drag.push_back(model.drag[point]);
    pinned.push_back(model.pinned[point]);
  }
  set_positions(island, {});
  GlobalMatrix matrix(stiffness_entries(model.elements, island,
                                        values_of(model.elements, island, values.squared_weight)),
                      std::move(mass), std::move(drag), pinned, model.precision, former);
  set_positions(island, matrix.order().position);
  if (!values.laplacian.empty())
    matrix.set_damping(values_of(model.elements, island, values.laplacian));
  return matrix;
}

StageProblem::StageProblem(const StageModel& model, Island island, ElementValues& values,
                           const PreparedMatrix& former)
    : elements_(model.elements),
      island_(std::move(island)),
      values_(values),
      matrix_(make_matrix(model, island_, values, former)),
      chunks_(make_batches(elements_, island_), matrix_.order().count()),
      alignment_(pieces_of(matrix_.order())),
      laplacian_(elements_, island_, values.laplacian, model.conserve_angular, matrix_.mass(),
                 alignment_.pieces()),
      rigid_response_(matrix_, alignment_.pieces().front()),
      inverse_blocks_(matrix_),
      traits_{chunks_.are_smooth(), chunks_.are_damped() || laplacian_.is_active(),
              !elements_.resist_rotation() && (model.conserve_angular || !laplacian_.is_active())} {
  x_.assign(4 * island_.points.size(), 0.0);
  before_ = target_ = scratch_ = x_;
  if (laplacian_.is_active()) past_.x_p = past_.rate = x_;
  if (traits_.damped) past_.x = past_.v = past_.stage = past_.previous = x_;
}

void StageProblem::begin(const Stage& stage, const Points& before, const Points& x,
                         bool in_contact) {
  in_contact_ = in_contact;
  load(before, before_);
  set_history(stage);
  x_ = before_;
  if (!adapt_weights()) matrix_.select(stage.h);
  load(x, x_);
  set_target(stage);
  if (in_contact_) contact_forces_.assign(4 * matrix_.order().free_count, 0.0);
  if (traits_.turns_freely && !in_contact_) align();
  set_laplacian_frame();
}

void StageProblem::load(const Points& points, std::vector<double>& into) const {
  const VertexOrder& order = matrix_.order();
  parallel_each(order.count(), kVertexGrain, [&](std::ptrdiff_t k) {
    Vec3::Map(&into[4 * k]) = points.col(island_.points[order.point[k]]);
  });
}

void StageProblem::store(const std::vector<double>& values, Points& into) const {
  const VertexOrder& order = matrix_.order();
  for (int k = 0; k < order.free_count; ++k)
    into.col(island_.points[order.point[k]]) = Vec3::Map(&values[4 * static_cast<std::size_t>(k)]);
}

// Mass and drag both pull towards a position: one target with the sum of their stiffnesses.
void StageProblem::set_target(const Stage& stage) {
  const VertexOrder& order = matrix_.order();
  parallel_each(order.free_count, kVertexGrain, [&](std::ptrdiff_t k) {
    const int point = island_.points[order.point[k]];
    const double drag_share = matrix_.drag()[k] / stage.h / matrix_.inertia()[k];
    Vec3::Map(&target_[4 * k]) =
        stage.x_tilde.col(point) + drag_share * (stage.x_p.col(point) - stage.x_tilde.col(point));
  });
}

void StageProblem::set_history(const Stage& stage) {
  h_ = stage.h;
  if (!traits_.damped) return;
  if (laplacian_.is_active()) load(stage.x_p, past_.x_p);
  const StageHistory<Points>& given = stage.history;
  load(*given.x, past_.x);
  if (given.rate != 0) load(*given.v, past_.v);
  if (given.stage != 0) load(*given.x_stage, past_.stage);
  if (given.previous != 0) load(*given.x_previous, past_.previous);
  const StageHistory<double> history{
      given.dt,  given.step,     given.stage,    given.previous,     given.rate,
      given.end, past_.x.data(), past_.v.data(), past_.stage.data(), past_.previous.data()};
  chunks_.for_each(
      [&](const TermChunk& c, std::size_t) { c.batch->set_stage(c.blocks, stage.h, history); });
}

double StageProblem::change_since(const std::vector<double>& other) {
  return std::sqrt(chunks_.sum([&](const TermChunk& c) {
    return c.batch->squared_change(c.blocks, x_.data(), other.data());
  }));
}

void StageProblem::align() {
  alignment_.align(target_, matrix_.inertia(), x_);
}

bool StageProblem::gradient(double* into) {
  const double irregular = chunks_.sum([&](const TermChunk& c) {
    return c.batch->stage_force(c.blocks, x_.data(), chunks_.forces_of(c), nullptr) ? 0.0 : 1.0;
  });
  const std::vector<double>& inertia = matrix_.inertia();
  parallel_each(matrix_.order().free_count, kVertexGrain, [&](std::ptrdiff_t k) {
    const Lane pull = inertia[k] * (load_lane(&x_[4 * k]) - load_lane(&target_[4 * k]));
    store_lane(into + 4 * k, pull + chunks_.sum_forces(k));
  });
  if (laplacian_.is_active()) {
    std::fill(scratch_.begin(), scratch_.end(), 0.0);
    subtract_laplacian_forces(scratch_);
    for (std::size_t i = 0; i < 4 * static_cast<std::size_t>(matrix_.order().free_count); ++i)
      into[i] -= scratch_[i];
  }
  return irregular == 0;
}

void StageProblem::store_forces(double* forces) {
  chunks_.for_each([&](const TermChunk& c, std::size_t) {
    c.batch->stage_force(c.blocks, x_.data(), chunks_.forces_of(c), forces + c.batch_flat);
  });
}

double StageProblem::turn_rigidly() {
  scratch_ = x_;
  align();
  return change_since(scratch_) / scale_.change;
}

void StageProblem::go_back(double share) {
  for (std::size_t i = 0; i < 4 * static_cast<std::size_t>(matrix_.order().free_count); ++i)
    x_[i] += share * (before_[i] - x_[i]);
}

bool StageProblem::adapt_weights() {
  const double changed = chunks_.sum([&](const TermChunk& c) {
    return c.batch->adapt_weights(c.blocks, x_.data(), values_.squared_weight) ? 1.0 : 0.0;
  });
  if (changed == 0) return false;
  matrix_.set_stiffness(values_of(elements_, island_, values_.squared_weight));
  matrix_.select(h_);
  return true;
}

void StageProblem::set_scale() {
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  double largest = 0;
  for (double coordinate : x_) largest = std::max(largest, std::abs(coordinate));
  scale_.rounding = kRounding * kEpsilon * largest * std::sqrt(chunks_.squared_norm());
  if (in_contact_) scale_.rounding *= kRoundingOfContact;
  scale_.change = std::max(change_since(before_), kSmallestChange * scale_.rounding);
  scale_.place_rounding = 4 * kRounding * kEpsilon * largest;
  scale_.moved = kSmallestChange * scale_.place_rounding;
  for (std::size_t i = 0; i < x_.size(); ++i)
    scale_.moved = std::max(scale_.moved, std::abs(x_[i] - before_[i]));
}

void StageProblem::set_laplacian_frame() {
  if (!laplacian_.is_projected()) return;
  laplacian_.set_frame(x_.data());
  laplacian_.prepare_correction(h_, matrix_);
}

void StageProblem::subtract_laplacian_forces(std::vector<double>& from) {
  if (!laplacian_.is_active()) return;
  parallel_each(matrix_.order().count(), kVertexGrain, [&](std::ptrdiff_t k) {
    store_lane(&past_.rate[4 * k], (load_lane(&x_[4 * k]) - load_lane(&past_.x_p[4 * k])) / h_);
  });
  laplacian_.subtract_forces(past_.rate.data(), from.data());
}

}  // namespace dashpot
