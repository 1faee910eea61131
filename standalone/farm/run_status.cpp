#include "standalone/farm/run_status.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "solver/base/hash.h"
#include "standalone/files/atomic_file.h"
#include "standalone/files/text_scanner.h"

namespace dashpot {
namespace {

constexpr const char* kStateNames[] = {"pending", "running", "stopped", "failed", "done"};

std::string status_path(const std::string& folder) {
  return (std::filesystem::path(folder) / "status.json").string();
}
std::string lock_path(const std::string& folder) {
  return (std::filesystem::path(folder) / "lock").string();
}

void add_text(Hash& hash, const std::string& text) {
  for (const char c : text) hash.add_value(c);
  hash.add_value(text.size());
}

nlohmann::ordered_json status_json(const RunStatus& status) {
  return {{"state", name(status.state)}, {"exit_code", status.exit_code},
          {"attempts", status.attempts}, {"identity", status.identity},
          {"host", status.host},         {"process", status.process},
          {"message", status.message}};
}

bool is_locked(const std::string& folder) {
  return std::filesystem::exists(lock_path(folder)) && !RunLock(folder, 1).held();
}

}  // namespace

const char* name(RunState state) {
  return kStateNames[static_cast<int>(state)];
}

std::string run_folder(const std::string& directory, const WedgeRun& run) {
  return (std::filesystem::path(directory) / run.name).string();
}

RunStatus read_status(const std::string& folder) {
  RunStatus status;
  if (!std::filesystem::exists(status_path(folder))) return status;
  const auto json = nlohmann::json::parse(read_file(status_path(folder)), nullptr, false);
  if (!json.is_object()) return status;
  const std::string state = json.value("state", "pending");
  for (int i = 0; i < 5; ++i)
    if (state == kStateNames[i]) status.state = static_cast<RunState>(i);
  status.exit_code = json.value("exit_code", 0);
  status.attempts = json.value("attempts", 0);
  status.identity = json.value("identity", "");
  status.host = json.value("host", "");
  status.process = json.value("process", 0L);
  status.message = json.value("message", "");
  if (status.state == RunState::kRunning && !is_locked(folder)) status.state = RunState::kStopped;
  return status;
}

void write_status(const std::string& folder, const RunStatus& status) {
  write_file_atomically(status_path(folder), status_json(status).dump(2) + "\n");
}

void forget_status(const std::string& folder) {
  std::error_code nothing_to_forget;
  std::filesystem::remove(status_path(folder), nothing_to_forget);
}

void write_summary(const std::string& directory, const WedgePlan& plan) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::string failed;
  for (const WedgeRun& run : plan.runs) {
    const RunStatus status = read_status(run_folder(directory, run));
    nlohmann::ordered_json entry = {{"name", run.name}};
    entry.update(status_json(status));
    list.push_back(entry);
    if (status.state == RunState::kFailed || status.state == RunState::kStopped)
      failed += run.name + "\n";
  }
  const std::filesystem::path folder(directory);
  write_file_atomically((folder / "status.json").string(), list.dump(2) + "\n");
  write_file_atomically((folder / "failed.txt").string(), failed);
}

std::string run_identity(const WedgePlan& plan, const WedgeRun& run) {
  Hash hash;
  add_text(hash, read_file(plan.scene));
  for (const auto* list : {&plan.arguments, &run.arguments})
    for (const std::string& word : *list) add_text(hash, word);
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash.value()));
  return digits;
}

RunLock::RunLock(const std::string& folder, int tries)
    : file_(::open(lock_path(folder).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  held_ = file_ < 0;
  for (int i = 0; i < tries && !held_; ++i) {
    if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    held_ = ::flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  }
}

RunLock::~RunLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace dashpot
