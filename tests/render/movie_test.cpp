#include "standalone/render/movie.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "solver/base/error.h"
#include "tests/formats/temp_folder.h"

namespace dashpot {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

bool have_ffmpeg() {
  return std::system("ffmpeg -version >/dev/null 2>&1") == 0;
}

Image frame_of(int width, int height, std::uint8_t grey) {
  return {width, height,
          std::vector<std::uint8_t>(3 * static_cast<std::size_t>(width * height), grey)};
}

// As ffprobe tells it.
std::string probed(const std::string& path, const std::string& entries) {
  const std::string command =
      "ffprobe -v error -count_frames -select_streams v -show_entries stream=" + entries +
      " -of csv=p=0 '" + path + "'";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  ::pclose(pipe);
  return text;
}

TEST(Movie, IsKnownByItsName) {
  EXPECT_TRUE(is_movie("a.mp4"));
  EXPECT_TRUE(is_movie("a.GIF"));
  EXPECT_FALSE(is_movie("a.png"));
  EXPECT_FALSE(is_movie("mp4"));
}

TEST(Movie, HoldsEveryFrame) {
  if (!have_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed; ./test installs it";
  const TempFolder folder;
  for (const char* name : {"m.mp4", "m.gif"}) {
    const std::string path = (folder.path() / name).string();
    MovieWriter movie(path, 24);
    // An odd width, which H.264 does not take as it is.
    for (int i = 0; i < 6; ++i) movie.add(frame_of(33, 24, static_cast<std::uint8_t>(40 * i)));
    EXPECT_FALSE(std::filesystem::exists(path));  // not before it is complete
    movie.finish();
    EXPECT_THAT(probed(path, "nb_read_frames"), HasSubstr("6"));
    EXPECT_THAT(probed(path, "width"), HasSubstr(std::string(name) == "m.mp4" ? "34" : "33"));
  }
  int files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path()))
    ++files;
  EXPECT_EQ(files, 2);
}

TEST(Movie, ThatIsNotFinishedLeavesNothing) {
  if (!have_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed; ./test installs it";
  const TempFolder folder;
  {
    MovieWriter movie((folder.path() / "m.mp4").string(), 24);
    movie.add(frame_of(32, 32, 9));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Movie, SaysWhyItCannotBeWritten) {
  if (!have_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed; ./test installs it";
  const auto write = [] {
    MovieWriter movie("/nowhere/m.mp4", 24);
    for (int i = 0; i < 100; ++i) movie.add(frame_of(256, 256, 9));
    movie.finish();
  };
  EXPECT_THAT(write, ThrowsMessage<InputError>(HasSubstr("No such file or directory")));
}

TEST(Movie, SaysThatFfmpegIsMissing) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  EXPECT_THAT([] { require_ffmpeg("m.mp4"); },
              ThrowsMessage<InputError>(HasSubstr("install the package ffmpeg")));
  ::setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace dashpot
