#include "standalone/farm/run_status.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "solver/base/error.h"
#include "solver/base/hash.h"
#include "standalone/farm/submit.h"
#include "standalone/files/atomic_file.h"
#include "standalone/files/file_digest.h"
#include "standalone/files/file_lock.h"
#include "standalone/files/read_file.h"

namespace dashpot {
namespace {

constexpr const char* kStateNames[] = {"pending", "running", "stopped", "failed", "done"};

std::string status_path(const std::string& folder) {
  return (std::filesystem::path(folder) / kStatusName).string();
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
  return std::filesystem::exists(lock_path(folder)) && !FileLock(lock_path(folder), 1).held();
}

}  // namespace

const char* name(RunState state) {
  return kStateNames[static_cast<int>(state)];
}

std::string lock_path(const std::string& folder) {
  return (std::filesystem::path(folder) / kLockName).string();
}

std::vector<std::string> files_of_wedge(const std::string& directory, const WedgePlan& plan) {
  std::vector<std::string> files = files_of_managers(directory);
  const std::filesystem::path folder(directory);
  for (const char* name : {kPlanName, kStatusName, kFailedName})
    files.push_back((folder / name).string());
  for (const WedgeRun& run : plan.runs)
    for (const char* name : {kStatusName, kLogName, kLockName})
      files.push_back((folder / run.name / name).string());
  return files;
}

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder))
    throw InputError("the folder '" + folder + "' cannot be made: " +
                     (error ? error.message() : "there is a file of that name") + ".");
}

std::string run_folder(const std::string& directory, const WedgeRun& run) {
  return (std::filesystem::path(directory) / run.name).string();
}

// A file that somebody damaged is as good as none.
RunStatus read_status(const std::string& folder) try {
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
} catch (const nlohmann::json::exception&) {
  return {};
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
  write_file_atomically((folder / kStatusName).string(), list.dump(2) + "\n");
  write_file_atomically((folder / kFailedName).string(), failed);
}

std::string run_identity(const WedgePlan& plan, const WedgeRun& run) {
  Hash hash;
  add_text(hash, read_file(plan.scene));
  for (const auto* list : {&plan.arguments, &run.arguments})
    for (const std::string& word : *list) add_text(hash, word);
  return hex_digits(hash.value());
}

}  // namespace dashpot
