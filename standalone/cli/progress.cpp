#include "standalone/cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace dashpot {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Progress::Progress(Style style, int first, int last)
    : first_(first), last_(last), started_at_(first), start_(Clock::now()), last_line_(start_) {
  switch (style) {
    case Style::kAuto:
      kind_ = ::isatty(STDOUT_FILENO) ? Kind::kBar : Kind::kLines;
      break;
    case Style::kBar:
      kind_ = Kind::kBar;
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
  const int percent = frame < last_ ? 100 * (frame - first_) / (last_ - first_) : 100;
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

void Progress::draw_bar(int frame) const {
  constexpr int kWidth = 32;
  const int filled = frame < last_ ? kWidth * (frame - first_) / (last_ - first_) : kWidth;
  std::string bar(static_cast<std::size_t>(filled), '#');
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

}  // namespace dashpot
