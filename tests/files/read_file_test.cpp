#include "standalone/files/read_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "solver/base/error.h"
#include "standalone/files/atomic_file.h"
#include "standalone/files/file_digest.h"
#include "standalone/files/file_ending.h"
#include "tests/formats/temp_folder.h"

namespace dashpot {
namespace {

using testing::HasSubstr;

std::string refusal(const std::filesystem::path& path, std::uintmax_t limit = largest_file()) {
  try {
    read_file(path, limit);
  } catch (const InputError& error) {
    return error.what();
  }
  return "was read";
}

TEST(ReadFile, RefusesWhatMayNeverEnd) {
  const TempFolder folder;
  const std::filesystem::path pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(refusal(pipe), HasSubstr("a pipe"));
  EXPECT_THAT(refusal("/dev/zero"), HasSubstr("a device"));
  EXPECT_THAT(refusal(folder.path()), HasSubstr("a directory"));
  EXPECT_THAT(refusal(folder.path() / "no"), HasSubstr("No such file"));
}

TEST(ReadFile, RefusesWhatIsTooLargeWithoutReadingIt) {
  const TempFolder folder;
  const std::filesystem::path file = folder.write("sparse", "");
  std::filesystem::resize_file(file, 100000000000);
  EXPECT_THAT(refusal(file), HasSubstr("it has more than"));
  EXPECT_THAT(refusal(folder.write("ten", "0123456789"), 9), HasSubstr("it has more than"));
  EXPECT_EQ(read_file(folder.write("nine", "012345678"), 9), "012345678");
}

TEST(ReadFile, CountsWhatTheKernelMakesUp) {
  EXPECT_THAT(refusal("/proc/self/maps", 10), HasSubstr("it has more than"));
}

TEST(Temporaries, AreToldFromOtherFiles) {
  EXPECT_EQ(target_of_temporary("o/x.0001.bgeo.sc.tmp4711"), "o/x.0001.bgeo.sc");
  for (const char* name : {"x.tmp", "x.tmp12a", "x", "tmp12", "x.TMP12"})
    EXPECT_EQ(target_of_temporary(name), "") << name;
}

TEST(Endings, DecideOrAreRefused) {
  EXPECT_NO_THROW(require_ending("a.b/X.PNG", {".png", ".gif"}, "-o"));
  for (const char* name : {"x.jpg", "x", "png", ".png", "x.png.tmp", "x.png/"})
    EXPECT_THROW(require_ending(name, {".png", ".gif"}, "-o"), InputError) << name;
}

TEST(FileDigest, SeesEveryChange) {
  const std::string bytes(1001, 'a');
  const FileDigest whole = digest_of(bytes);
  for (const std::size_t at : {0, 7, 8, 500, 999, 1000}) {
    std::string changed = bytes;
    changed[at] = 'b';
    EXPECT_FALSE(digest_of(changed) == whole) << at;
  }
  EXPECT_FALSE(digest_of(bytes.substr(1)) == whole);
  EXPECT_TRUE(digest_of(std::string(1001, 'a')) == whole);
}

}  // namespace
}  // namespace dashpot
