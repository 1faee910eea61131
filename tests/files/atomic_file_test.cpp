#include "standalone/files/atomic_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/resource.h>

#include <csignal>
#include <iterator>

#include "solver/base/error.h"
#include "standalone/files/read_file.h"
#include "tests/formats/temp_folder.h"

namespace dashpot {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::ptrdiff_t files_in(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

std::string refusal(const std::filesystem::path& path, const std::string& bytes) {
  try {
    write_file_atomically(path, bytes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(AtomicFile, WritesAllBytesAndReplacesAnOldFile) {
  const TempFolder folder;
  const std::filesystem::path path = folder.path() / "f.geo";
  const std::string bytes("a\0b\n\xff", 5);
  write_file_atomically(path, "something longer");
  write_file_atomically(path, bytes);
  EXPECT_EQ(read_file(path), bytes);
  EXPECT_EQ(files_in(folder.path()), 1) << "no temporary file is left";
}

TEST(AtomicFile, GetsThePermissionsOfAnOrdinaryNewFile) {
  const TempFolder folder;
  folder.write("ordinary", "");
  write_file_atomically(folder.path() / "f.geo", "x");
  EXPECT_EQ(std::filesystem::status(folder.path() / "f.geo").permissions(),
            std::filesystem::status(folder.path() / "ordinary").permissions());
}

TEST(AtomicFile, NamesThePathAndTheReasonWhenTheFolderDoesNotExist) {
  const TempFolder folder;
  const std::filesystem::path path = folder.path() / "no" / "f.geo";
  EXPECT_THAT(refusal(path, "x"),
              AllOf(HasSubstr(path.string()), HasSubstr("No such file or directory")));
}

TEST(AtomicFile, LeavesTheOldFileAndNothingElseWhenTheDiskIsFull) {
  const TempFolder folder;
  const std::filesystem::path path = folder.path() / "f.geo";
  write_file_atomically(path, "old");
  // The limit on a file's size stands in for a full disk.
  struct Limit {
    Limit() {
      ::getrlimit(RLIMIT_FSIZE, &saved);
      const rlimit small{16, saved.rlim_max};
      ::setrlimit(RLIMIT_FSIZE, &small);
      handler = ::signal(SIGXFSZ, SIG_IGN);
    }
    ~Limit() {
      ::setrlimit(RLIMIT_FSIZE, &saved);
      ::signal(SIGXFSZ, handler);
    }
    rlimit saved{};
    void (*handler)(int) = nullptr;
  };
  std::string message;
  {
    const Limit limit;
    message = refusal(path, std::string(1000, 'x'));
  }
  EXPECT_THAT(message, AllOf(HasSubstr(path.string()), HasSubstr("File too large")));
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(AtomicFile, NeverReplacesADeviceOrAFolder) {
  const TempFolder folder;
  EXPECT_THAT(refusal(folder.path(), "x"), HasSubstr("not a regular file"));
  EXPECT_THAT(refusal("/dev/null", "x"), HasSubstr("not a regular file"));
}

}  // namespace
}  // namespace dashpot
