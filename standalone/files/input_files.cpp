#include "standalone/files/input_files.h"

#include <sys/stat.h>

#include <optional>
#include <system_error>

#include "solver/base/error.h"
#include "standalone/files/frame_name.h"

namespace dashpot {
namespace {

namespace fs = std::filesystem;

std::optional<std::pair<dev_t, ino_t>> identity_of(const fs::path& file) {
  struct stat status = {};
  if (::stat(file.c_str(), &status) != 0) return std::nullopt;
  return std::pair(status.st_dev, status.st_ino);
}

}  // namespace

void InputFiles::add(const fs::path& file) {
  if (const auto identity = identity_of(file)) files_.emplace(*identity, file);
}

void InputFiles::add_sequence(const fs::path& pattern) {
  if (!has_frame_number(pattern.filename().string())) return;
  std::error_code ignored;
  const fs::path parent = pattern.parent_path();
  for (const auto& entry : fs::directory_iterator(parent.empty() ? "." : parent, ignored)) {
    const std::string name = entry.path().filename().string();
    if (frame_number(pattern.filename().string(), name)) add(parent / name);
  }
}

void InputFiles::add(const InputFiles& others) {
  files_.insert(others.files_.begin(), others.files_.end());
}

const fs::path* InputFiles::find(const fs::path& file) const {
  const auto identity = identity_of(file);
  const auto found = identity ? files_.find(*identity) : files_.end();
  return found == files_.end() ? nullptr : &found->second;
}

bool InputFiles::has(const fs::path& file) const {
  return find(file) != nullptr;
}

void InputFiles::refuse_output(const fs::path& file, const std::string& option) const {
  const fs::path* input = find(file);
  if (!input) return;
  throw InputError(option + ": '" + file.string() + "' would overwrite what is read" +
                   (*input == file ? "" : " from '" + input->string() + "'") +
                   "; give it another name.");
}

fs::path written_place(fs::path path) {
  constexpr int kMostLinks = 40;  // as many as Linux follows
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(path, error)); ++i) {
    const fs::path target = fs::read_symlink(path, error);
    path = path.parent_path() / target;
  }
  const fs::path parent = path.parent_path();
  return fs::weakly_canonical(parent.empty() ? "." : parent, error) / path.filename();
}

}  // namespace dashpot
