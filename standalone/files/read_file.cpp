#include "standalone/files/read_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

#include "solver/base/error.h"

namespace dashpot {
namespace {

[[noreturn]] void fail_reading(const std::filesystem::path& path, const std::string& reason) {
  throw InputError(path.string() + ": cannot be read (" + reason +
                   "); check the name and its permissions");
}

[[noreturn]] void fail_size(const std::filesystem::path& path, std::uintmax_t limit) {
  constexpr std::uintmax_t kMega = 1000000;
  const bool giga = limit >= 1000 * kMega;
  throw InputError(path.string() + ": cannot be read (it has more than " +
                   std::to_string(limit / (giga ? 1000 * kMega : kMega)) + (giga ? " GB" : " MB") +
                   "); check which file it is");
}

const char* kind_of(const std::filesystem::file_status& status) {
  switch (status.type()) {
    case std::filesystem::file_type::directory:
      return "a directory";
    case std::filesystem::file_type::fifo:
      return "a pipe, not a file";
    case std::filesystem::file_type::socket:
      return "a socket, not a file";
    default:
      return "a device, not a file";
  }
}

}  // namespace

std::uintmax_t largest_file() {
  constexpr std::uintmax_t kMost = 16000000000;
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return kMost;
  return std::min(kMost,
                  static_cast<std::uintmax_t>(pages) * static_cast<std::uintmax_t>(page) / 2);
}

void require_regular_file(const std::filesystem::path& path, std::uintmax_t limit) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (error) fail_reading(path, error.message());
  if (!std::filesystem::is_regular_file(status))
    fail_reading(path, std::string("it is ") + kind_of(status));
  if (std::filesystem::file_size(path, error) > limit && !error) fail_size(path, limit);
}

std::string read_file(const std::filesystem::path& path, std::uintmax_t limit) {
  require_regular_file(path, limit);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) fail_reading(path, std::strerror(errno));
  std::string bytes;
  std::error_code ignored;
  const std::uintmax_t size = std::filesystem::file_size(path, ignored);
  if (!ignored) bytes.reserve(size);
  char block[1 << 16];
  while (const std::size_t n = std::fread(block, 1, sizeof block, file.get())) {
    bytes.append(block, n);
    // It may grow meanwhile, and what the kernel makes up has no size.
    if (bytes.size() > limit) fail_size(path, limit);
  }
  if (std::ferror(file.get()) != 0) fail_reading(path, std::strerror(errno));
  return bytes;
}

}  // namespace dashpot
