#include "standalone/cli/simulation_run.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "solver/base/error.h"
#include "solver/base/hash.h"
#include "standalone/cli/checkpoint.h"
#include "standalone/cli/interrupt.h"
#include "standalone/geometry/geometry_writer.h"

namespace dashpot {
namespace {

std::uint64_t run_identity(const Simulation& simulation, const SceneFile& scene) {
  Hash hash;
  hash.add_value(simulation.fingerprint());
  hash.add_value(simulation.state().hash());
  hash.add_value(scene.first_frame);
  hash.add_value(scene.fps);
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

std::string checkpoint_path(const std::string& directory) {
  return (std::filesystem::path(directory) / "checkpoint.bin").string();
}

void make_run_directory(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error || !std::filesystem::is_directory(directory))
    throw InputError("the output directory '" + directory + "' cannot be created: " +
                     (error ? error.message() : "there is a file of that name") + ".");
}

SimulationRun::SimulationRun(SceneFile scene, RunOptions options)
    : scene_(std::move(scene)),
      options_(std::move(options)),
      pattern_(options_.out),
      simulation_(scene_.scene),
      frames_(scene_, options_.diagnostics),
      identity_(run_identity(simulation_, scene_)),
      frame_(options_.first_frame),
      progress_(options_.progress, scene_.first_frame, options_.last_frame) {
  if (options_.resume) restore_checkpoint();
  open_directory();
}

void SimulationRun::restore_checkpoint() {
  auto saved = read_checkpoint(checkpoint_path(pattern_.directory()), identity_);
  if (!saved) {
    if (options_.first_frame != scene_.first_frame)
      throw InputError("there is no checkpoint in '" + pattern_.directory() +
                       "' to resume from; simulate from frame " +
                       std::to_string(scene_.first_frame) + ".");
    return;
  }
  simulation_.restore(std::move(saved->state));
  frame_ = saved->frame;
  restored_ = true;
  if (options_.first_frame > frame_ + 1)
    throw InputError("--frames starts at " + std::to_string(options_.first_frame) +
                     ", but the checkpoint is at frame " + std::to_string(frame_) + "; start at " +
                     std::to_string(frame_ + 1) + " or before.");
}

void SimulationRun::open_directory() {
  const std::string directory = pattern_.directory();
  make_run_directory(directory);

  RunManifest manifest = describe_run(scene_, frames_);
  manifest.frames = pattern_.file_name();
  manifest.stats = relative_to(options_.stats, directory);
  manifest.first_frame = scene_.first_frame;
  manifest.last_frame = std::max(options_.last_frame, frame_);
  write_manifest(directory, manifest, options_.record, scene_);

  stats_.emplace(restored_ ? StatsFile::resume(options_.stats, frame_)
                           : StatsFile::create(options_.stats));
  // A checkpoint of an earlier run must not be taken for one of this run.
  std::error_code no_such_file;
  if (!restored_) std::filesystem::remove(checkpoint_path(directory), no_such_file);
}

void SimulationRun::submit_frame(const FrameReport& report, bool with_checkpoint) {
  writer_.submit([this, frame = frame_, state = state_, report, with_checkpoint,
                  diagnostics = simulation_.evaluate(options_.diagnostics)] {
    const auto start = std::chrono::steady_clock::now();
    write_geometry(pattern_.path(frame), frames_.at(frame, *state, diagnostics));
    const std::chrono::duration<double, std::milli> io = std::chrono::steady_clock::now() - start;
    stats_->append(frame_stats(frame, simulation_, *state, report, io.count()));
    if (with_checkpoint) checkpoint(frame, *state);
  });
}

void SimulationRun::submit_checkpoint() {
  writer_.submit([this, frame = frame_, state = state_] { checkpoint(frame, *state); });
}

void SimulationRun::checkpoint(int frame, const State& state) const {
  write_checkpoint(checkpoint_path(pattern_.directory()), identity_, frame, state);
}

void SimulationRun::report_warnings(const FrameReport& report) {
  for (const std::string& sentence : warnings_.add(frame_, report.status))
    progress_.note("dashpot: " + sentence);
}

bool SimulationRun::execute() {
  for (const std::string& sentence : scene_.warnings) progress_.note("dashpot: " + sentence);
  for (const std::string& sentence : frames_.warnings()) progress_.note("dashpot: " + sentence);
  bool finished = false;
  try {
    finished = simulate_frames();
    writer_.finish();
  } catch (...) {
    progress_.finish();
    throw;
  }
  progress_.finish();
  return finished;
}

bool SimulationRun::simulate_frames() {
  state_ = std::make_shared<const State>(simulation_.state());
  if (!restored_) submit_frame(simulation_.measure(), false);
  progress_.start(frame_);
  while (frame_ < options_.last_frame) {
    FrameReport report;
    try {
      report = simulation_.advance(1.0 / scene_.fps, InterruptGuard::interrupted);
    } catch (const SimulationError& error) {
      writer_.finish();
      throw SimulationError("frame " + std::to_string(frame_ + 1) + ": " + error.what());
    }
    if (report.has(Status::kCancelled)) {
      // Substeps of an unfinished frame are dropped: a run goes on from frame to frame.
      submit_checkpoint();
      return false;
    }
    ++frame_;
    ++simulated_frames_;
    iterations_ += report.iterations;
    milliseconds_ += report.ms.total;
    state_ = std::make_shared<const State>(simulation_.state());
    const bool interrupted = InterruptGuard::interrupted();
    // The last one, too: the run may be extended later.
    const bool due = options_.checkpoint_every > 0 &&
                     ((frame_ - scene_.first_frame) % options_.checkpoint_every == 0 ||
                      frame_ == options_.last_frame);
    submit_frame(report, due || interrupted);
    report_warnings(report);
    progress_.frame_done(frame_);
    if (interrupted && frame_ < options_.last_frame) return false;
  }
  return true;
}

void SimulationRun::print_summary() const {
  std::printf("frames   %s, %d to %d\n", options_.out.c_str(), scene_.first_frame, frame_);
  std::printf("stats    %s\n", options_.stats.c_str());
  if (simulated_frames_ > 0)
    std::printf("average  %.1f ms and %.1f iterations per frame\n",
                milliseconds_ / simulated_frames_,
                static_cast<double>(iterations_) / simulated_frames_);
  for (const std::string& line : warnings_.summary()) std::printf("warning  %s\n", line.c_str());
}

}  // namespace dashpot
