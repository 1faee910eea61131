#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "standalone/cli/progress.h"

namespace dashpot {
namespace {

using Seconds = Heartbeat::Seconds;

std::string printed(Progress::Style style, double first, double lasts) {
  testing::internal::CaptureStdout();
  {
    const Heartbeat heartbeat(style, "preparing 7 tets", Seconds(first), Seconds(0.02));
    std::this_thread::sleep_for(Seconds(lasts));
  }
  return testing::internal::GetCapturedStdout();
}

TEST(Heartbeat, SaysAgainAndAgainWhatTakesSoLong) {
  EXPECT_THAT(printed(Progress::Style::kAuto, 0.01, 0.3),
              testing::StartsWith("preparing 7 tets: 0 s\npreparing 7 tets: 0 s\n"));
  EXPECT_THAT(printed(Progress::Style::kBar, 0.01, 0.1), testing::StartsWith("\r"));
}

TEST(Heartbeat, IsSilentWhereAllIsQuickOrNobodyWantsToKnow) {
  EXPECT_EQ(printed(Progress::Style::kAuto, 60, 0.01), "");
  EXPECT_EQ(printed(Progress::Style::kNone, 0.001, 0.05), "");
}

}  // namespace
}  // namespace dashpot
