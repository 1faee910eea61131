#include "standalone/cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace dashpot {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool wants_bar(Progress::Style style) {
  return style == Progress::Style::kBar ||
         (style == Progress::Style::kAuto && ::isatty(STDOUT_FILENO));
}

}  // namespace

Progress::Progress(Style style, int first, int last)
    : first_(first), last_(last), started_at_(first), start_(Clock::now()), last_line_(start_) {
  switch (style) {
    case Style::kAuto:
    case Style::kBar:
      kind_ = wants_bar(style) ? Kind::kBar : Kind::kLines;
      break;
    case Style::kAlf:
      kind_ = Kind::kPercent;
      percent_words_ = "ALF_PROGRESS";
      break;
    case Style::kDeadline:
      kind_ = Kind::kPercent;
      percent_words_ = "Progress:";
      break;
    default:
      kind_ = Kind::kNone;
  }
}

void Progress::start(int frame) {
  started_at_ = frame;
  start_ = last_line_ = Clock::now();
  frame_done(frame);
}

void Progress::frame_done(int frame) {
  const int percent = done_of(100, frame);
  if (kind_ == Kind::kBar) {
    draw_bar(frame);
    bar_open_ = true;
  } else if (kind_ == Kind::kPercent && percent != shown_percent_) {
    std::printf("%s %d%%\n", percent_words_, percent);
    std::fflush(stdout);
  } else if (kind_ == Kind::kLines && seconds_since(last_line_) >= 10) {
    std::printf("frame %d of %d\n", frame, last_);
    std::fflush(stdout);
    last_line_ = Clock::now();
  }
  shown_percent_ = percent;
}

int Progress::done_of(int whole, int frame) const {
  if (frame >= last_) return whole;
  return static_cast<int>(long{whole} * (frame - first_) / (long{last_} - first_));
}

void Progress::draw_bar(int frame) const {
  constexpr int kWidth = 32;
  std::string bar(static_cast<std::size_t>(done_of(kWidth, frame)), '#');
  bar.resize(kWidth, '.');
  std::printf("\r[%s] frame %d of %d", bar.c_str(), frame, last_);
  if (frame > started_at_) {
    const double per_frame = seconds_since(start_) / (frame - started_at_);
    std::printf("  %.0f ms per frame, %.0f s left  ", 1000 * per_frame,
                per_frame * (last_ - frame));
  }
  std::fflush(stdout);
}

void Progress::note(const std::string& line) {
  finish();
  std::fprintf(stderr, "%s\n", line.c_str());
}

void Progress::finish() {
  if (!bar_open_) return;
  std::printf("\n");
  std::fflush(stdout);
  bar_open_ = false;
}

Heartbeat::Heartbeat(Progress::Style style, std::string activity, Seconds first, Seconds next)
    : activity_(std::move(activity)), on_bar_(wants_bar(style)) {
  if (style != Progress::Style::kNone) thread_ = std::thread([=] { beat(first, next); });
}

Heartbeat::~Heartbeat() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Heartbeat::beat(Seconds first, Seconds next) {
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock<std::mutex> lock(mutex_);
  for (Seconds pause = first; !changed_.wait_for(lock, pause, [&] { return ended_; });
       pause = next) {
    // A bar is written over, and writes over this.
    std::printf(on_bar_ ? "\r\033[K%s: %.0f s" : "%s: %.0f s\n", activity_.c_str(),
                seconds_since(start));
    std::fflush(stdout);
  }
}

}  // namespace dashpot
