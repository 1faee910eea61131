#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "solver/advice/scene_advice.h"
#include "solver/base/error.h"
#include "solver/base/words.h"
#include "solver/elements/element_diagnostics.h"
#include "solver/host/point_contacts.h"
#include "standalone/cli/commands.h"
#include "standalone/cli/interrupt.h"
#include "standalone/cli/option_checks.h"
#include "standalone/cli/simulation_run.h"
#include "standalone/cli/submit_option.h"

namespace dashpot {
namespace {

constexpr int kMostThreads = 1024;

struct SimulateOptions {
  std::string scene, out, stats, frames;
  std::vector<std::string> overrides, presets, attribs;
  int threads = 0;  // 0: as many as the machine has
  bool resume = false;
  int checkpoint_every = 10;
  Progress::Style progress = Progress::Style::kAuto;
  std::string command_line;
  SubmitOptions submit;
};

// "1-48"; frame numbers may be negative.
void read_frame_range(const std::string& text, int& first, int& last) {
  int end = 0;
  if (std::sscanf(text.c_str(), "%d-%d%n", &first, &last, &end) != 2 ||
      static_cast<std::size_t>(end) != text.size() || last < first)
    throw InputError("--frames " + text + " is not a range of frames; write it as 1-48.");
}

std::vector<std::string> attribute_tokens() {
  std::vector<std::string> tokens = {kContactsToken};
  for (const ElementDiagnostic& diagnostic : element_diagnostics())
    tokens.emplace_back(diagnostic.token);
  return tokens;
}

void read_attribs(const std::vector<std::string>& tokens, RunOptions& run) {
  const std::vector<std::string> known = attribute_tokens();
  for (const std::string& token : tokens) {
    if (std::find(known.begin(), known.end(), token) == known.end())
      throw InputError("there is no attribute '" + token + "' to write" +
                       did_you_mean(token, known));
    if (token == kContactsToken) {
      run.contacts = true;
      continue;
    }
    const ElementDiagnostic* diagnostic = &find_element_diagnostic(token);
    if (std::find(run.diagnostics.begin(), run.diagnostics.end(), diagnostic) ==
        run.diagnostics.end())
      run.diagnostics.push_back(diagnostic);
  }
}

std::string attribs_help() {
  std::string help = "Attributes of the tets to write, separated by commas:";
  for (const ElementDiagnostic& diagnostic : element_diagnostics())
    help += std::string(" ") + diagnostic.token +
            (*diagnostic.unit ? std::string(" [") + diagnostic.unit + "]" : "") + " (" +
            diagnostic.help + ")";
  help += std::string("; and of the points: ") + kContactsToken + " (" + kContactForce + " [N], " +
          kContactSlip + ")";
  return help;
}

std::string default_out(const std::string& scene) {
  const std::filesystem::path stem = std::filesystem::path(scene).stem();
  return (std::filesystem::path("out") / stem / (stem.string() + ".$F4.bgeo.sc")).string();
}

RunOptions run_options(const SimulateOptions& options, const SceneFile& scene) {
  RunOptions run;
  run.first_frame = scene.first_frame;
  run.last_frame = scene.last_frame;
  if (!options.frames.empty()) read_frame_range(options.frames, run.first_frame, run.last_frame);
  if (!options.resume && run.first_frame != scene.first_frame)
    throw InputError("--frames " + options.frames + " must start at the scene's first frame, " +
                     std::to_string(scene.first_frame) + ", unless a run is resumed.");
  run.resume = options.resume;
  run.checkpoint_every = options.checkpoint_every;
  run.progress = options.progress;
  read_attribs(options.attribs, run);
  run.record.command_line = options.command_line;
  run.record.threads = options.threads;
  return run;
}

int run_scene(const SimulateOptions& options) {
  std::optional<Heartbeat> heartbeat;
  heartbeat.emplace(options.progress, "reading " + options.scene);
  SceneFile scene = load_scene_file(options.scene, options.overrides, options.presets);
  heartbeat.reset();
  RunOptions run_settings = run_options(options, scene);
  RunFolder folder(options.out, options.stats, scene.first_frame, run_settings.last_frame,
                   scene.inputs);
  for (std::string& sentence : scene_advice(scene.scene, 1 / scene.fps))
    scene.warnings.push_back(std::move(sentence));
  const InterruptGuard guard;
  std::size_t tets = 0;
  for (const Body& body : scene.scene.bodies) tets += body.mesh.tets.size();
  heartbeat.emplace(options.progress, "preparing " + std::to_string(tets) + " tets");
  SimulationRun run(std::move(scene), std::move(run_settings), folder);
  heartbeat.reset();
  const bool finished = run.execute();
  run.print_summary();
  if (finished) return kExitDone;
  std::fprintf(stderr, "dashpot: interrupted; give --resume to go on from the last frame.\n");
  return kExitInterrupted;
}

std::string absolute_path(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

// The same options for a worker, whose folder is another one.
std::vector<std::string> words_for_a_worker(const SimulateOptions& options, int threads) {
  std::vector<std::string> words = {"simulate", absolute_path(options.scene), "--out",
                                    absolute_path(options.out)};
  const auto add = [&](const char* name, const std::string& value) {
    words.insert(words.end(), {name, value});
  };
  if (!options.stats.empty()) add("--stats", absolute_path(options.stats));
  if (!options.frames.empty()) add("--frames", options.frames);
  for (const std::string& word : options.presets) add("--preset", word);
  for (const std::string& word : options.overrides) add("--set", word);
  for (const std::string& word : options.attribs) add("--attribs", word);
  add("--checkpoint-every", std::to_string(options.checkpoint_every));
  add("--threads", std::to_string(threads));
  words.emplace_back("--resume");
  return words;
}

// As the worker will: refuses what must not be written over, or what another run writes into.
void prepare_folder(const SimulateOptions& options, const SceneFile& scene) {
  const RunFolder folder(options.out, options.stats, scene.first_frame, scene.last_frame,
                         scene.inputs);
  for (const std::string& file : files_of_managers(folder.directory()))
    scene.inputs.refuse_output(file, "--out");
  // The task resumes when it is started again, but not what an earlier run left.
  if (!options.resume) folder.forget_checkpoints();
}

int submit_shot(const SimulateOptions& options) {
  SceneFile scene;
  // What the scene reads may be made by the jobs that it waits for.
  if (options.submit.after.empty()) {
    scene = load_scene_file(options.scene, options.overrides, options.presets);
    scene.last_frame = run_options(options, scene).last_frame;
  }
  const std::string frames = absolute_path(options.out);
  FarmJob job;
  job.name = std::filesystem::path(options.scene).stem().string();
  job.folder = FramePattern(frames).directory();
  job.threads = options.threads > 0 ? options.threads : kThreadsOfATask;
  job.command = words_for_a_worker(options, job.threads);
  job.tasks = {{1, job.name}};
  if (!options.submit.dry_run) prepare_folder(options, scene);
  if (!submit(job, options.submit)) return kExitBadInput;
  if (!options.submit.dry_run)
    std::printf("frames   %s\nthe same line with --resume goes on after a kill\n", frames.c_str());
  return kExitDone;
}

int simulate(SimulateOptions options) {
  if (options.out.empty()) options.out = default_out(options.scene);
  if (!options.submit.manager.empty()) return submit_shot(options);
  if (options.threads == 0) options.threads = tbb::this_task_arena::max_concurrency();
  // The limit alone would not raise the number of threads above that of the cores.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(options.threads));
  tbb::task_arena arena(options.threads);
  return arena.execute([&] { return run_scene(options); });
}

const std::map<std::string, Progress::Style>& progress_styles() {
  static const std::map<std::string, Progress::Style> styles = {
      {"auto", Progress::Style::kAuto},
      {"bar", Progress::Style::kBar},
      {"alf", Progress::Style::kAlf},
      {"deadline", Progress::Style::kDeadline},
      {"none", Progress::Style::kNone}};
  return styles;
}

}  // namespace

void add_simulate_command(CLI::App& app, const std::string& command_line, Action& action) {
  auto options = std::make_shared<SimulateOptions>();
  options->command_line = command_line;
  CLI::App* command = app.add_subcommand("simulate", "Simulate a scene into frame files");
  command->add_option("scene", options->scene, "Scene file (.toml)")->required();
  command->add_option("--out", options->out,
                      "Frame files, with $F or $F4 for the frame number; "
                      "default out/<scene>/<scene>.$F4.bgeo.sc; also .bgeo, .bgeo.gz or .geo");
  command->add_option(
      "--stats", options->stats,
      "Statistics, one JSON object per frame; default stats.jsonl beside the frames");
  command->add_option("--frames", options->frames, "First and last frame, as in 1-48");
  command->add_option("--threads", options->threads, "Threads; the result does not depend on it")
      ->check(number_between(1, kMostThreads));
  command
      ->add_option("--set", options->overrides,
                   "Override a key of the scene: simulation.substeps=2, body.jelly.scale=2")
      ->allow_extra_args(false);
  command
      ->add_option("--preset", options->presets,
                   "Material and damping of all bodies, as in jelly, or of one, as in "
                   "tummy=fleshjiggle; --set wins over it; dashpot presets lists them")
      ->allow_extra_args(false);
  command->add_option("--attribs", options->attribs, attribs_help())
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_flag("--resume", options->resume, "Go on from the checkpoint of a stopped run");
  command
      ->add_option("--checkpoint-every", options->checkpoint_every,
                   "Frames between checkpoints; 0 writes one only when interrupted")
      ->capture_default_str()
      ->check(number_between(0, 1000000));
  command
      ->add_option("--progress", options->progress,
                   "auto, bar, alf (for Tractor), deadline or none")
      ->transform(one_of(progress_styles()));
  add_submit_options(*command, options->submit);
  command->callback([options, &action] { action = [options] { return simulate(*options); }; });
}

}  // namespace dashpot
