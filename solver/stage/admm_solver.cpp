#include "solver/stage/admm_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/base/lane_points.h"
#include "solver/base/stopwatch.h"
#include "solver/elements/tet_stiffness.h"

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

// Iterations after which weights are chosen anew if the stage has not converged.
constexpr int kPatience = 20;
// Iterations between looks for points that have come near a collider unforeseen.
constexpr int kPatienceOfContact = 10;

bool resists_rotation(const TetTerms& terms) {
  if (terms.conserve_angular) return false;
  const auto brakes = [](const Damping& damping) {
    return damping.model == DampingModel::kRayleigh ||
           damping.model == DampingModel::kRayleighLagged;
  };
  return terms.laplacian > 0 || std::any_of(terms.damping.begin(), terms.damping.end(), brakes);
}

}  // namespace

AdmmSolver::AdmmSolver(const TetTerms& terms, const std::vector<double>& mass,
                       const std::vector<double>& drag, const std::vector<char>& pinned,
                       const PreparedMatrix& former)
    : terms_(terms),
      squared_weight_(terms.squared_weight),
      system_(stiffness_entries(terms, terms.squared_weight), mass, drag, pinned, terms.precision,
              former),
      laplacian_(terms, terms.laplacian, terms.conserve_angular, mass, system_.order()),
      alignment_(connected_pieces(terms.connectivity(), system_.order())),
      turns_freely_(!resists_rotation(terms)),
      batches_(make_tet_batches(terms, system_.order().position)) {
  const VertexOrder& order = system_.order();
  drag_.resize(drag.size());
  for (int k = 0; k < order.count(); ++k) drag_[k] = drag[order.point[k]];
  x_.assign(4 * static_cast<std::size_t>(order.count()), 0.0);
  before_ = target_ = step_ = x_;
  for (const auto& batch : batches_) is_damped_ = is_damped_ || batch->is_damped();
  if (laplacian_.is_active()) {
    is_damped_ = true;
    system_.set_damping(stiffness_values(terms, laplacian_.tet_coefficients()));
    stage_x_ = rate_ = x_;
  }
  if (is_damped_) past_x_ = past_v_ = past_stage_ = past_previous_ = x_;
  lay_out_batches();
  index_forces();
}

void AdmmSolver::lay_out_batches() {
  constexpr std::ptrdiff_t kBlocks = TermBatch::kBlocksPerChunk;
  std::size_t flat = 0, force = 0;
  for (const auto& batch : batches_) {
    const std::ptrdiff_t blocks = batch->block_count();
    const std::size_t doubles = batch->block_doubles();
    for (std::ptrdiff_t first = 0; first < blocks; first += kBlocks) {
      const std::ptrdiff_t last = std::min(blocks, first + kBlocks);
      const std::size_t force_end = force + 4 * batch->chunk_vertices(first / kBlocks).size();
      chunks_.push_back({batch.get(),
                         {first, last},
                         flat,
                         flat + first * doubles,
                         flat + last * doubles,
                         force,
                         force_end});
      force = force_end;
    }
    flat += blocks * doubles;
  }
  z_.assign(flat, 0.0);
  forces_.assign(force, 0.0);
  is_smooth_ = std::all_of(batches_.begin(), batches_.end(),
                           [](const auto& batch) { return batch->is_smooth(); });
  newton_.resize(4 * static_cast<std::size_t>(system_.order().free_count));
  chunk_dots_.resize(chunks_.size());
}

void AdmmSolver::index_forces() {
  std::vector<int> vertex;  // of each slot
  for (const Chunk& c : chunks_) {
    const auto& own = c.batch->chunk_vertices(c.blocks.begin / TermBatch::kBlocksPerChunk);
    vertex.insert(vertex.end(), own.begin(), own.end());
  }
  incidence_start_.assign(system_.order().count() + 1, 0);
  for (int v : vertex) ++incidence_start_[v / 4 + 1];
  for (std::size_t k = 1; k < incidence_start_.size(); ++k)
    incidence_start_[k] += incidence_start_[k - 1];
  incidence_.resize(incidence_start_.back());
  std::vector<int> next(incidence_start_.begin(), incidence_start_.end() - 1);
  for (std::size_t slot = 0; slot < vertex.size(); ++slot)
    incidence_[next[vertex[slot] / 4]++] = slot * 4;
}

