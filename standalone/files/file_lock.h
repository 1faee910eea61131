#pragma once

#include <string>

#include "solver/base/error.h"

namespace dashpot {

// Another process writes there. Not the user's mistake: later it may work. Exit code 75.
class BusyError : public InputError {
 public:
  using InputError::InputError;
};

// Locks an open file for this process and those that inherit it. False if another has it.
bool try_lock(int file);

// "process 4711 on farm7"
std::string this_process();

// A file that says that its folder is being written to, and by whom. The lock on it is the kernel's
// and ends with its holder, however that dies; the file itself means nothing and is removed.
class FileLock {
 public:
  // Tries for `tries` times ten milliseconds: whoever asks whether it is held holds it for an
  // instant.
  explicit FileLock(std::string path, int tries = 20);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  bool held() const { return held_; }
  // For a child process that is to hold it too, so that it ends with the last of both; -1 if it
  // could not be opened, and errno then says why.
  int file() const { return file_; }
  // Who holds it: "process 4711 on farm7".
  std::string holder() const;

 private:
  bool take();

  std::string path_;
  int file_ = -1;
  bool held_ = false;
};

}  // namespace dashpot
