#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <thread>

#include "solver/base/error.h"
#include "standalone/cli/commands.h"
#include "standalone/cli/interrupt.h"
#include "standalone/cli/option_checks.h"
#include "standalone/cli/submit_option.h"
#include "standalone/farm/worker.h"
#include "standalone/scene/scene_file.h"

namespace dashpot {
namespace {

struct WedgeOptions {
  std::string scene;  // or the folder of a wedge
  std::string out;
  std::vector<std::string> vary, overrides, presets, attribs;
  std::string frames, progress = "alf";
  int checkpoint_every = 10;
  int threads = 0, threads_per_run = 0;  // 0: as many as fit
  int retries = 2, task = 0;
  bool fresh = false, rerun_failed = false, status = false, plan_only = false;
  SubmitOptions submit;
};

std::vector<std::string> common_arguments(const WedgeOptions& options) {
  std::vector<std::string> words;
  for (const std::string& word : options.presets) words.insert(words.end(), {"--preset", word});
  for (const std::string& word : options.overrides) words.insert(words.end(), {"--set", word});
  for (const std::string& word : options.attribs) words.insert(words.end(), {"--attribs", word});
  if (!options.frames.empty()) words.insert(words.end(), {"--frames", options.frames});
  words.insert(words.end(), {"--checkpoint-every", std::to_string(options.checkpoint_every)});
  return words;
}

struct CheckedValues {
  InputFiles inputs;        // all that are read
  std::vector<int> frames;  // the scene's first and last one
};

// Every value of the grid is read once, so that a mistake is found before a hundred runs are
// queued.
CheckedValues check_values(const WedgeOptions& options, const std::vector<Variation>& variations) {
  CheckedValues checked;
  std::vector<Variation> one = variations;
  for (Variation& variation : one) variation.values.resize(1);
  for (std::size_t v = 0; v < variations.size(); ++v) {
    for (std::size_t i = v == 0 ? 0 : 1; i < variations[v].values.size(); ++i) {
      one[v].values = {variations[v].values[i]};
      std::vector<std::string> overrides = options.overrides, presets = options.presets;
      const std::vector<std::string> words = expand(one).front().arguments;
      for (std::size_t w = 0; w < words.size(); w += 2)
        (words[w] == "--set" ? overrides : presets).push_back(words[w + 1]);
      const SceneFile scene = load_scene_file(options.scene, overrides, presets);
      checked.inputs.add(scene.inputs);
      if (checked.frames.empty()) checked.frames = {scene.first_frame, scene.last_frame};
    }
    one[v].values = {variations[v].values.front()};
  }
  return checked;
}

std::string wedge_folder(const WedgeOptions& options) {
  if (!options.out.empty()) return options.out;
  const std::filesystem::path stem = std::filesystem::path(options.scene).stem();
  return (std::filesystem::path("out") / (stem.string() + "_wedge")).string();
}

WedgePlan make_plan(const WedgeOptions& options) {
  if (options.vary.empty())
    throw InputError("say what to vary, as in --vary body.jelly.dampingtime=0.01,0.03,0.1.");
  std::vector<Variation> variations;
  for (const std::string& argument : options.vary) variations.push_back(read_variation(argument));
  WedgePlan plan{std::filesystem::absolute(options.scene).lexically_normal().string(),
                 common_arguments(options),
                 expand(variations),
                 {}};
  // What the runs read may be made by the jobs that they wait for.
  if (!options.submit.after.empty()) return plan;
  CheckedValues checked = check_values(options, variations);
  for (const std::string& file : files_of_wedge(wedge_folder(options), plan))
    checked.inputs.refuse_output(file, "--out");
  plan.frames = std::move(checked.frames);
  return plan;
}

// All that are not done, or those that began and did not finish.
std::vector<std::size_t> chosen_runs(const WedgeOptions& options, const std::string& directory,
                                     const WedgePlan& plan) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < plan.runs.size(); ++i) {
    const RunStatus status = read_status(run_folder(directory, plan.runs[i]));
    const bool broken = status.state == RunState::kFailed || status.state == RunState::kStopped;
    const bool done = !options.fresh && status.state == RunState::kDone &&
                      status.identity == run_identity(plan, plan.runs[i]);
    if (options.rerun_failed ? broken : !done && status.state != RunState::kRunning)
      indices.push_back(i);
  }
  return indices;
}

void print_run(const WedgeRun& run, const RunStatus& status) {
  std::printf("%-8s %s%s%s\n", name(status.state), run.name.c_str(),
              status.message.empty() ? "" : ": ", status.message.c_str());
}

