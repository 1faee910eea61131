#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace dashpot {

// How far a run has come, on standard output.
class Progress {
 public:
  // kAuto: a bar on a terminal, else a line every ten seconds. kAlf: "ALF_PROGRESS 25%", which
  // Tractor understands. kDeadline: "Progress: 25%", which Deadline's CommandLine plugin does.
  enum class Style { kAuto, kBar, kAlf, kDeadline, kNone };

  // `first` is the initial state: 0 %.
  Progress(Style style, int first, int last);

  // Time counts from here; `frame` is the last one that is already done.
  void start(int frame);
  void frame_done(int frame);
  // A line on standard error that does not tear the bar.
  void note(const std::string& line);
  // Ends the bar's line.
  void finish();

 private:
  enum class Kind { kBar, kLines, kPercent, kNone };
  using Clock = std::chrono::steady_clock;

  // That part of `whole` which is done at a frame.
  int done_of(int whole, int frame) const;
  void draw_bar(int frame) const;

  Kind kind_;
  const char* percent_words_ = "";
  int first_, last_;
  int started_at_;
  int shown_percent_ = -1;
  bool bar_open_ = false;
  Clock::time_point start_, last_line_;
};

// Says what takes so long, while one of these exists: after a while, and then again and again.
class Heartbeat {
 public:
  using Seconds = std::chrono::duration<double>;

  Heartbeat(Progress::Style style, std::string activity, Seconds first = Seconds(5),
            Seconds next = Seconds(10));
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

 private:
  void beat(Seconds first, Seconds next);

  std::string activity_;
  bool on_bar_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;  // guarded by the mutex
  std::thread thread_;
};

}  // namespace dashpot
