#include "standalone/runs/run_stats.h"

#include <gmock/gmock.h>

#include "tests/formats/temp_folder.h"

namespace dashpot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

RunStats read_text(const std::string& text) {
  const TempFolder folder;
  return read_run_stats(folder.write("stats.jsonl", text));
}

TEST(RunStats, KeepsEveryDigit) {
  const RunStats stats = read_text("{\"frame\":1,\"kinetic\":0.12345678901234567}\n");
  EXPECT_THAT(stats.problems, IsEmpty());
  EXPECT_EQ(stats.lines.at(1)["kinetic"].get<double>(), 0.12345678901234567);
}

TEST(RunStats, WordsForWhatIsNoNumberBecomeNull) {
  const RunStats stats = read_text(
      "{\"frame\":1,\"a\":NaN,\"b\":-Infinity,\"c\":[1,nan,3],\"d\":\"NaN stays\",\"e\":inf}\n"
      "{\"frame\":2,\"a\":1,\"b\":null}\n");
  ASSERT_EQ(stats.lines.size(), 2U);
  const auto& line = stats.lines.at(1);
  EXPECT_TRUE(line["a"].is_null());
  EXPECT_TRUE(line["b"].is_null());
  EXPECT_TRUE(line["c"][1].is_null());
  EXPECT_EQ(line["c"][2], 3);
  EXPECT_EQ(line["d"], "NaN stays");
  EXPECT_THAT(stats.problems,
              ElementsAre(HasSubstr("for a in frame 1."), HasSubstr("for b in frames 1-2."),
                          HasSubstr("for c in frame 1."), HasSubstr("for e in frame 1.")));
}

TEST(RunStats, NamesLinesThatCannotBeRead) {
  const RunStats stats =
      read_text("{\"frame\":1}\nrubbish\n\n{\"frame\":\"two\"}\n[3]\n{\"frame\":4,\"ti");
  EXPECT_EQ(stats.lines.size(), 1U);
  EXPECT_THAT(stats.problems, ElementsAre("Lines 2, 4-6 of stats.jsonl cannot be read."));
}

TEST(RunStats, OfSeveralLinesForAFrameTheLastCounts) {
  const RunStats stats = read_text("{\"frame\":1,\"a\":1}\n{\"frame\":1,\"a\":2}\n");
  EXPECT_EQ(stats.lines.at(1)["a"], 2);
  EXPECT_THAT(stats.problems, ElementsAre(HasSubstr("several lines for frame 1,")));
}

TEST(RunStats, AMissingOrEmptyFileIsAProblemNotAnError) {
  EXPECT_THAT(read_run_stats("/nowhere/stats.jsonl").problems, ElementsAre(HasSubstr("missing")));
  EXPECT_THAT(read_text("").problems, ElementsAre(HasSubstr("empty")));
}

}  // namespace
}  // namespace dashpot
