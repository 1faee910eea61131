#include "solver/playback/playback.h"

#include <cmath>
#include <utility>

#include "solver/base/error.h"
#include "solver/base/hash.h"

namespace dashpot {
namespace {

// A time of the timeline that was meant to be a whole frame misses it by rounding only.
constexpr double kFrameRounding = 1e-6;

double snapped(double frame) {
  const double whole = std::round(frame);
  return std::abs(frame - whole) < kFrameRounding ? whole : frame;
}

std::uint64_t with_timeline(std::uint64_t identity, const PlaybackSettings& settings) {
  Hash hash;
  hash.add_value(identity);
  hash.add_value(settings.start_frame);
  hash.add_value(settings.fps);
  return hash.value();
}

}  // namespace

void Playback::reset() {
  forget_frames();
  former_.reset();
}

void Playback::forget_frames() {
  simulation_.reset();
  cache_.clear();
  inputs_.clear();
  shown_entry_.reset();
  has_shown_ = false;
}

void Playback::start(std::uint64_t identity, const PlaybackSettings& settings, PlaybackHost& host) {
  if (simulation_) former_ = simulation_->prepared_matrix();
  forget_frames();
  start_frame_ = settings.start_frame;
  fps_ = settings.fps;
  auto simulation = std::make_unique<Simulation>(host.scene(), former_);
  // The velocity at the start is that with which the first interval is left.
  std::map<int, std::uint64_t> inputs;
  if (host.has_animated_inputs())
    for (const int frame : {start_frame_, start_frame_ + 1}) inputs[frame] = host.inputs_at(frame);
  simulation_ = std::move(simulation);
  former_.reset();
  inputs_ = std::move(inputs);
  identity_ = identity;
  current_ = start_frame_;
  remember(simulation_->measure());
}

ShownFrame Playback::cook(double frame, const PlaybackSettings& settings, PlaybackHost& host) {
  frame = snapped(frame);
  ShownFrame shown;
  const bool again = has_shown_ && shown_ == frame;
  if (frame < (simulation_ && !settings.auto_reset ? start_frame_ : settings.start_frame))
    return shown;

  cache_.set_limit(settings.cache_enabled ? settings.cache_bytes : 0);
  const std::uint64_t identity = with_timeline(host.identity(), settings);
  const int whole = static_cast<int>(std::floor(frame));
  const bool edited =
      simulation_ && (identity != identity_ || !inputs_unchanged(whole, again, host));
  if (!simulation_ || (edited && settings.auto_reset)) start(identity, settings, host);
  shown.stale = edited && !settings.auto_reset;

  const FrameCache::Entry begin = advance_to(whole, host);
  const FrameCache::Entry end = frame > whole && begin ? advance_to(whole + 1, host) : begin;
  if (!end) {
    shown.kind = ShownFrame::Kind::kInterrupted;
    has_shown_ = false;
    return shown;
  }
  shown.kind = ShownFrame::Kind::kFrame;
  shown.frame = begin;
  shown.x = begin->state.x;
  shown.v = begin->state.v;
  if (end != begin) {
    shown.x += (frame - whole) * (end->state.x - begin->state.x);
    shown.v += (frame - whole) * (end->state.v - begin->state.v);
  }
  shown_ = frame;
  has_shown_ = true;
  shown_entry_ = shown.frame;
  shown_frame_ = whole;
  return shown;
}

bool Playback::inputs_unchanged(int frame, bool check_all, PlaybackHost& host) {
  if (host.has_animated_inputs() == inputs_.empty()) return false;
  if (inputs_.empty()) return true;
  // A cook of the same frame again means that something was edited, anywhere in time.
  if (check_all) {
    for (const auto& [simulated, hash] : inputs_) {
      if (host.interrupted(0)) return true;
      if (host.inputs_at(simulated) != hash) return false;
    }
    return true;
  }
  const auto after = inputs_.upper_bound(frame);
  const auto nearest = after == inputs_.begin() ? after : std::prev(after);
  return host.inputs_at(nearest->first) == nearest->second;
}

void Playback::go_to(int frame, const FrameCache::Entry& entry) {
  simulation_->restore(entry->state, entry->dissipation);
  current_ = frame;
}

FrameCache::Entry Playback::advance_to(int frame, PlaybackHost& host) {
  if (auto cached = cache_.find(frame)) return cached;
  const auto [nearest, entry] = cache_.latest(frame);
  if (current_ > frame || current_ < nearest) go_to(nearest, entry);
  const int first = current_;
  const double share = 1.0 / (frame - first);
  while (current_ < frame)
    if (!step_to(current_ + 1, (current_ - first) * share, host)) return nullptr;
  return cache_.find(frame);
}

bool Playback::step_to(int frame, double done, PlaybackHost& host) {
  if (host.interrupted(done)) return false;
  if (host.has_animated_inputs()) {
    inputs_[frame] = host.inputs_at(frame);
    host.use_inputs_at(frame);
  }
  FrameReport report;
  try {
    report = simulation_->advance(1.0 / fps_, [&] { return host.interrupted(done); });
  } catch (const SimulationError& error) {
    throw SimulationError("frame " + std::to_string(frame) + ": " + error.what());
  }
  if (report.has(Status::kCancelled)) {
    // Substeps of an unfinished frame are dropped.
    const auto [nearest, entry] = cache_.latest(frame - 1);
    go_to(nearest, entry);
    return false;
  }
  current_ = frame;
  remember(report);
  return true;
}

void Playback::remember(const FrameReport& report) {
  auto frame = std::make_shared<CachedFrame>();
  frame->state = simulation_->state();
  frame->report = report;
  frame->dissipation = simulation_->dissipation();
  cache_.insert(current_, std::move(frame));
}

std::vector<std::vector<double>> Playback::evaluate(
    const std::vector<const ElementDiagnostic*>& wanted) {
  if (!simulation_ || !shown_entry_)
    throw InputError("there is no frame yet whose tets could be measured.");
  if (current_ != shown_frame_) go_to(shown_frame_, shown_entry_);
  return simulation_->evaluate(wanted);
}

}  // namespace dashpot
