#include "standalone/cli/submit_option.h"

#include "standalone/cli/option_checks.h"

namespace dashpot {
namespace {

constexpr const char* kFarmGroup = "On a farm";  // in the help

}  // namespace

CLI::Option* add_submit_options(CLI::App& command, SubmitOptions& options) {
  CLI::Option* submit =
      command.add_option("--submit", options.manager, "Let this manager's workers do it")
          ->check(
              one_of(std::vector<std::string>{"slurm", "hqueue", "deadline", "tractor", "opencue"}))
          ->group(kFarmGroup);
  const auto add = [&](const char* name, auto& value, const char* help) {
    command.add_option(name, value, help)
        ->needs(submit)
        ->allow_extra_args(false)
        ->group(kFarmGroup);
  };
  add("--pool", options.pool, "Partition of Slurm, group of HQueue, service of Tractor, tag ...");
  add("--priority", options.priority, "In the manager's own numbers");
  add("--memory", options.memory, "Of each task, as in 16G or 800M");
  add("--after", options.after, "Id of a job that must be done first; several are possible");
  add("--env", options.environment, "NAME=VALUE on the worker, or NAME as it is here");
  add("--job", options.fields, "KEY=VALUE of the manager's own job, as in qos=fast of Slurm");
  add("--server", options.server, "URL of HQueue, host:port of Tractor or of OpenCue");
  add("--dashpot", options.program, "The program on the workers; default: this one");
  command.add_flag("--dry-run", options.dry_run, "Print what would be sent, and send nothing")
      ->needs(submit)
      ->group(kFarmGroup);
  return submit;
}

}  // namespace dashpot
