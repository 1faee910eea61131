#include "solver/playback/playback.h"

#include <cmath>
#include <iterator>
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
  simulated_frames_ = 0;
}

void Playback::start(std::uint64_t identity, const PlaybackSettings& settings, PlaybackHost& host) {
  if (simulation_) former_ = simulation_->prepared_matrix();
  forget_frames();
  start_frame_ = settings.start_frame;
  fps_ = settings.fps;
  auto simulation = std::make_unique<Simulation>(host.scene(), former_);
  // The velocity at the start is that with which the first interval is left.
  std::map<int, SeenInput> inputs;
  for (const int input : host.animated_inputs()) {
    SeenInput& seen = inputs[input];
    seen.version = host.version(input);
    for (const int frame : {start_frame_, start_frame_ + 1})
      seen.by_frame[frame] = host.input_at(input, frame);
  }
  simulation_ = std::move(simulation);
  former_.reset();
  inputs_ = std::move(inputs);
  identity_ = identity;
  current_ = start_frame_;
  remember(simulation_->measure());
}

ShownFrame Playback::cook(double frame, const PlaybackSettings& settings, PlaybackHost& host) {
  try {
    return try_cook(snapped(frame), settings, host);
  } catch (const Interrupted&) {
    ShownFrame nothing;
    nothing.kind = ShownFrame::Kind::kInterrupted;
    return nothing;
  }
}

ShownFrame Playback::try_cook(double frame, const PlaybackSettings& settings, PlaybackHost& host) {
  ShownFrame shown;
  if (frame < (simulation_ && !settings.auto_reset ? start_frame_ : settings.start_frame))
    return shown;

  cache_.set_limit(settings.cache_enabled ? settings.cache_bytes : 0);
  const std::uint64_t identity = with_timeline(host.identity(), settings);
  const int whole = static_cast<int>(std::floor(frame));
  const bool edited = simulation_ && (identity != identity_ || !inputs_unchanged(whole, host));
  if (!simulation_ || (edited && settings.auto_reset)) start(identity, settings, host);
  shown.stale = edited && !settings.auto_reset;

  const FrameCache::Entry begin = advance_to(whole, host);
  const FrameCache::Entry end = frame > whole && begin ? advance_to(whole + 1, host) : begin;
  if (!end) {
    shown.kind = ShownFrame::Kind::kInterrupted;
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
  shown_entry_ = shown.frame;
  shown_frame_ = whole;
  return shown;
}

bool Playback::inputs_unchanged(int frame, PlaybackHost& host) {
  const std::vector<int> there = host.animated_inputs();
  if (there.size() != inputs_.size()) return false;
  bool unchanged = true;
  for (const int input : there) {
    const auto found = inputs_.find(input);
    if (found == inputs_.end()) return false;
    SeenInput& seen = found->second;
    const std::uint64_t version = host.version(input);
    if (version != seen.version) {
      seen.edited = !is_as_seen(input, frame, seen, host);
      seen.version = version;
    }
    unchanged = unchanged && !seen.edited;
  }
  return unchanged;
}

bool Playback::is_as_seen(int input, int frame, const SeenInput& seen, PlaybackHost& host) {
  const auto after = seen.by_frame.upper_bound(frame);
  const auto nearest = after == seen.by_frame.begin() ? after : std::prev(after);
  const std::uint64_t here = host.input_at(input, nearest->first);
  if (here != nearest->second) return false;
  const bool still = host.is_still(input);
  for (const auto& [simulated, hash] : seen.by_frame) {
    if (simulated == nearest->first) continue;
    if (host.interrupted(0)) throw Interrupted();
    if ((still ? here : host.input_at(input, simulated)) != hash) return false;
  }
  return true;
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
  for (auto& [input, seen] : inputs_) seen.by_frame[frame] = host.input_at(input, frame);
  if (!inputs_.empty()) host.use_inputs_at(frame);
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
  ++simulated_frames_;
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
