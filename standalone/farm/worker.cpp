#include "standalone/farm/worker.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <deque>
#include <filesystem>
#include <fstream>
#include <thread>

#include "solver/base/error.h"

namespace dashpot {
namespace {

constexpr auto kPollInterval = std::chrono::milliseconds(20);
// A scheduler may signal all processes of a task at once. A run takes the first signal as a request
// and the second as an order, so the request is passed on late.
constexpr auto kGrace = std::chrono::seconds(5);
constexpr int kExitInterruptedRun = 130;

std::string host_name() {
  char text[256] = {};
  return ::gethostname(text, sizeof text - 1) == 0 ? text : "";
}

// The last line that a failed run printed is its reason.
std::string last_line(const std::string& path) {
  std::ifstream file(path);
  std::string last;
  for (std::string line; std::getline(file, line);)
    if (!line.empty()) last = line;
  return last;
}

std::string log_path(const std::string& folder) {
  return (std::filesystem::path(folder) / kLogName).string();
}

[[noreturn]] void become(const std::vector<std::string>& words, const std::string& log, int lock,
                         pid_t parent, bool own_group) {
  if (own_group) ::setpgid(0, 0);  // a Ctrl-C reaches runs once, through interrupt()
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(kExitInterruptedRun);
  ::fcntl(lock, F_SETFD, 0);
  if (!log.empty()) {
    const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    ::dup2(file, STDOUT_FILENO);
    ::dup2(file, STDERR_FILENO);
  }
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  ::execvp(pointers[0], pointers.data());
  ::_exit(127);
}

std::string made_folder(const std::string& folder) {
  make_folder(folder);
  return folder;
}

}  // namespace

Worker::Worker(const WorkerOptions& options, const WedgePlan& plan, const WedgeRun& run)
    : options_(options),
      plan_(plan),
      run_(run),
      folder_(made_folder(run_folder(options.directory, run))),
      lock_(lock_path(folder_)) {
  if (busy_elsewhere()) return;
  const std::string identity = run_identity(plan, run);
  status_ = read_status(folder_);
  const bool same = status_.identity == identity && !options.fresh;
  if (same && status_.state == RunState::kDone) return;
  resume_ = same;
  if (!same) status_ = RunStatus{};
  status_.identity = identity;
  status_.host = host_name();
  status_.process = ::getpid();
  start();
}

std::vector<std::string> Worker::command() const {
  const std::filesystem::path frames =
      std::filesystem::path(folder_) / (run_.name + ".$F4.bgeo.sc");
  std::vector<std::string> words = {options_.program,
                                    "simulate",
                                    plan_.scene,
                                    "--out",
                                    frames.string(),
                                    "--threads",
                                    std::to_string(options_.threads),
                                    "--progress",
                                    options_.progress};
  for (const auto* list : {&plan_.arguments, &run_.arguments})
    words.insert(words.end(), list->begin(), list->end());
  if (resume_) words.emplace_back("--resume");
  return words;
}

void Worker::start() {
  const std::string log = options_.own_output ? "" : log_path(folder_);
  if (!resume_) std::filesystem::remove(log_path(folder_));
  status_.state = RunState::kRunning;
  ++status_.attempts;
  write_status(folder_, status_);
  const std::vector<std::string> words = command();
  const pid_t parent = ::getpid();
  child_ = ::fork();
  if (child_ == 0) become(words, log, lock_.file(), parent, !options_.own_output);
  if (child_ < 0) {
    child_ = 0;
    throw InputError("no process can be started for run " + run_.name + ".");
  }
}

void Worker::poll() {
  int wait_status = 0;
  if (child_ == 0 || ::waitpid(child_, &wait_status, WNOHANG) != child_) return;
  child_ = 0;
  ended(wait_status);
}

void Worker::ended(int wait_status) {
  const bool killed = WIFSIGNALED(wait_status);
  status_.exit_code = killed ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
  if (killed && !interrupted_ && kills_++ < options_.retries) {
    resume_ = true;
    start();
    return;
  }
  status_.message.clear();
  if (status_.exit_code == 0) {
    status_.state = RunState::kDone;
  } else if (interrupted_ || status_.exit_code == kExitInterruptedRun) {
    status_.state = RunState::kStopped;
  } else {
    status_.state = RunState::kFailed;
    status_.message =
        killed ? "killed by signal " + std::to_string(WTERMSIG(wait_status))
        : options_.own_output
            ? "ended with code " + std::to_string(status_.exit_code) + "; the task's log says why"
            : last_line(log_path(folder_));
  }
  write_status(folder_, status_);
}

void Worker::interrupt() {
  if (child_ > 0 && !interrupted_) ::kill(child_, SIGTERM);
  interrupted_ = true;
}

bool run_side_by_side(const WorkerOptions& options, const WedgePlan& plan,
                      const std::vector<std::size_t>& indices, int parallel,
                      const std::function<bool()>& interrupted,
                      const std::function<void(const Worker&)>& note) {
  std::deque<std::size_t> waiting(indices.begin(), indices.end());
  std::vector<std::unique_ptr<Worker>> workers;
  auto asked = std::chrono::steady_clock::time_point::max();
  while (!workers.empty() || !waiting.empty()) {
    const bool stop = interrupted();
    const auto now = std::chrono::steady_clock::now();
    if (stop) waiting.clear();
    if (stop && asked == std::chrono::steady_clock::time_point::max()) asked = now;
    while (!waiting.empty() && static_cast<int>(workers.size()) < parallel) {
      workers.push_back(std::make_unique<Worker>(options, plan, plan.runs[waiting.front()]));
      waiting.pop_front();
    }
    for (const auto& worker : workers) {
      if (stop && (!options.own_output || now - asked > kGrace)) worker->interrupt();
      worker->poll();
      if (worker->finished()) note(*worker);
    }
    workers.erase(std::remove_if(workers.begin(), workers.end(),
                                 [](const auto& worker) { return worker->finished(); }),
                  workers.end());
    if (!workers.empty()) std::this_thread::sleep_for(kPollInterval);
  }
  return !interrupted();
}

}  // namespace dashpot
