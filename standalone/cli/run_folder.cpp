#include "standalone/cli/run_folder.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "solver/base/error.h"
#include "standalone/files/atomic_file.h"
#include "standalone/files/file_ending.h"
#include "standalone/runs/manifest.h"

namespace dashpot {
namespace {

namespace fs = std::filesystem;

// Devices may have any name.
void require_stats_name(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (!fs::exists(status) || fs::is_regular_file(status))
    require_ending(path, {".jsonl", ".json"}, "--stats");
}

}  // namespace

RunFolder::RunFolder(const std::string& out, std::string stats, int first, int last,
                     const InputFiles& inputs)
    : frames_(out),
      stats_(stats.empty() ? (fs::path(out).parent_path() / "stats.jsonl").string()
                           : std::move(stats)) {
  require_stats_name(stats_);
  refuse_stats_among_others();
  refuse_overwrites(first, last, inputs);
  make_directory();
  take_lock();
  remove_leftovers(inputs);
}

std::string RunFolder::manifest() const {
  return (fs::path(directory()) / kManifestName).string();
}

std::string RunFolder::checkpoint() const {
  return (fs::path(directory()) / "checkpoint.bin").string();
}

std::string RunFolder::repair_checkpoint() const {
  return (fs::path(directory()) / "checkpoint_repair.bin").string();
}

void RunFolder::forget_checkpoints() const {
  std::error_code ignored;
  fs::remove(checkpoint(), ignored);
  fs::remove(repair_checkpoint(), ignored);
}

std::string RunFolder::lock_path() const {
  return (fs::path(directory()) / "run.lock").string();
}

std::vector<std::string> RunFolder::single_files() const {
  return {manifest(), checkpoint(), repair_checkpoint(), lock_path()};
}

void RunFolder::refuse_stats_among_others() const {
  const fs::path place = written_place(stats_);
  const fs::path folder = written_place(fs::path(directory()) / "x").parent_path();
  bool taken = place.parent_path() == folder && frames_.frame_of(place.filename().string());
  std::error_code ignored;
  for (const std::string& other : single_files())
    taken = taken || place == written_place(other) || fs::equivalent(stats_, other, ignored);
  if (taken)
    throw InputError("--stats " + stats_ +
                     ": the run writes another file of this name; give it another one, such as "
                     "stats.jsonl.");
}

void RunFolder::refuse_overwrites(int first, int last, const InputFiles& inputs) const {
  inputs.refuse_output(stats_, "--stats");
  for (const std::string& file : single_files()) inputs.refuse_output(file, "--out");
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory(), ignored)) {
    const auto frame = frames_.frame_of(entry.path().filename().string());
    if (frame && *frame >= first && *frame <= last) inputs.refuse_output(entry.path(), "--out");
  }
}

void RunFolder::make_directory() const {
  std::error_code error;
  fs::create_directories(directory(), error);
  if (error || !fs::is_directory(directory()))
    throw InputError("the output directory '" + directory() + "' cannot be created: " +
                     (error ? error.message() : "there is a file of that name") + ".");
}

void RunFolder::take_lock() {
  lock_ = std::make_unique<FileLock>(lock_path());
  if (lock_->held()) return;
  if (lock_->file() < 0)
    throw InputError("the output directory '" + directory() +
                     "' cannot be written to: " + std::strerror(errno) + ".");
  throw BusyError("another dashpot simulate writes into '" + directory() + "' (" + lock_->holder() +
                  "); wait until it ends, or give --out another folder.");
}

void RunFolder::remove_leftovers(const InputFiles& inputs) const {
  std::set<fs::path> own = {written_place(stats_)};
  for (const std::string& file : single_files()) own.insert(written_place(file));
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory(), ignored)) {
    const std::string target = target_of_temporary(entry.path().string());
    const bool ours = !target.empty() && (frames_.frame_of(fs::path(target).filename().string()) ||
                                          own.count(written_place(target)) > 0);
    if (ours && entry.is_regular_file(ignored) && !inputs.has(entry.path()))
      fs::remove(entry.path(), ignored);
  }
}

}  // namespace dashpot