void AdmmSolver::load(const Points& points, std::vector<double>& into) const {
  const VertexOrder& order = system_.order();
  parallel_each(order.count(), kVertexGrain,
                [&](std::ptrdiff_t k) { Vec3::Map(&into[4 * k]) = points.col(order.point[k]); });
}

// Free points only.
void AdmmSolver::store(const std::vector<double>& values, Points& into) const {
  const VertexOrder& order = system_.order();
  for (int k = 0; k < order.free_count; ++k)
    into.col(order.point[k]) = Vec3::Map(&values[4 * static_cast<std::size_t>(k)]);
}

// Mass and drag both pull towards a position: one target with the sum of their stiffnesses.
void AdmmSolver::set_target(const Stage& stage) {
  const VertexOrder& order = system_.order();
  parallel_each(order.free_count, kVertexGrain, [&](std::ptrdiff_t k) {
    const int point = order.point[k];
    const double drag_share = drag_[k] / stage.h / system_.inertia()[k];
    Vec3::Map(&target_[4 * k]) =
        stage.x_tilde.col(point) + drag_share * (stage.x_p.col(point) - stage.x_tilde.col(point));
  });
}

void AdmmSolver::set_stage(const Stage& stage) {
  h_ = stage.h;
  if (!is_damped_) return;
  if (laplacian_.is_active()) load(stage.x_p, stage_x_);
  const StageMemory& m = stage.memory;
  load(*m.x, past_x_);
  if (m.rate != 0) load(*m.v, past_v_);
  if (m.stage != 0) load(*m.x_stage, past_stage_);
  if (m.previous != 0) load(*m.x_previous, past_previous_);
  const StageArrays arrays{stage.h,
                           m.dt,
                           m.step,
                           m.stage,
                           m.previous,
                           m.rate,
                           m.end,
                           past_x_.data(),
                           past_v_.data(),
                           past_stage_.data(),
                           past_previous_.data()};
  for_each_chunk([&](const Chunk& c, std::size_t) { c.batch->set_stage(c.blocks, arrays); });
}

double AdmmSolver::change_since(const std::vector<double>& other) {
  for_each_chunk([&](const Chunk& c, std::size_t number) {
    chunk_dots_[number][0] = c.batch->squared_change(c.blocks, x_.data(), other.data());
  });
  double squared = 0;
  for (const auto& part : chunk_dots_) squared += part[0];
  return std::sqrt(squared);
}

double AdmmSolver::turn_rigidly() {
  step_ = x_;
  align();
  return change_since(step_) / scale_;
}

bool AdmmSolver::adapt_weights() {
  for_each_chunk([&](const Chunk& c, std::size_t number) {
    chunk_dots_[number][0] = c.batch->adapt_weights(c.blocks, x_.data(), squared_weight_);
  });
  bool changed = false;
  for (const auto& part : chunk_dots_) changed = changed || part[0] != 0;
  if (!changed) return false;
  system_.set_stiffness(stiffness_values(terms_, squared_weight_));
  system_.select(h_);
  return true;
}

// Starts the iteration at x_ with given duals.
void AdmmSolver::begin(const std::vector<double>& dual) {
  anderson_.resize(z_.size());
  anderson_.restart();
  double* residual = anderson_.residual(anderson_.current());
  double* image = anderson_.image(anderson_.current());
  for_each_chunk([&](const Chunk& c, std::size_t) {
    c.batch->forget(c.blocks);
    c.batch->begin_stage(c.blocks, x_.data(), dual.data() + c.batch_flat, z_.data() + c.batch_flat,
                         image + c.batch_flat);
    std::fill(residual + c.flat_begin, residual + c.flat_end, 0.0);
  });
}

