#include "standalone/files/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>

#include "solver/base/error.h"

namespace dashpot {
namespace {

constexpr const char* kTemporaryEnd = ".tmp";  // and the number of the process

// 0 or the error number.
int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(file) == 0 ? 0 : errno;
}

}  // namespace

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
  const auto fail = [&](const std::string& reason) {
    throw InputError(path.string() + ": cannot be written (" + reason +
                     "); check the directory, its permissions and the free space");
  };
  // Renaming onto a device or a directory would do harm.
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    fail("it exists and is not a regular file");

  const std::string temporary = path.string() + kTemporaryEnd + std::to_string(::getpid());
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail(std::strerror(errno));
  int error = write_all(file, bytes);
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    fail(std::strerror(error));
  }
}

std::string target_of_temporary(const std::string& path) {
  const std::size_t end = path.rfind(kTemporaryEnd);
  if (end == std::string::npos) return "";
  const std::string number = path.substr(end + std::string_view(kTemporaryEnd).size());
  const bool is_number =
      !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? path.substr(0, end) : "";
}

}  // namespace dashpot