// How it stands; the exit code says whether anything is left to be rerun.
int print_outcome(const std::string& directory, const WedgePlan& plan, bool each_run) {
  write_summary(directory, plan);
  int count[5] = {};
  for (const WedgeRun& run : plan.runs) {
    const RunStatus status = read_status(run_folder(directory, run));
    ++count[static_cast<int>(status.state)];
    const bool broken = status.state == RunState::kFailed || status.state == RunState::kStopped;
    if (each_run || broken) print_run(run, status);
  }
  std::printf("%d done, %d running, %d pending, %d stopped, %d failed of %zu in %s\n", count[4],
              count[1], count[0], count[2], count[3], plan.runs.size(), directory.c_str());
  if (count[3] + count[2] == 0) return kExitDone;
  std::printf("dashpot wedge %s --rerun-failed runs those again\n", directory.c_str());
  return kExitFailed;
}

struct Budget {
  int threads_per_run, parallel;
};
Budget share_threads(const WedgeOptions& options, std::size_t run_count) {
  const int threads = options.threads > 0
                          ? options.threads
                          : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int side_by_side = std::clamp(static_cast<int>(run_count), 1, threads);
  const int each = std::min(
      threads, options.threads_per_run > 0 ? options.threads_per_run : threads / side_by_side);
  return {each, threads / each};
}

int run_task(const WedgeOptions& options, WorkerOptions worker, const WedgePlan& plan) {
  if (options.task > static_cast<int>(plan.runs.size()))
    throw InputError("--task " + std::to_string(options.task) + ": the wedge has only " +
                     std::to_string(plan.runs.size()) + " runs.");
  worker.own_output = true;
  worker.threads = share_threads(options, 1).threads_per_run;
  int exit_code = kExitDone;
  const InterruptGuard guard;
  run_side_by_side(worker, plan, {static_cast<std::size_t>(options.task - 1)}, 1,
                   InterruptGuard::interrupted, [&](const Worker& ended) {
                     exit_code = ended.busy_elsewhere() ? kExitBusy : ended.status().exit_code;
                     if (ended.busy_elsewhere())
                       std::fprintf(stderr, "dashpot: run %s is under way in another process.\n",
                                    ended.run().name.c_str());
                   });
  return exit_code;
}

int run_here(const WedgeOptions& options, WorkerOptions worker, const WedgePlan& plan,
             const std::vector<std::size_t>& indices) {
  const Budget budget = share_threads(options, indices.size());
  worker.threads = budget.threads_per_run;
  std::printf("%zu of %zu runs, %d at a time with %d threads each, into %s\n", indices.size(),
              plan.runs.size(), budget.parallel, budget.threads_per_run, worker.directory.c_str());
  std::fflush(stdout);
  const InterruptGuard guard;
  const bool finished = run_side_by_side(worker, plan, indices, budget.parallel,
                                         InterruptGuard::interrupted, [&](const Worker& ended) {
                                           if (ended.busy_elsewhere())
                                             std::printf("running  %s, in another process\n",
                                                         ended.run().name.c_str());
                                           else
                                             print_run(ended.run(), ended.status());
                                           std::fflush(stdout);
                                           write_summary(worker.directory, plan);
                                         });
  const int exit_code = print_outcome(worker.directory, plan, false);
  return finished ? exit_code : kExitInterrupted;
}

int submit_runs(const WedgeOptions& options, const WorkerOptions& worker, const WedgePlan& plan,
                const std::vector<std::size_t>& indices) {
  FarmJob job;
  job.name = std::filesystem::path(plan.scene).stem().string();
  job.folder = std::filesystem::absolute(worker.directory).lexically_normal().string();
  job.threads = options.threads_per_run > 0 ? options.threads_per_run
                : options.threads > 0       ? options.threads
                                            : kThreadsOfATask;
  job.command = {"wedge", job.folder, "--task", kTaskNumber};
  job.command.insert(job.command.end(), {"--threads", std::to_string(job.threads), "--retries",
                                         std::to_string(options.retries)});
  for (const std::size_t i : indices) {
    job.tasks.push_back({i + 1, plan.runs[i].name});
    // Not --fresh in the task: one that is started again is to resume.
    if (options.fresh && !options.submit.dry_run)
      forget_status(run_folder(worker.directory, plan.runs[i]));
  }
  if (!submit(job, options.submit)) return kExitBadInput;
  if (!options.submit.dry_run)
    std::printf("%zu of %zu runs; dashpot wedge %s --status says how they are\n", indices.size(),
                plan.runs.size(), worker.directory.c_str());
  return kExitDone;
}

