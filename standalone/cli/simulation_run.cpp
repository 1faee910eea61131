#include "standalone/cli/simulation_run.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "solver/base/error.h"
#include "solver/base/hash.h"
#include "standalone/cli/interrupt.h"
#include "standalone/cli/kept_frames.h"
#include "standalone/geometry/geometry_writer.h"

namespace dashpot {
namespace {

std::uint64_t run_identity(const Simulation& simulation, const SceneFile& scene,
                           const RunOptions& options) {
  Hash hash;
  hash.add_value(simulation.fingerprint());
  hash.add_value(simulation.state().hash());
  hash.add_value(scene.first_frame);
  hash.add_value(scene.fps);
  for (const ElementDiagnostic* diagnostic : options.diagnostics)
    hash.add(diagnostic->token, std::strlen(diagnostic->token));
  hash.add_value(static_cast<int>(options.contacts));
  return hash.value();
}

// Frame files and stats may be moved together with their directory.
std::string relative_to(const std::string& file, const std::string& directory) {
  const auto relative = std::filesystem::absolute(file).lexically_normal().lexically_relative(
      std::filesystem::absolute(directory).lexically_normal());
  const bool inside = !relative.empty() && relative.begin()->string() != "..";
  return (inside ? relative : std::filesystem::absolute(file)).string();
}

}  // namespace

SimulationRun::SimulationRun(SceneFile scene, RunOptions options, RunFolder& folder)
    : scene_(std::move(scene)),
      options_(std::move(options)),
      folder_(folder),
      simulation_(scene_.scene),
      frames_(scene_, options_.diagnostics),
      identity_(run_identity(simulation_, scene_, options_)),
      frame_(scene_.first_frame),
      state_(std::make_shared<const State>(simulation_.state())),
      progress_(options_.progress, scene_.first_frame, options_.last_frame),
      warnings_(scene_.scene.settings) {
  if (options_.resume) restore_checkpoint();
  open_files();
}

void SimulationRun::restore_checkpoint() {
  restored_ = read_checkpoint(folder_.checkpoint(), identity_);
  if (!restored_) {
    if (options_.first_frame != scene_.first_frame)
      throw InputError("there is no checkpoint in '" + folder_.directory() +
                       "' to resume from; simulate from frame " +
                       std::to_string(scene_.first_frame) + ".");
    return;
  }
  if (options_.first_frame > restored_->frame + 1)
    throw InputError("--frames starts at " + std::to_string(options_.first_frame) +
                     ", but the checkpoint is at frame " + std::to_string(restored_->frame) +
                     "; start at " + std::to_string(restored_->frame + 1) + " or before.");
}

void SimulationRun::open_files() {
  if (restored_) {
    const KeptFrames kept = check_frames(folder_, scene_.first_frame, restored_->frame);
    lost_ = kept.lost();
    if (!lost_.empty()) progress_.note("dashpot: " + kept.complaint() + "; simulating again.");
    stats_.emplace(StatsFile::resume(folder_.stats(), kept.lines));
  } else {
    stats_.emplace(StatsFile::create(folder_.stats()));
    folder_.forget_checkpoints();
  }
  RunManifest manifest = describe_run(scene_, frames_);
  manifest.frames = folder_.frames().file_name();
  manifest.stats = relative_to(folder_.stats(), folder_.directory());
  manifest.first_frame = scene_.first_frame;
  manifest.last_frame = std::max(options_.last_frame, restored_ ? restored_->frame : frame_);
  write_manifest(folder_.manifest(), manifest, options_.record, scene_);
}

void SimulationRun::submit_frame(const FrameReport& report) {
  writer_.submit([this, frame = frame_, state = state_, report,
                  diagnostics = simulation_.evaluate(options_.diagnostics)] {
    const auto start = std::chrono::steady_clock::now();
    const ContactReport* contacts = options_.contacts ? &report.contact : nullptr;
    const FileDigest file = write_geometry(folder_.frames().path(frame),
                                           frames_.at(frame, *state, diagnostics, contacts));
    const std::chrono::duration<double, std::milli> io = std::chrono::steady_clock::now() - start;
    stats_->append(frame_stats(frame, simulation_, *state, report, io.count(), file));
  });
}

void SimulationRun::submit_checkpoint(const std::string& path) {
  writer_.submit([this, path, frame = frame_, state = state_] {
    write_checkpoint(path, identity_, frame, *state);
  });
}

void SimulationRun::report_warnings(const FrameReport& report) {
  for (const std::string& sentence : warnings_.add(frame_, report))
    progress_.note("dashpot: " + sentence);
  if (warned_of_precision_) return;
  const auto coarse = frames_.precision_warning(*state_);
  if (coarse) progress_.note("dashpot: frame " + std::to_string(frame_) + ": " + *coarse);
  warned_of_precision_ = coarse.has_value();
}

bool SimulationRun::execute() {
  for (const std::string& sentence : scene_.warnings) progress_.note("dashpot: " + sentence);
  for (const std::string& sentence : frames_.warnings()) progress_.note("dashpot: " + sentence);
  bool finished = false;
  try {
    finished = repair_and_simulate();
    writer_.finish();
  } catch (...) {
    progress_.finish();
    throw;
  }
  progress_.finish();
  return finished;
}

bool SimulationRun::repair_and_simulate() {
  if (restored_) {
    if (!lost_.empty() && !repair()) return false;
    start_at(restored_->frame, std::move(restored_->state));
  } else {
    submit_frame(simulation_.measure());
  }
  progress_.start(frame_);
  return simulate({options_.last_frame, folder_.checkpoint()});
}

bool SimulationRun::repair() {
  // One that was interrupted left a checkpoint of its own; a useless one is as good as none.
  std::optional<Checkpoint> begun;
  try {
    begun = read_checkpoint(folder_.repair_checkpoint(), identity_);
  } catch (const InputError&) {
  }
  if (begun && begun->frame < *lost_.begin())
    start_at(begun->frame, std::move(begun->state));
  else if (lost_.count(frame_) > 0)
    submit_frame(simulation_.measure());
  progress_.start(frame_);
  if (!simulate({*lost_.rbegin(), folder_.repair_checkpoint(), &lost_})) return false;
  writer_.finish();
  std::error_code ignored;
  std::filesystem::remove(folder_.repair_checkpoint(), ignored);
  // Their lines are at the end now.
  const auto lines = read_stats_lines(folder_.stats(), scene_.first_frame, restored_->frame);
  stats_.reset();
  stats_.emplace(StatsFile::resume(folder_.stats(), lines));
  return true;
}

void SimulationRun::start_at(int frame, State state) {
  simulation_.restore(std::move(state));
  frame_ = frame;
  state_ = std::make_shared<const State>(simulation_.state());
}

FrameReport SimulationRun::advance() {
  // The first step takes longer than others: it factors the matrix.
  std::optional<Heartbeat> heartbeat;
  if (simulated_frames_ == 0)
    heartbeat.emplace(options_.progress, "preparing frame " + std::to_string(frame_ + 1));
  try {
    return simulation_.advance(1.0 / scene_.fps, InterruptGuard::interrupted);
  } catch (const SimulationError& error) {
    writer_.finish();
    throw SimulationError("frame " + std::to_string(frame_ + 1) + ": " + error.what());
  }
}

bool SimulationRun::simulate(const Stretch& stretch) {
  while (frame_ < stretch.last) {
    const FrameReport report = advance();
    if (report.has(Status::kCancelled)) {
      // Substeps of an unfinished frame are dropped: a run goes on from frame to frame.
      submit_checkpoint(stretch.checkpoint);
      return false;
    }
    ++frame_;
    ++simulated_frames_;
    iterations_ += report.iterations;
    milliseconds_ += report.ms.total;
    state_ = std::make_shared<const State>(simulation_.state());
    const bool interrupted = InterruptGuard::interrupted();
    if (stretch.writes(frame_)) submit_frame(report);
    if (interrupted || checkpoint_is_due(stretch)) submit_checkpoint(stretch.checkpoint);
    report_warnings(report);
    progress_.frame_done(frame_);
    if (interrupted && frame_ < stretch.last) return false;
  }
  return true;
}

bool SimulationRun::checkpoint_is_due(const Stretch& stretch) const {
  // The last one, too: the run may be extended later.
  return options_.checkpoint_every > 0 &&
         ((frame_ - scene_.first_frame) % options_.checkpoint_every == 0 || frame_ == stretch.last);
}

void SimulationRun::print_summary() const {
  std::printf("frames   %s, %d to %d\n", folder_.frames().text().c_str(), scene_.first_frame,
              frame_);
  std::printf("stats    %s\n", folder_.stats().c_str());
  if (simulated_frames_ > 0)
    std::printf("average  %.1f ms and %.1f iterations per frame\n",
                milliseconds_ / simulated_frames_,
                static_cast<double>(iterations_) / simulated_frames_);
  for (const std::string& line : warnings_.summary()) std::printf("warning  %s\n", line.c_str());
}

}  // namespace dashpot
