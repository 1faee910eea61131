// Runs that go on: what they go on from, who may write, and what ends them.

#include <gmock/gmock.h>

#include <csignal>
#include <fstream>

#include "tests/cli/dashpot_process.h"

namespace dashpot {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int kLast = 24;

class Resume : public DashpotTest {
 protected:
  Resume() { write_scene(3); }

  void write_scene(int cells) const {
    write("scene.toml",
          "[simulation]\nframes = [1, 24]\n[[body]]\nname = \"block\"\n"
          "geometry = { type = \"box\", cells = " +
              std::to_string(cells) +
              " }\npin = { box = [[-1, -0.51, -1], [1, -0.49, 1]] }\n"
              "velocity = [1, 0, 0]\n");
  }

  static std::string frame(int number, const std::string& folder = "a") {
    return folder + "/f." + std::to_string(number) + ".bgeo.sc";
  }

  std::vector<std::string> command(const std::vector<std::string>& more = {},
                                   const std::string& folder = "a") const {
    std::vector<std::string> words = {"simulate", "scene.toml", "--out", folder + "/f.$F.bgeo.sc"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  // Of all frames and of the statistics, without what took how long.
  std::vector<std::string> result(const std::string& folder = "a") const {
    std::vector<std::string> all;
    for (int f = 1; f <= kLast; ++f) all.push_back(read(frame(f, folder)));
    for (nlohmann::json line : stats(folder + "/stats.jsonl")) {
      line.erase("ms");
      all.push_back(line.dump());
    }
    return all;
  }

  void simulate_whole() {
    ASSERT_EQ(run(command()).exit_code, 0);
    whole_ = result();
    ASSERT_EQ(whole_.size(), 2u * kLast);
  }

  // Resumes and expects what an uninterrupted run has.
  void expect_mended(const std::string& sentence, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = command({"--resume"});
    words.insert(words.end(), more.begin(), more.end());
    const ProcessResult resumed = run(words);
    EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_THAT(resumed.err, HasSubstr(sentence));
    EXPECT_EQ(line_count(resumed.err), sentence.empty() ? 0 : 1) << resumed.err;
    EXPECT_TRUE(result() == whole_) << sentence;
    for (const auto& entry : fs::directory_iterator(folder_ / "a"))
      EXPECT_THAT(entry.path().filename().string(),
                  ::testing::AnyOf(::testing::StartsWith("f."), "stats.jsonl", "run.json",
                                   "checkpoint.bin"));
  }

  void alter(const std::string& name) const {
    std::string bytes = read(name);
    bytes[bytes.size() / 2] ^= 1;
    write(name, bytes);
  }

  std::vector<std::string> whole_;
};

TEST_F(Resume, OfAWholeRunHasNothingToSay) {
  simulate_whole();
  expect_mended("");
}

TEST_F(Resume, SimulatesLostFramesAgain) {
  simulate_whole();
  fs::remove(folder_ / frame(7));
  expect_mended("frame 7 is missing; simulating again");
  fs::resize_file(folder_ / frame(9), 100);
  expect_mended("frame 9 is not as it was written");
  alter(frame(1));
  alter(frame(kLast));
  expect_mended("frames 1, 24 are not as they were written");
  fs::remove(folder_ / frame(2));
  alter(frame(5));
  fs::resize_file(folder_ / frame(6), 0);
  expect_mended("frame 2 is missing, frames 5-6 are not as they were written");
  for (int f = 1; f <= kLast; ++f) fs::remove(folder_ / frame(f));
  expect_mended("frames 1-24 are missing");
}

TEST_F(Resume, LeavesWholeFramesAlone) {
  simulate_whole();
  const auto before = fs::last_write_time(folder_ / frame(3));
  fs::remove(folder_ / frame(7));
  expect_mended("frame 7 is missing");
  EXPECT_EQ(fs::last_write_time(folder_ / frame(3)), before);
}

TEST_F(Resume, SimulatesFramesWithoutStatisticsAgain) {
  simulate_whole();
  const std::string text = read("a/stats.jsonl");
  fs::remove(folder_ / "a/stats.jsonl");
  expect_mended("frames 1-24 have no statistics");
  write("a/stats.jsonl", text.substr(0, text.size() / 2));
  expect_mended("have no statistics");
  write("a/stats.jsonl", text.substr(text.find('\n') + 1));
  expect_mended("frame 1 has no statistics");
  write("a/stats.jsonl", text + text + "{\"frame\": 7}\nnonsense\n\n[]\n{\"frame\":\"x\"}\n");
  expect_mended("");
}

TEST_F(Resume, DoesNotNeedTheRecordOfTheRun) {
  simulate_whole();
  const std::string record = read("a/run.json");
  for (const char* damaged : {"", "{", "\xff\xff"}) {
    write("a/run.json", damaged);
    expect_mended("");
    EXPECT_EQ(nlohmann::json::parse(read("a/run.json"))["last_frame"], kLast);
  }
  fs::remove(folder_ / "a/run.json");
  expect_mended("");
}

TEST_F(Resume, MendsWhatARunLostBeforeItGoesOn) {
  simulate_whole();
  ASSERT_EQ(run(command({"--frames", "1-15"}, "b")).exit_code, 0);
  fs::remove(folder_ / frame(4, "b"));
  fs::rename(folder_ / "a", folder_ / "whole");
  fs::rename(folder_ / "b", folder_ / "a");
  expect_mended("frame 4 is missing");
}

TEST_F(Resume, AMendingThatWasInterruptedGoesOn) {
  simulate_whole();
  const auto first_percent = [&] {
    const std::string out = run(command({"--resume", "--progress", "alf"})).out;
    return out.substr(0, out.find('\n'));
  };
  // As a mending that was stopped at frame 13 leaves it.
  ASSERT_EQ(run(command({"--frames", "1-13"}, "b")).exit_code, 0);
  for (const int lost : {20, 13}) {
    fs::copy_file(folder_ / "b/checkpoint.bin", folder_ / "a/checkpoint_repair.bin");
    fs::remove(folder_ / frame(lost));
    EXPECT_EQ(first_percent(), lost > 13 ? "ALF_PROGRESS 52%" : "ALF_PROGRESS 0%");
    EXPECT_TRUE(result() == whole_);
    EXPECT_FALSE(exists("a/checkpoint_repair.bin"));
  }
  write("a/checkpoint_repair.bin", "nonsense");
  fs::remove(folder_ / frame(20));
  expect_mended("frame 20 is missing");
}

TEST_F(Resume, OtherAttributesAreAnotherRun) {
  ASSERT_EQ(run(command({"--attribs", "stress"})).exit_code, 0);
  const ProcessResult other = run(command({"--resume"}));
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("other parameters"));
}

TEST_F(Resume, AfterKillsEndsWithTheSameBytes) {
  write_scene(8);
  simulate_whole();
  fs::remove_all(folder_ / "a");
  for (const int reached : {1, 3, 8, 13}) {
    const pid_t process = start(command({"--resume", "--checkpoint-every", "3"}));
    ASSERT_TRUE(wait_for_file(frame(reached)));
    ::kill(process, SIGKILL);
    wait(process);
  }
  write(frame(3) + ".tmp4711", "half a frame");
  write("a/run.json.tmp4711", "half a record");
  write("a/notes.tmp4711", "somebody else's");
  ASSERT_EQ(run(command({"--resume"})).exit_code, 0);
  EXPECT_TRUE(exists("a/notes.tmp4711"));
  fs::remove(folder_ / "a/notes.tmp4711");
  expect_mended("");
}

TEST_F(Resume, EverySignalThatAsksLeavesACheckpoint) {
  write_scene(8);
  simulate_whole();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    fs::remove_all(folder_ / "a");
    const pid_t process = start(command({"--checkpoint-every", "0"}));
    ASSERT_TRUE(wait_for_file(frame(2)));
    ::kill(process, signal);
    EXPECT_EQ(wait(process).exit_code, 130) << signal;
    EXPECT_TRUE(exists("a/checkpoint.bin")) << signal;
    expect_mended("");
  }
}

TEST_F(Resume, AHangupThatIsIgnoredStaysIgnored) {
  write_scene(6);
  ::signal(SIGHUP, SIG_IGN);
  const pid_t process = start(command());
  ::signal(SIGHUP, SIG_DFL);
  ASSERT_TRUE(wait_for_file(frame(2)));
  ::kill(process, SIGHUP);
  EXPECT_EQ(wait(process).exit_code, 0);
}

TEST_F(Resume, ASecondRunIntoTheFolderIsRefusedWhileTheFirstLives) {
  write_scene(8);
  simulate_whole();
  fs::remove_all(folder_ / "a");
  const pid_t first = start(command());
  ASSERT_TRUE(wait_for_file(frame(2)));
  ::kill(first, SIGSTOP);
  for (const auto& words :
       {command(), command({"--resume"}),
        std::vector<std::string>{"simulate", "scene.toml", "--out", "a/other.$F.bgeo"}}) {
    const ProcessResult second = run(words);
    EXPECT_EQ(second.exit_code, 75);
    EXPECT_THAT(second.err, AllOf(HasSubstr("'a'"), HasSubstr(std::to_string(first))));
    EXPECT_EQ(line_count(second.err), 1) << second.err;
  }
  const ProcessResult beside = run(command({"--stats", "a/stats.jsonl"}, "b"));
  EXPECT_EQ(beside.exit_code, 75) << "not the statistics of a run that lives";
  ::kill(first, SIGCONT);
  EXPECT_EQ(wait(first).exit_code, 0);
  EXPECT_TRUE(result() == whole_);
  expect_mended("");
}

}  // namespace
}  // namespace dashpot
