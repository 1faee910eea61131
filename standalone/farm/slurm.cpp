#include "standalone/farm/slurm.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <sstream>

#include "solver/base/error.h"
#include "standalone/files/atomic_file.h"

namespace dashpot {
namespace {

// One word of a shell command.
std::string shell_word(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

struct Answer {
  int exit_code;
  std::string text;  // both outputs
};

Answer ask(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += shell_word(word) + " ";
  FILE* pipe = ::popen((line + "2>&1").c_str(), "r");
  if (!pipe) throw InputError("no process can be started for " + words.front() + ".");
  Answer answer{0, ""};
  for (char buffer[512]; std::fgets(buffer, sizeof buffer, pipe);) answer.text += buffer;
  const int status = ::pclose(pipe);
  answer.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  while (!answer.text.empty() && answer.text.back() == '\n') answer.text.pop_back();
  return answer;
}

}  // namespace

std::string array_ranges(const std::vector<std::size_t>& indices) {
  std::ostringstream out;
  for (std::size_t i = 0; i < indices.size();) {
    std::size_t end = i;
    while (end + 1 < indices.size() && indices[end + 1] == indices[end] + 1) ++end;
    out << (i ? "," : "") << indices[i] + 1;
    if (end > i) out << "-" << indices[end] + 1;
    i = end + 1;
  }
  return out.str();
}

std::string slurm_script(const WorkerOptions& options, const std::string& job_name,
                         const std::vector<std::size_t>& indices) {
  const std::string directory = std::filesystem::absolute(options.directory).string();
  std::ostringstream out;
  // Logs are appended to: a requeued task must not wipe out what the first attempt said.
  out << "#!/bin/bash\n#SBATCH --job-name=" << job_name
      << "\n#SBATCH --array=" << array_ranges(indices)
      << "\n#SBATCH --ntasks=1 --cpus-per-task=" << options.threads
      << "\n#SBATCH --requeue --open-mode=append\n#SBATCH --output=\"" << directory
      << "/slurm_%A_%a.log\"\n"
      << "# One array task is one run of the wedge. A task that is started again, by --requeue "
         "after a lost node or by\n# hand, goes on from the run's checkpoint.\nexec "
      << shell_word(options.program) << " wedge " << shell_word(directory)
      << " --task \"$SLURM_ARRAY_TASK_ID\" --threads " << options.threads << " --retries "
      << options.retries << "\n";
  return out.str();
}

std::string submit_to_slurm(const WorkerOptions& options, const std::string& job_name,
                            const std::vector<std::size_t>& indices,
                            const std::vector<std::string>& extra) {
  const std::string script = (std::filesystem::path(options.directory) / kSlurmName).string();
  write_file_atomically(script, slurm_script(options, job_name, indices));
  std::vector<std::string> words = {"sbatch", "--parsable"};
  words.insert(words.end(), extra.begin(), extra.end());
  words.push_back(script);
  const Answer answer = ask(words);
  if (answer.exit_code == 127)
    throw InputError("sbatch is not on this machine; submit '" + script + "' where it is.");
  if (answer.exit_code != 0) throw InputError("sbatch refused '" + script + "': " + answer.text);
  return answer.text.substr(0, answer.text.find(';'));
}

}  // namespace dashpot
