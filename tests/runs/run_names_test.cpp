#include "standalone/runs/run_names.h"

#include <gmock/gmock.h>

namespace dashpot {
namespace {

using testing::ElementsAre;

std::vector<RunSettings> grid(const std::string& key, const std::vector<std::string>& values) {
  std::vector<RunSettings> runs;
  runs.reserve(values.size());
  for (const std::string& value : values) runs.push_back({{key, value}});
  return runs;
}

TEST(OrderOfValues, NumbersAscendHoweverTheyAreWritten) {
  EXPECT_THAT(order_of_values(grid("body.a.dampingtime", {"0.3", "0", "1e-2", "-1"})),
              ElementsAre(3, 1, 2, 0));
}

TEST(OrderOfValues, WordsKeepTheirOrder) {
  EXPECT_THAT(order_of_values(grid("preset", {"jelly", "gel", "clay"})), ElementsAre(0, 1, 2));
  EXPECT_THAT(order_of_values(grid("simulation.gravity", {"[0,1,0]", "[0,0,0]"})),
              ElementsAre(0, 1));
}

TEST(OrderOfValues, TheFirstKeyCountsMost) {
  std::vector<RunSettings> runs;
  for (const char* preset : {"jelly", "gel"})
    for (const char* substeps : {"10", "4"})
      runs.push_back({{"preset", preset}, {"simulation.substeps", substeps}});
  EXPECT_THAT(order_of_values(runs), ElementsAre(1, 0, 3, 2));
}

TEST(GridNames, OnlyWhatVariesIsNamed) {
  const GridNames names = grid_names({{{"body.a.dampingtime", "0.1"}, {"preset", "jelly"}},
                                      {{"body.a.dampingtime", "0.3"}, {"preset", "jelly"}}});
  EXPECT_THAT(names.keys, ElementsAre("dampingtime"));
  EXPECT_THAT(names.runs, ElementsAre("dampingtime 0.1", "dampingtime 0.3"));
}

TEST(GridNames, KeysAreAsLongAsTheyMustBe) {
  const GridNames names = grid_names({{{"body.a.dampingtime", "1"}, {"body.b.dampingtime", "2"}},
                                      {{"body.a.dampingtime", "3"}, {"body.b.dampingtime", "4"}}});
  EXPECT_THAT(names.runs,
              ElementsAre("a.dampingtime 1, b.dampingtime 2", "a.dampingtime 3, b.dampingtime 4"));
}

TEST(GridNames, ASingleRunHasANameToo) {
  EXPECT_THAT(grid_names(grid("preset.tummy", {"gel"})).runs, ElementsAre("tummy gel"));
}

TEST(ShortNames, WordsInCommonAreLeftOut) {
  EXPECT_THAT(short_names({"out/shot12_soft_v3", "out/shot12_stiff_v3/"}),
              ElementsAre("soft", "stiff"));
  EXPECT_THAT(short_names({"out/soft", "out/stiff"}), ElementsAre("soft", "stiff"));
  EXPECT_THAT(short_names({"out/shot12_soft"}), ElementsAre("shot12_soft"));
}

TEST(ShortNames, NumbersKeepTheirWordAndTheirPoint) {
  EXPECT_THAT(short_names({"a/x.dampingtime-0.01", "a/x.dampingtime-0.1"}),
              ElementsAre("dampingtime-0.01", "dampingtime-0.1"));
  EXPECT_THAT(short_names({"a/restitution 0", "a/restitution 0.5"}),
              ElementsAre("restitution 0", "restitution 0.5"));
  EXPECT_THAT(short_names({"a/k_1e-2", "a/k_1e-3"}), ElementsAre("k_1e-2", "k_1e-3"));
}

TEST(ShortNames, NoneIsEmptyAndNoneIsAnother) {
  EXPECT_THAT(short_names({"out/a", "out/a_b"}), ElementsAre("a", "a_b"));
  EXPECT_THAT(short_names({"out/a_", "out/a__"}), ElementsAre("a", "a_"));
  EXPECT_THAT(short_names({"monday/run", "tuesday/run"}), ElementsAre("monday", "tuesday"));
  const std::vector<std::string> twice = short_names({"out/a", "out/a/"});
  EXPECT_EQ(twice[0], twice[1]);
  EXPECT_FALSE(twice[0].empty());
}

TEST(JoinedNames, ATitleOfManyRunsIsShort) {
  EXPECT_EQ(joined_names({"soft", "stiff"}), "soft, stiff");
  std::vector<std::string> many;
  many.reserve(18);
  for (int i = 0; i < 18; ++i) many.push_back("dampingtime " + std::to_string(i));
  EXPECT_EQ(joined_names(many), "dampingtime 0, dampingtime 1 and 16 others");
}

}  // namespace
}  // namespace dashpot