int wedge(const WedgeOptions& options) {
  const bool is_folder = std::filesystem::is_directory(options.scene);
  const bool made_later = !options.submit.after.empty();
  if (!is_folder && !made_later && !std::filesystem::exists(options.scene))
    throw InputError("there is no scene or folder of a wedge '" + options.scene +
                     "'; check the name.");
  if (is_folder && !options.vary.empty())
    throw InputError("'" + options.scene + "' is a wedge already; give its scene to vary more.");
  // Of a scene whose wedge was made before, its folder is known.
  const bool asks_back = options.status || options.rerun_failed || options.task > 0;
  const bool planned = is_folder || (options.vary.empty() && asks_back);
  WorkerOptions worker;
  worker.program = own_path();
  worker.directory = is_folder ? options.scene : wedge_folder(options);
  const WedgePlan plan = planned ? read_plan(worker.directory) : make_plan(options);
  worker.retries = options.retries;
  worker.fresh = options.fresh;
  worker.progress = options.progress;
  if (options.task > 0) return run_task(options, worker, plan);
  if (options.status) return print_outcome(worker.directory, plan, true);
  if (!planned && !options.submit.dry_run) {
    make_folder(worker.directory);
    write_plan(worker.directory, plan);
  }
  if (options.plan_only) return print_outcome(worker.directory, plan, true);
  const std::vector<std::size_t> indices = chosen_runs(options, worker.directory, plan);
  if (indices.empty()) {
    std::printf("nothing is left to run\n");
    return print_outcome(worker.directory, plan, false);
  }
  if (options.submit.manager.empty()) return run_here(options, worker, plan, indices);
  return submit_runs(options, worker, plan, indices);
}

void add_run_options(CLI::App& command, WedgeOptions& options) {
  command.add_option("--set", options.overrides, "Override a key of the scene in all runs")
      ->allow_extra_args(false);
  command.add_option("--preset", options.presets, "Preset of all runs")->allow_extra_args(false);
  command.add_option("--frames", options.frames, "First and last frame, as in 1-48");
  command.add_option("--attribs", options.attribs, "As of dashpot simulate")
      ->allow_extra_args(false);
  command
      .add_option("--checkpoint-every", options.checkpoint_every,
                  "Frames between checkpoints: what a kill costs")
      ->capture_default_str()
      ->check(number_between(1, 1000000));
}

}  // namespace

void add_wedge_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<WedgeOptions>();
  CLI::App* command = app.add_subcommand("wedge", "Simulate a grid of variations of a scene");
  command->add_option("scene", options->scene, "Scene file, or the folder of a wedge")->required();
  command
      ->add_option("--vary", options->vary,
                   "A key and its values: body.jelly.dampingtime=0.01,0.1, preset=jelly,gel or "
                   "preset.tummy=jelly,gel; several make a grid")
      ->allow_extra_args(false);
  add_run_options(*command, *options);
  command->add_option("--out", options->out, "Folder; default out/<scene>_wedge");
  command->add_option("--threads", options->threads, "Threads of all runs together")
      ->check(number_between(1, 1024));
  command->add_option("--threads-per-run", options->threads_per_run, "Default: an even share")
      ->check(number_between(1, 1024));
  command->add_option("--retries", options->retries, "Times that a killed run is taken up at once")
      ->capture_default_str()
      ->check(number_between(0, 100));
  command->add_flag("--rerun-failed", options->rerun_failed,
                    "Only runs that failed or were stopped; they go on from their checkpoints");
  command->add_flag("--fresh", options->fresh, "Forget earlier attempts and start from frame one");
  command->add_flag("--status", options->status, "Say how the runs are, and run nothing");
  command->add_flag("--plan-only", options->plan_only,
                    "Write wedge.json and run nothing: for PDG, or a farm of your own");
  command->add_option("--task", options->task, "Run this one only, counted from 1: for a farm")
      ->check(number_between(1, 1000000));
  command->add_option("--progress", options->progress, "Of --task: alf, deadline or none")
      ->check(one_of(std::vector<std::string>{"alf", "deadline", "none"}));
  CLI::Option* submit = add_submit_options(*command, options->submit);
  for (const char* name : {"--task", "--status", "--plan-only"})
    submit->excludes(command->get_option(name));
  command->callback([options, &action] { action = [options] { return wedge(*options); }; });
}

}  // namespace dashpot