// By how far x_ is from where the stage began, and by how well it can be known at all.
void AdmmSolver::set_scale() {
  double squared_norm = 0;
  for (const auto& batch : batches_) squared_norm += batch->squared_norm();
  double largest = 0;
  for (double coordinate : x_) largest = std::max(largest, std::abs(coordinate));
  rounding_ =
      kRounding * std::numeric_limits<double>::epsilon() * largest * std::sqrt(squared_norm);
  if (touches_) rounding_ *= kRoundingOfContact;
  scale_ = std::max(change_since(before_), kSmallestChange * rounding_);
  place_rounding_ = 4 * kRounding * std::numeric_limits<double>::epsilon() * largest;
  moved_ = kSmallestChange * place_rounding_;
  for (std::size_t i = 0; i < x_.size(); ++i)
    moved_ = std::max(moved_, std::abs(x_[i] - before_[i]));
}

void AdmmSolver::store_dual(std::vector<double>& dual) const {
  for_each_chunk([&](const Chunk& c, std::size_t) {
    for (std::size_t i = c.flat_begin; i < c.flat_end; ++i) dual[i] = anderson_.iterate_before(i);
    double* p = dual.data() + c.batch_flat;
    c.batch->dual(c.blocks, p, z_.data() + c.batch_flat, p);
  });
}

void AdmmSolver::local_pass() {
  const double* residual = anderson_.residual(anderson_.current());
  for_each_chunk([&](const Chunk& c, std::size_t) {
    anderson_.next_iterate(c.flat_begin, c.flat_end);
    c.batch->local_step(c.blocks, anderson_.iterate() + c.batch_flat, z_.data() + c.batch_flat,
                        residual + c.batch_flat, forces_of(c));
  });
}

// In residual form, A (x_new - x) = b - A x: exact for a rigidly moving body wherever it is, and
// ready for a factor of lower precision.
void AdmmSolver::global_pass() {
  const std::vector<double>& inertia = system_.inertia();
  const int free_count = system_.order().free_count;
  parallel_each(free_count, kVertexGrain, [&](std::ptrdiff_t k) {
    const Lane pull = inertia[k] * (load_lane(&target_[4 * k]) - load_lane(&x_[4 * k]));
    store_lane(&step_[4 * k], pull + sum_forces(k));
  });
  subtract_laplacian_forces(step_);
  if (touches_) contact_->add_forces(step_.data());
  system_.solve(step_.data());
  laplacian_.correct(step_.data());
  parallel_each(free_count, kVertexGrain, [&](std::ptrdiff_t k) {
    for (int d = 0; d < 3; ++d) x_[4 * k + d] += step_[4 * k + d];
  });
}

void AdmmSolver::residual_pass() {
  const int slot = anderson_.begin_iterate();
  double* residual = anderson_.residual(slot);
  for_each_chunk([&](const Chunk& c, std::size_t number) {
    c.batch->residual(c.blocks, x_.data(), z_.data() + c.batch_flat, residual + c.batch_flat);
    chunk_dots_[number] = anderson_.record(c.flat_begin, c.flat_end);
  });
  Anderson::Coefficients dots{};
  for (const auto& part : chunk_dots_)
    for (int j = 0; j < Anderson::kSlots; ++j) dots[j] += part[j];
  residual_norm_ = std::sqrt(dots[slot]);
  anderson_.end_iterate(dots);
}

// The stage's gradient at x with the stresses at z is -D^T W^2 (Dx - z); divided by the diagonal of
// A it is a displacement.
double AdmmSolver::dual_residual() {
  const double* residual = anderson_.residual(anderson_.current());
  for_each_chunk([&](const Chunk& c, std::size_t) {
    c.batch->weighted_forces(c.blocks, residual + c.batch_flat, forces_of(c));
  });
  const std::vector<double>& diagonal = system_.diagonal();
  const double squared =
      parallel_sum(system_.order().free_count, kVertexGrain, 0.0, [&](ChunkRange range) {
        double sum = 0;
        for (auto k = range.begin; k < range.end; ++k) {
          const Lane force = sum_forces(k);
          sum += lane_sum(force * force) / diagonal[k];
        }
        return sum;
      });
  return std::sqrt(squared) / scale_;
}

