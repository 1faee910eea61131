#include "standalone/render/movie.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <utility>

#include "solver/base/error.h"
#include "standalone/files/file_ending.h"

namespace dashpot {
namespace {

constexpr const char* kOwnPalette =
    "split[a][b];[a]palettegen=stats_mode=diff[p];"
    "[b][p]paletteuse=dither=bayer:bayer_scale=4";
// Players want even sides, 4:2:0 and to be told the colours.
constexpr const char* kEvenSidesAndColours =
    "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv";

bool on_path(const std::string& program) {
  const char* variable = std::getenv("PATH");
  std::istringstream directories(variable ? variable : "");
  for (std::string directory; std::getline(directories, directory, ':');)
    if (::access((std::filesystem::path(directory) / program).c_str(), X_OK) == 0) return true;
  return false;
}

std::vector<std::string> ffmpeg_command(const std::string& path, int width, int height,
                                        double fps) {
  std::ostringstream rate;
  rate << fps;
  std::vector<std::string> words = {"ffmpeg",
                                    "-v",
                                    "error",
                                    "-nostdin",
                                    "-y",
                                    "-f",
                                    "rawvideo",
                                    "-pix_fmt",
                                    "rgb24",
                                    "-s",
                                    std::to_string(width) + "x" + std::to_string(height),
                                    "-r",
                                    rate.str(),
                                    "-i",
                                    "pipe:0"};
  const bool gif = extension_of(path) == ".gif";
  const std::vector<std::string> rest =
      gif ? std::vector<std::string>{"-vf", kOwnPalette, "-f", "gif"}
          : std::vector<std::string>{"-vf",
                                     kEvenSidesAndColours,
                                     "-c:v",
                                     "libx264",
                                     "-preset",
                                     "medium",
                                     "-crf",
                                     "18",
                                     "-pix_fmt",
                                     "yuv420p",
                                     "-colorspace",
                                     "bt709",
                                     "-color_primaries",
                                     "bt709",
                                     "-color_trc",
                                     "bt709",
                                     "-movflags",
                                     "+faststart",
                                     "-f",
                                     "mp4"};
  words.insert(words.end(), rest.begin(), rest.end());
  words.push_back(path);
  return words;
}

// While a pipe is written to, a reader that dies must be an error, not the end of this program.
class IgnoreBrokenPipe {
 public:
  IgnoreBrokenPipe() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, &before_);
  }
  ~IgnoreBrokenPipe() { ::sigaction(SIGPIPE, &before_, nullptr); }
  IgnoreBrokenPipe(const IgnoreBrokenPipe&) = delete;
  IgnoreBrokenPipe& operator=(const IgnoreBrokenPipe&) = delete;

 private:
  struct sigaction before_ {};
};

}  // namespace

bool is_movie(const std::string& path) {
  const std::string extension = extension_of(path);
  return extension == ".mp4" || extension == ".gif";
}

void require_ffmpeg(const std::string& path) {
  if (!on_path("ffmpeg"))
    throw InputError("ffmpeg is not installed, and '" + path +
                     "' needs it; install the package ffmpeg, or write pictures: -o "
                     "frame.%04d.png.");
}

MovieWriter::MovieWriter(std::string path, double fps)
    : path_(std::move(path)), unfinished_(path_ + ".part" + extension_of(path_)), fps_(fps) {
  require_ffmpeg(path_);
}

MovieWriter::~MovieWriter() {
  if (process_ > 0) {
    ::kill(process_, SIGTERM);
    wait();
  }
  if (messages_) std::fclose(messages_);
  std::error_code ignored;
  std::filesystem::remove(unfinished_, ignored);
}

void MovieWriter::start(int width, int height) {
  // Everything that allocates happens before the fork.
  std::vector<std::string> words = ffmpeg_command(unfinished_, width, height, fps_);
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  int ends[2];
  messages_ = std::tmpfile();
  if (!messages_ || ::pipe2(ends, O_CLOEXEC) != 0)
    throw InputError(std::string("ffmpeg cannot be started: ") + std::strerror(errno) + ".");
  const int messages = ::fileno(messages_);
  process_ = ::fork();
  if (process_ == 0) {
    ::dup2(ends[0], STDIN_FILENO);
    ::dup2(messages, STDERR_FILENO);
    ::execvp(pointers[0], pointers.data());
    ::_exit(127);
  }
  const int error = errno;
  ::close(ends[0]);
  pipe_ = ends[1];
  if (process_ < 0)
    throw InputError(std::string("ffmpeg cannot be started: ") + std::strerror(error) + ".");
}

void MovieWriter::add(const Image& frame) {
  if (process_ < 0) start(frame.width, frame.height);
  const IgnoreBrokenPipe guard;
  std::size_t done = 0;
  while (done < frame.rgb.size()) {
    const ssize_t count = ::write(pipe_, frame.rgb.data() + done, frame.rgb.size() - done);
    if (count > 0)
      done += static_cast<std::size_t>(count);
    else if (errno != EINTR)
      fail();
  }
}

int MovieWriter::wait() {
  if (pipe_ >= 0) ::close(std::exchange(pipe_, -1));
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void MovieWriter::finish() {
  if (process_ < 0) throw InputError("there are no frames for the movie '" + path_ + "'.");
  if (wait() != 0) fail();
  std::error_code error;
  std::filesystem::rename(unfinished_, path_, error);
  if (error)
    throw InputError("the movie '" + path_ + "' cannot be written: " + error.message() + ".");
}

void MovieWriter::fail() {
  if (process_ > 0) wait();
  std::string reason;
  std::rewind(messages_);
  for (int c = std::fgetc(messages_); c != EOF; c = std::fgetc(messages_))
    reason += c == '\n' ? ' ' : static_cast<char>(c);
  while (!reason.empty() && reason.back() == ' ') reason.pop_back();
  throw InputError("ffmpeg could not write the movie '" + path_ +
                   "': " + (reason.empty() ? "it gave no reason" : reason) + ".");
}

}  // namespace dashpot
