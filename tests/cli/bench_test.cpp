#include <gmock/gmock.h>

#include "tests/cli/dashpot_process.h"

namespace dashpot {
namespace {

using testing::HasSubstr;

class BenchCommand : public DashpotTest {
 protected:
  void expect_refused(const std::vector<std::string>& options, const std::string& because) const {
    std::vector<std::string> arguments = {"bench"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProcessResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << because;
    EXPECT_EQ(line_count(result.err), 1) << result.err;
    EXPECT_THAT(result.err, HasSubstr(because));
  }
};

TEST_F(BenchCommand, PrintsJsonAndDrawsAPlot) {
  const ProcessResult result =
      run({"bench", "--only", "sizes", "--sizes", "600,300", "--threads", "1,2", "--repeats", "1",
           "--iterations", "2", "--json", "--plot", "bench.svg"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  ASSERT_EQ(json["sizes"].size(), 2U);
  EXPECT_LT(json["sizes"][0]["tets"], json["sizes"][1]["tets"]);
  EXPECT_EQ(json["sizes"][0]["ours"].size(), 2U);
  EXPECT_GT(json["sizes"][1]["ratio"], 0);
  EXPECT_THAT(read("bench.svg"), HasSubstr("whole iteration"));
}

TEST_F(BenchCommand, RefusesWhatItCannotMeasure) {
  expect_refused({"--sizes", "3"}, "--sizes must be between 6 and 2000000, not 3.");
  expect_refused({"--sizes", "many"}, "--sizes");
  expect_refused({"--threads", "0"}, "--threads must be between 1 and 1024, not 0.");
  expect_refused({"--repeats", "0"}, "--repeats must be between 1 and 1000, not 0.");
  expect_refused({"--only", "tabels"}, "--only must be tables or sizes, not 'tabels'.");
  expect_refused({"--plot", "bench.png"}, "end the name in .svg");
  expect_refused({"--only", "tables", "--plot", "bench.svg"}, "--only tables leaves them out");
}

}  // namespace
}  // namespace dashpot
