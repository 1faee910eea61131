#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>

namespace dashpot {

// The files that a command reads, so that it writes over none of them. A file is the same under
// every name: other spellings of its path, symbolic links, hard links.
class InputFiles {
 public:
  void add(const std::filesystem::path& file);
  // Also those of a sequence, name with $F, that belong to frames that are not read.
  void add_sequence(const std::filesystem::path& pattern);
  void add(const InputFiles& others);

  bool has(const std::filesystem::path& file) const;
  // Throws InputError if it is one of them. `option` says who named it: "--out".
  void refuse_output(const std::filesystem::path& file, const std::string& option) const;

 private:
  const std::filesystem::path* find(const std::filesystem::path& file) const;

  std::map<std::pair<dev_t, ino_t>, std::filesystem::path> files_;
};

// Where writing to `path` ends up: without symbolic links and dots, also if there is no file yet.
std::filesystem::path written_place(std::filesystem::path path);

}  // namespace dashpot