AdmmResult AdmmSolver::solve(const Stage& stage, const Points& before, const AdmmSettings& settings,
                             const std::function<bool()>& cancelled, Points& x,
                             std::vector<double>& dual, ContactState* contact) {
  AdmmResult result;
  touches_ = contact != nullptr;
  {
    const Stopwatch watch(result.ms_global);
    load(before, before_);
    set_stage(stage);
    x_ = before_;
    if (!adapt_weights()) system_.select(stage.h);
    load(x, x_);
    set_target(stage);
    if (touches_) contact_->begin(contact->stage, before_, x_, stage.x_p, contact->rows);
    if (turns_freely_) align();
    set_laplacian_frame();
  }
  const bool touches_now = touches_ && !contact_->finder().rows().empty();
  const bool descended = is_smooth_ && settings.stage_solver == SolverChoice::kAutomatic &&
                         !touches_now && minimize_quasi_newton(settings, cancelled, result);
  std::vector<double> forces;
  if (!descended) {
    // With its whole budget: what was tried before must not make the answer worse.
    AdmmSettings rest = settings;
    rest.iterations += result.iterations;
    forces = dual;
    begin(forces);
    iterate_admm(rest, cancelled, forces, result);
  }
  if (result.cancelled) return result;
  store(x_, x);
  if (descended)
    store_stage_force(dual);
  else
    store_dual(dual);
  if (touches_) contact->rows = contact_->finder().rows();
  return result;
}

void AdmmSolver::iterate_admm(const AdmmSettings& settings, const std::function<bool()>& cancelled,
                              std::vector<double>& forces, AdmmResult& result) {
  while (result.iterations < settings.iterations && !result.converged) {
    if (cancelled && cancelled()) {
      result.cancelled = true;
      return;
    }
    if (result.iterations > 0 && result.iterations % kPatience == 0) {
      store_dual(forces);
      const bool changed = adapt_weights();
      set_laplacian_frame();
      if (changed || laplacian_.is_projected()) begin(forces);
    }
    if (touches_ && result.iterations % kPatienceOfContact == kPatienceOfContact - 1)
      contact_->extend(x_);
    iterate(result);
    const bool last = result.iterations == settings.iterations;
    const double enough = enough_for(settings);
    if (result.primal_residual <= enough || last) {
      result.dual_residual = std::max(dual_residual(), contact_residual());
      result.converged = result.primal_residual <= enough && result.dual_residual <= enough;
      if (touches_ && result.converged) result.converged = !contact_->extend(x_);
      if (turns_freely_ && (result.converged || last)) {
        const double turned = turn_rigidly();
        result.dual_residual = std::max(result.dual_residual, turned);
        if (turned > enough) {
          result.converged = false;
          if (last) {
            if (touches_) contact_->correct(x_, step_);
            break;
          }
          store_dual(forces);
          set_laplacian_frame();
          begin(forces);
        }
      }
    }
  }
}

void AdmmSolver::iterate(AdmmResult& result) {
  {
    const Stopwatch watch(result.ms_local);
    local_pass();
  }
  {
    const Stopwatch watch(result.ms_global);
    global_pass();
  }
  if (touches_) {
    const Stopwatch watch(result.ms_contact);
    contact_->correct(x_, step_);
  }
  const Stopwatch watch(result.ms_local);
  residual_pass();
  // The first global step has found most of the motion; the start may have none of it.
  if (result.iterations++ == 0) set_scale();
  result.primal_residual = residual_norm_ / scale_;
}

void AdmmSolver::gather_forces(Points& out) const {
  const VertexOrder& order = system_.order();
  out.resize(3, order.count());
  parallel_each(order.count(), kVertexGrain, [&](std::ptrdiff_t k) {
    const Lane sum = sum_forces(k);
    out.col(order.point[k]) = Vec3(sum[0], sum[1], sum[2]);
  });
}

}  // namespace dashpot
