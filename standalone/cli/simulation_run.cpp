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
#include "standalone/formats/geo_writer.h"

namespace dashpot {
namespace {

using Groups = std::map<std::string, std::vector<int>>;

std::uint64_t run_identity(const Simulation& simulation, const SceneFile& scene) {
  Hash hash;
  hash.add_value(simulation.fingerprint());
  hash.add_value(simulation.state().hash());
  hash.add_value(scene.first_frame);
  hash.add_value(scene.fps);
  return hash.value();
}

void append_groups(const Groups& groups, int offset, Groups& all) {
  for (const auto& [name, members] : groups)
    for (const int member : members) all[name].push_back(member + offset);
}

std::string checkpoint_path(const FramePattern& pattern) {
  return (std::filesystem::path(pattern.directory()) / "checkpoint.bin").string();
}

// Frame files and stats may be moved together with their directory.
std::string relative_to(const std::string& file, const std::string& directory) {
  const auto relative = std::filesystem::absolute(file).lexically_normal().lexically_relative(
      std::filesystem::absolute(directory).lexically_normal());
  const bool inside = !relative.empty() && relative.begin()->string() != "..";
  return (inside ? relative : std::filesystem::absolute(file)).string();
}

}  // namespace

SimulationRun::SimulationRun(SceneFile scene, RunOptions options)
    : scene_(std::move(scene)),
      options_(std::move(options)),
      pattern_(options_.out),
      simulation_(scene_.scene),
      identity_(run_identity(simulation_, scene_)),
      frame_(options_.first_frame),
      progress_(options_.progress, scene_.first_frame, options_.last_frame) {
  for (std::size_t b = 0; b < scene_.scene.bodies.size(); ++b) {
    const Body& body = scene_.scene.bodies[b];
    const int first_point = simulation_.point_offset(static_cast<int>(b));
    append_groups(scene_.sources[b].point_groups, first_point, point_groups_);
    append_groups(scene_.sources[b].tet_groups, simulation_.tet_offset(static_cast<int>(b)),
                  tet_groups_);
    for (int t = 0; t < body.mesh.tet_count(); ++t) {
      Tet tet = input_order(body.mesh, t);
      for (int& point : tet) point += first_point;
      tets_.push_back(tet);
    }
  }
  if (options_.resume) restore_checkpoint();
  open_directory();
}

void SimulationRun::restore_checkpoint() {
  auto saved = read_checkpoint(checkpoint_path(pattern_), identity_);
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
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error || !std::filesystem::is_directory(directory))
    throw InputError("the output directory '" + directory + "' cannot be created: " +
                     (error ? error.message() : "there is a file of that name") + ".");

  RunManifest manifest = describe_run(scene_, simulation_);
  manifest.frames = pattern_.file_name();
  manifest.stats = relative_to(options_.stats, directory);
  manifest.first_frame = scene_.first_frame;
  manifest.last_frame = std::max(options_.last_frame, frame_);
  write_manifest(directory, manifest, options_.record, scene_);

  stats_.emplace(restored_ ? StatsFile::resume(options_.stats, frame_)
                           : StatsFile::create(options_.stats));
  // A checkpoint of an earlier run must not be taken for one of this run.
  if (!restored_) std::filesystem::remove(checkpoint_path(pattern_), error);
}

void SimulationRun::write_frame(const FrameReport& report) {
  const auto start = std::chrono::steady_clock::now();
  const State& state = simulation_.state();
  TetFrame frame;
  frame.points = &state.x;
  frame.velocities = &state.v;
  frame.tets = &tets_;
  for (std::size_t b = 0; b < scene_.scene.bodies.size(); ++b)
    frame.bodies.push_back({scene_.scene.bodies[b].name,
                            simulation_.tet_offset(static_cast<int>(b)),
                            scene_.scene.bodies[b].mesh.tet_count()});
  frame.point_groups = point_groups_;
  frame.tet_groups = tet_groups_;
  frame.time = state.time;
  frame.frame = frame_;
  write_geo_frame(pattern_.path(frame_), frame);
  const std::chrono::duration<double, std::milli> io = std::chrono::steady_clock::now() - start;
  stats_->append(frame_stats(frame_, simulation_, report, io.count()));
}

void SimulationRun::report_warnings(const FrameReport& report) {
  for (const std::string& sentence : warnings_.add(frame_, report.status))
    progress_.note("dashpot: " + sentence);
}

void SimulationRun::checkpoint(const State& state) const {
  write_checkpoint(checkpoint_path(pattern_), identity_, frame_, state);
}

bool SimulationRun::execute() {
  if (!restored_) write_frame(simulation_.measure());
  progress_.start(frame_);
  State complete;
  while (frame_ < options_.last_frame) {
    complete = simulation_.state();
    FrameReport report;
    try {
      report = simulation_.advance(1.0 / scene_.fps, InterruptGuard::interrupted);
    } catch (const SimulationError& error) {
      progress_.finish();
      throw SimulationError("frame " + std::to_string(frame_ + 1) + ": " + error.what());
    }
    if (report.has(Status::kCancelled)) {
      // Substeps of an unfinished frame are dropped: a run goes on from frame to frame.
      checkpoint(complete);
      progress_.finish();
      return false;
    }
    ++frame_;
    ++simulated_frames_;
    iterations_ += report.iterations;
    milliseconds_ += report.ms.total;
    write_frame(report);
    report_warnings(report);
    progress_.frame_done(frame_);
    // The last one, too: the run may be extended later.
    const bool due = options_.checkpoint_every > 0 &&
                     ((frame_ - scene_.first_frame) % options_.checkpoint_every == 0 ||
                      frame_ == options_.last_frame);
    if (due || InterruptGuard::interrupted()) checkpoint(simulation_.state());
    if (InterruptGuard::interrupted() && frame_ < options_.last_frame) {
      progress_.finish();
      return false;
    }
  }
  progress_.finish();
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
