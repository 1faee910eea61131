#include "standalone/farm/submit.h"

#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "solver/base/error.h"

namespace dashpot {
namespace {

constexpr int kShellFoundNoProgram = 127;

std::string shell_word(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

// Beside bin/ in an installation and in a build folder alike. A studio may have its own.
std::filesystem::path submit_script() {
  const char* own_scripts = std::getenv("DASHPOT_FARM");
  const std::filesystem::path folder =
      own_scripts ? std::filesystem::path(own_scripts)
                  : std::filesystem::path(own_path()).parent_path().parent_path() / "share" /
                        "dashpot" / "farm";
  if (!std::filesystem::exists(folder / "submit.py"))
    throw InputError("'" + folder.string() +
                     "' holds no submit.py; install Dashpot with cmake --install, or let "
                     "DASHPOT_FARM name the folder farm/ of Dashpot.");
  return folder / "submit.py";
}

nlohmann::ordered_json description(const FarmJob& job, const SubmitOptions& options) {
  nlohmann::ordered_json tasks = nlohmann::ordered_json::array();
  for (const FarmTask& task : job.tasks)
    tasks.push_back({{"number", task.number}, {"name", task.name}});
  std::vector<std::string> command = {options.program.empty() ? own_path() : options.program};
  command.insert(command.end(), job.command.begin(), job.command.end());
  return {{"manager", options.manager},
          {"name", job.name},
          {"folder", job.folder},
          {"command", command},
          {"tasks", tasks},
          {"cores", job.threads},
          {"pool", options.pool},
          {"priority", options.priority},
          {"memory", options.memory},
          {"after", options.after},
          {"environment", options.environment},
          {"fields", options.fields},
          {"server", options.server},
          {"dry_run", options.dry_run}};
}

}  // namespace

std::vector<std::string> files_of_managers(const std::string& folder) {
  std::vector<std::string> files;
  for (const char* name : {"slurm.sh", "deadline_job.info", "deadline_plugin.info", "tractor.alf"})
    files.push_back((std::filesystem::path(folder) / name).string());
  return files;
}

std::string own_path() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

bool submit(const FarmJob& job, const SubmitOptions& options) {
  const std::string script = submit_script().string();
  const std::string text = description(job, options).dump();
  std::fflush(stdout);
  std::signal(SIGPIPE, SIG_IGN);  // a script that ends early says why itself
  FILE* pipe = ::popen(("python3 " + shell_word(script)).c_str(), "w");
  if (!pipe) throw InputError("no process can be started for '" + script + "'.");
  std::fwrite(text.data(), 1, text.size(), pipe);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kShellFoundNoProgram)
    throw InputError("python3 is not on this machine; '" + script + "' needs it to submit jobs.");
  return status == 0;
}

}  // namespace dashpot
