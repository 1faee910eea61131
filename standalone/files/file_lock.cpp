#include "standalone/files/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

namespace dashpot {
namespace {

// Its last holder may have removed it between our opening and our locking.
bool is_still_called(int file, const std::string& path) {
  struct stat opened = {}, named = {};
  return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

bool try_lock(int file) {
  // A disk that knows no locks must not keep anybody from working.
  return ::flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

std::string this_process() {
  char host[256] = {};
  if (::gethostname(host, sizeof host - 1) != 0) host[0] = 0;
  return "process " + std::to_string(::getpid()) + " on " + host;
}

FileLock::FileLock(std::string path, int tries) : path_(std::move(path)) {
  for (int i = 0; i < tries && !held_; ++i) {
    if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    held_ = take();
    if (file_ < 0) return;
  }
  if (!held_) return;
  const std::string owner = this_process();
  // What cannot be noted is not missed: it is for a message only.
  if (::ftruncate(file_, 0) != 0 || ::write(file_, owner.data(), owner.size()) < 0) errno = 0;
}

bool FileLock::take() {
  if (file_ >= 0) ::close(file_);
  // A link would let the note about its holder destroy somebody's file.
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  return file_ >= 0 && try_lock(file_) && is_still_called(file_, path_);
}

FileLock::~FileLock() {
  if (held_) ::unlink(path_.c_str());
  if (file_ >= 0) ::close(file_);
}

std::string FileLock::holder() const {
  char text[300] = {};
  const ssize_t size = file_ >= 0 ? ::pread(file_, text, sizeof text - 1, 0) : 0;
  return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : "another process";
}

}  // namespace dashpot
