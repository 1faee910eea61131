#include "standalone/runs/run_directory.h"

#include <gmock/gmock.h>

#include "solver/base/error.h"
#include "tests/runs/made_run.h"

namespace dashpot {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

TEST(RunDirectory, AWholeRunHasNoProblems) {
  const MadeRun made;
  const RunDirectory run = open_run(made.path());
  EXPECT_THAT(run.problems, IsEmpty());
  EXPECT_THAT(run.frames, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(run.stats.lines.at(3)["kinetic"], 0.1 * 3);
  EXPECT_EQ(run.manifest.bodies.at(0).name, "jelly");
  EXPECT_EQ(run.bounds().size(), 4U);
}

TEST(RunDirectory, AnInterruptedRunEndsWhereItsFilesEnd) {
  MadeRun made;
  made.remove_frame(4);
  made.stats().pop_back();
  made.write_stats();
  const RunDirectory run = open_run(made.path());
  EXPECT_EQ(run.last_frame(), 3);
  EXPECT_THAT(run.problems, ElementsAre(HasSubstr("ended at frame 3 of 4")));
}

TEST(RunDirectory, NamesFramesThatAreMissingInBetween) {
  const MadeRun made(8);
  for (const int frame : {1, 4, 5}) made.remove_frame(frame);
  const RunDirectory run = open_run(made.path());
  EXPECT_THAT(run.frames, ElementsAre(2, 3, 6, 7, 8));
  EXPECT_THAT(run.problems, ElementsAre("Frames 1, 4-5 have no file."));
}

TEST(RunDirectory, NamesFramesWithoutStatistics) {
  MadeRun made;
  made.stats().erase(made.stats().begin() + 1);
  made.write_stats();
  EXPECT_THAT(open_run(made.path()).problems, ElementsAre("Frame 2 has no statistics."));
}

TEST(RunDirectory, WithoutRunJsonTheFileNamesTell) {
  const MadeRun made;
  std::filesystem::remove(made.path() + "/run.json");
  const RunDirectory run = open_run(made.path());
  EXPECT_THAT(run.frames, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(run.frame_path(2), made.frame_path(2));
  EXPECT_THAT(run.problems, ElementsAre(HasSubstr("run.json is missing")));
}

TEST(RunDirectory, ADamagedRunJsonIsAsGoodAsNone) {
  const MadeRun made;
  for (const char* text : {"", "{", "[]", "{\"frames\": 3}", "{\"frames\": \"f.$F4.bgeo.sc\"}"}) {
    made.write("run.json", text);
    const RunDirectory run = open_run(made.path());
    EXPECT_EQ(run.frames.size(), 4U) << text;
    EXPECT_THAT(run.problems, Contains(HasSubstr("run.json cannot be read"))) << text;
  }
}

TEST(RunDirectory, RefusesAFolderWithNothingOfARun) {
  const TempFolder folder;
  EXPECT_THAT([&] { open_run(folder.path()); },
              ThrowsMessage<InputError>(HasSubstr("holds no run")));
  EXPECT_THAT([&] { open_run(folder.path() / "nowhere"); },
              ThrowsMessage<InputError>(HasSubstr("no such directory")));
}

TEST(RunDirectory, StatisticsAloneAreARun) {
  MadeRun made;
  for (int frame = 1; frame <= 4; ++frame) made.remove_frame(frame);
  std::filesystem::remove(made.path() + "/run.json");
  const RunDirectory run = open_run(made.path());
  EXPECT_EQ(run.first_frame(), 1);
  EXPECT_EQ(run.last_frame(), 4);
  EXPECT_THAT(run.problems, Contains(HasSubstr("no frame files")));
}

}  // namespace
}  // namespace dashpot
