#include "standalone/files/file_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "tests/formats/temp_folder.h"

namespace dashpot {
namespace {

TEST(FileLock, IsHeldByOneAndSaysByWhom) {
  const TempFolder folder;
  const std::string path = (folder.path() / "lock").string();
  {
    const FileLock first(path, 1);
    ASSERT_TRUE(first.held());
    const FileLock second(path, 1);
    EXPECT_FALSE(second.held());
    EXPECT_EQ(second.holder(), this_process());
    EXPECT_THAT(second.holder(), testing::HasSubstr(std::to_string(::getpid())));
  }
  EXPECT_FALSE(std::filesystem::exists(path)) << "nothing is left";
  EXPECT_TRUE(FileLock(path, 1).held());
}

TEST(FileLock, EndsWithAHolderThatIsKilled) {
  const TempFolder folder;
  const std::string path = (folder.path() / "lock").string();
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const FileLock lock(path, 1);
    if (::write(ready[1], lock.held() ? "y" : "n", 1) == 1) ::pause();
    ::_exit(1);
  }
  char held = 0;
  ASSERT_EQ(::read(ready[0], &held, 1), 1);
  ASSERT_EQ(held, 'y');
  EXPECT_FALSE(FileLock(path, 1).held());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(std::filesystem::exists(path)) << "a dead process tidies nothing";
  EXPECT_TRUE(FileLock(path, 1).held());
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST(FileLock, NeverWritesThroughALink) {
  const TempFolder folder;
  const std::filesystem::path precious = folder.write("precious", "text");
  std::filesystem::create_symlink(precious, folder.path() / "lock");
  EXPECT_FALSE(FileLock((folder.path() / "lock").string(), 1).held());
  EXPECT_EQ(std::filesystem::file_size(precious), 4u);
}

TEST(FileLock, OfAFolderThatIsNotThereIsNotHeld) {
  const TempFolder folder;
  const FileLock lock((folder.path() / "no" / "lock").string());
  EXPECT_FALSE(lock.held());
  EXPECT_EQ(lock.file(), -1);
}

}  // namespace
}  // namespace dashpot
