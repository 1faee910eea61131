#pragma once

#include <sys/types.h>

#include <cstdio>
#include <string>

#include "standalone/render/picture.h"

namespace dashpot {

// .mp4 or .gif, any case.
bool is_movie(const std::string& path);

// Throws InputError, naming the movie, if ffmpeg is not installed.
void require_ffmpeg(const std::string& path);

// A movie, encoded by ffmpeg as a process of its own. The file appears when finish() is called and
// all went well, complete or not at all.
class MovieWriter {
 public:
  MovieWriter(std::string path, double fps);
  ~MovieWriter();  // without finish() nothing is left behind
  MovieWriter(const MovieWriter&) = delete;
  MovieWriter& operator=(const MovieWriter&) = delete;

  // All frames must have the size of the first. Throws InputError with ffmpeg's reason if it stops.
  void add(const Image& frame);
  void finish();

 private:
  void start(int width, int height);
  int wait();  // closes the pipe; ffmpeg's exit code
  [[noreturn]] void fail();

  std::string path_, unfinished_;
  double fps_;
  pid_t process_ = -1;
  int pipe_ = -1;
  std::FILE* messages_ = nullptr;  // what ffmpeg says
};

}  // namespace dashpot
