#pragma once

#include <chrono>
#include <string>

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

  void draw_bar(int frame) const;

  Kind kind_;
  const char* percent_words_ = "";
  int first_, last_;
  int started_at_;
  int shown_percent_ = -1;
  bool bar_open_ = false;
  Clock::time_point start_, last_line_;
};

}  // namespace dashpot
