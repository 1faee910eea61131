#include "standalone/report/report.h"

#include <gmock/gmock.h>

#include "solver/base/error.h"
#include "standalone/report/page_template.h"
#include "standalone/runs/collider_record.h"
#include "tests/runs/made_run.h"

namespace dashpot {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

using Json = nlohmann::ordered_json;

ReportOptions of(const std::vector<std::string>& directories) {
  ReportOptions options;
  for (const std::string& directory : directories) options.runs.push_back({directory, ""});
  return options;
}

// What the page reads.
Json page_json(const ReportOptions& options, std::vector<std::string>* problems = nullptr) {
  std::vector<std::string> found;
  const std::string data = report_data(options, found);
  if (problems) *problems = found;
  const std::string open = "id=\"dashpot-report\">";
  const std::size_t begin = data.find(open) + open.size();
  return Json::parse(data.substr(begin, data.find("</script>", begin) - begin));
}

TEST(Report, HoldsTheStatisticsAsTheyAre) {
  MadeRun made;
  made.stats()[2]["kinetic"] = 0.12345678901234567;
  made.stats()[2]["anything"] = {{"new", {1, 2}}};
  made.write_stats();
  const Json report = page_json(of({made.path()}));
  const Json& run = report["runs"][0];
  ASSERT_EQ(run["stats"].size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(run["stats"][i], made.stats()[i]);
  EXPECT_THAT(run["problems"], IsEmpty());
  EXPECT_EQ(run["record"]["bodies"][0]["parameters"]["youngsmodulus"], 1e5);
}

TEST(Report, HoldsTheSurfaceOfEveryFrame) {
  const MadeRun made;
  const Json surface = page_json(of({made.path()}))["runs"][0]["surface"];
  EXPECT_EQ(surface["frames"], Json({1, 2, 3, 4}));
  EXPECT_EQ(surface["triangles"], 6);
  EXPECT_EQ(surface["points"], 5);
  // Every edge is a crease here, so every triangle has corners of its own or shares flat ones.
  EXPECT_GE(surface["vertices"].get<int>(), 5);
  EXPECT_LE(surface["vertices"].get<int>(), 18);
  EXPECT_EQ(surface["parts"][0]["name"], "jelly");
  EXPECT_TRUE(surface["values"]["stretch"].contains("chunks"));
  EXPECT_THAT(surface["values"]["dissipation"]["trouble"].get<std::string>(),
              HasSubstr("--attribs dissipation"));
}

TEST(Report, HoldsContactsOfFramesThatTellOfThem) {
  const MadeRun made;
  const Json without = page_json(of({made.path()}))["runs"][0]["surface"]["contacts"];
  EXPECT_FALSE(without.contains("chunks"));
  EXPECT_THAT(without["trouble"].get<std::string>(), HasSubstr("--attribs contacts"));
  for (int frame = 1; frame <= 4; ++frame) {
    Geometry geometry = MadeRun::two_tets();
    set_point_vectors(geometry, "contactforce", Points::Constant(3, 5, frame));
    set_numeric(geometry, ElementClass::kPoint, "contactslip", std::vector<std::int32_t>(5, 1), 1);
    made.write_frame(frame, geometry);
  }
  const Json report = page_json(of({made.path()}));
  EXPECT_EQ(report["runs"][0]["surface"]["contacts"]["chunks"][0]["count"], 4);
  EXPECT_NEAR(report["contacts"]["top"].get<double>(), std::sqrt(3) * 4, 1e-5) << "N";
  EXPECT_NE(report["contacts"]["sticks"], report["contacts"]["slips"]);
}

TEST(Report, ListsWarningsWithTheirFramesAndRemedies) {
  MadeRun made;
  made.stats()[1]["status"] = {"budgetexhausted"};
  made.stats()[3]["status"] = {"budgetexhausted", "unheardof"};
  made.write_stats();
  ReportOptions options = of({made.path()});
  options.explain_status = [](const std::string& word) {
    return word == "budgetexhausted" ? "Raise iterations." : "";
  };
  const Json warnings = page_json(options)["runs"][0]["warnings"];
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[0]["sentence"], "Raise iterations.");
  EXPECT_EQ(warnings[0]["frames"], Json({2, 4}));
  EXPECT_EQ(warnings[1]["sentence"], "unheardof");
}

TEST(Report, SeveralRunsShareOneScale) {
  const MadeRun calm, wild;
  Geometry geometry = MadeRun::two_tets();
  for (const auto& [run, speed] : {std::pair(&calm, 1.0), std::pair(&wild, 4.0)})
    for (int frame = 1; frame <= 4; ++frame) {
      set_point_vectors(geometry, "v", Points::Constant(3, 5, speed / std::sqrt(3.0)));
      run->write_frame(frame, geometry);
    }
  const Json report = page_json(of({calm.path(), wild.path()}));
  EXPECT_EQ(report["runs"].size(), 2U);
  EXPECT_EQ(report["shadings"][1]["token"], "speed");
  EXPECT_NEAR(report["shadings"][1]["top"].get<double>(), 4.0, 1e-5);
  EXPECT_EQ(report["title"], report["runs"][0]["name"].get<std::string>() + ", " +
                                 report["runs"][1]["name"].get<std::string>());
}

// One frame of forty is wild; values of the others are still told apart, and its own are kept.
TEST(Report, OneBlowDoesNotDarkenAllOtherFrames) {
  const MadeRun made(40);
  Geometry geometry = MadeRun::two_tets();
  for (int frame = 1; frame <= 40; ++frame) {
    const double speed = frame == 7 ? 20 : 1;
    set_point_vectors(geometry, "v", Points::Constant(3, 5, speed / std::sqrt(3.0)));
    made.write_frame(frame, geometry);
  }
  const Json speed = page_json(of({made.path()}))["shadings"][1];
  EXPECT_NEAR(speed["top"].get<double>(), 1, 1e-5);
  EXPECT_NEAR(speed["limit"].get<double>(), 20, 1e-4);
}

TEST(Report, NamesThatLookLikeMarkupStayText) {
  MadeRun made;
  made.stats()[0]["status"] = {"</script><b>"};
  made.write_stats();
  ReportOptions options = of({made.path()});
  options.runs[0].name = options.title = "</script><i>";
  options.problems = {"</script><u> is left out."};
  std::vector<std::string> problems;
  const std::string data = report_data(options, problems);
  for (const char* text : {"</script><b>", "</script><i>", "</script><u>"})
    EXPECT_EQ(data.find(text), std::string::npos) << text;
  const Json report = page_json(options);
  EXPECT_EQ(report["runs"][0]["warnings"][0]["status"], "</script><b>");
  EXPECT_EQ(report["runs"][0]["name"], "</script><i>");
  EXPECT_EQ(report["problems"][0], "</script><u> is left out.");
}

TEST(Report, RunsHaveTheNamesThatAreGiven) {
  const MadeRun made, other;
  ReportOptions options = of({made.path(), other.path()});
  options.runs[0].name = "dampingtime 0";
  options.runs[1].name = "dampingtime 0.1";
  const Json report = page_json(options);
  EXPECT_EQ(report["runs"][1]["name"], "dampingtime 0.1");
  EXPECT_EQ(report["title"], "dampingtime 0, dampingtime 0.1");
}

TEST(Report, TheCameraSeesCollidersAndThereIsNoFloorButThem) {
  const MadeRun made;
  ColliderSource ball;
  ball.shape = LevelSetShape();
  ball.shape->voxel_size = 0.1;
  ball.shape->translation = Vec3(0, 2, 0);
  SceneCollider named;
  named.collider.name = "press";
  made.write_record(5, 2, Json::array({collider_json(named, ball)}));
  const Json report = page_json(of({made.path()}));
  EXPECT_EQ(report["ground"], "none");
  const Json seen = report["runs"][0]["seen"];
  EXPECT_NEAR(seen[1][1].get<double>(), 2 + ball.shape->radius, 0.05);
  EXPECT_NEAR(seen[0][1].get<double>(), 0, 1e-6);
}

TEST(Report, DamagedFramesAreLeftOutAndNamed) {
  const MadeRun made(6);
  made.write("f.0001.bgeo.sc", "rubbish");
  made.write("f.0004.bgeo.sc", "");
  made.remove_frame(5);
  std::vector<std::string> problems;
  const Json run = page_json(of({made.path()}), &problems)["runs"][0];
  EXPECT_EQ(run["surface"]["frames"], Json({2, 3, 6}));
  EXPECT_THAT(problems, Contains(HasSubstr("Frame 1 cannot be shown")));
  EXPECT_THAT(problems, Contains(HasSubstr("Frame 4 cannot be shown")));
  EXPECT_THAT(problems, Contains(HasSubstr("Frame 5 has no file")));
}

TEST(Report, FramesInWhichBodiesFlewApartAreLeftOut) {
  const MadeRun made;
  Geometry geometry = MadeRun::two_tets();
  set_positions(geometry, 1e20 * positions(geometry));
  made.write_frame(4, geometry);
  const Json run = page_json(of({made.path()}))["runs"][0];
  EXPECT_EQ(run["surface"]["frames"], Json({1, 2, 3}));
  EXPECT_LT(run["surface"]["step"].get<double>(), 1e-4);
  EXPECT_THAT(run["problems"].get<std::vector<std::string>>(),
              ElementsAre(HasSubstr("Frame 4 cannot be shown: the bodies flew apart")));
}

TEST(Report, HoldsEachColliderOnceAndAPoseForEveryFrame) {
  const MadeRun made;
  ColliderSource floor, ball;
  floor.plane = {Vec3::Zero(), Vec3::UnitY()};
  ball.shape = LevelSetShape();
  ball.shape->voxel_size = 0.1;
  ball.motion.emplace_back();
  ball.motion.back().velocity = Vec3(24, 0, 0);  // one metre per frame
  SceneCollider named;
  named.collider.name = "it";
  made.write_record(5, 2, {collider_json(named, floor), collider_json(named, ball)});
  const Json colliders = page_json(of({made.path()}))["runs"][0]["colliders"];
  ASSERT_EQ(colliders.size(), 2U);
  EXPECT_EQ(colliders[0]["plane"]["normal"], Json({0.0, 1.0, 0.0}));
  EXPECT_EQ(colliders[0]["shapes"].size(), 0U);
  EXPECT_EQ(colliders[0]["poses"].size(), 1U);
  EXPECT_TRUE(colliders[1]["plane"].is_null());
  ASSERT_EQ(colliders[1]["shapes"].size(), 1U);
  EXPECT_GT(colliders[1]["shapes"][0]["triangles"], 100);
  ASSERT_EQ(colliders[1]["poses"].size(), 4U);
  EXPECT_NEAR(colliders[1]["poses"][3][0].get<double>(), 3, 1e-12);
  EXPECT_EQ(colliders[1]["poses"][3][6], 1.0);
}

TEST(Report, CollidersWhoseFilesAreGoneAreNamed) {
  const MadeRun made;
  ColliderSource flag;  // a sequence of files is looked at frame by frame
  for (const double time : {0.0, 1.0 / 24}) flag.files.push_back({time, "/nowhere/flag.vdb"});
  SceneCollider named;
  named.collider.name = "flag";
  made.write_record(5, 2, Json::array({collider_json(named, flag)}));
  std::vector<std::string> problems;
  const Json run = page_json(of({made.path()}), &problems)["runs"][0];
  EXPECT_THAT(run["colliders"], IsEmpty());
  EXPECT_THAT(run["problems"][0].get<std::string>(),
              HasSubstr("The collider 'flag' cannot be shown: /nowhere/flag.vdb"));
  EXPECT_THAT(problems, ElementsAre(HasSubstr("'flag' cannot be shown")));
}

TEST(Report, WithoutAnyFrameThereIsNoSurface) {
  const MadeRun made;
  for (int frame = 1; frame <= 4; ++frame) made.remove_frame(frame);
  const Json run = page_json(of({made.path()}))["runs"][0];
  EXPECT_TRUE(run["surface"].is_null());
  EXPECT_EQ(run["stats"].size(), 4U);
}

TEST(Report, RefusesWhatIsNoRun) {
  const TempFolder folder;
  EXPECT_THAT([&] { page_json(of({folder.path().string()})); },
              ThrowsMessage<InputError>(HasSubstr("holds no run")));
}

TEST(Report, ThePageIsOneFileThatAsksForNothing) {
  if (page_template().size == 0) GTEST_SKIP() << "built without node; ./test installs it";
  const MadeRun made;
  const std::string html = make_report(of({made.path()})).html;
  EXPECT_EQ(html.find("<!--dashpot"), std::string::npos);
  EXPECT_EQ(html.find(" src="), std::string::npos);
  EXPECT_EQ(html.find("<link"), std::string::npos);
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  // The notices of what it contains.
  EXPECT_THAT(html, HasSubstr("three.js authors"));
  EXPECT_THAT(html, HasSubstr("Leon Sorokin"));
}

}  // namespace
}  // namespace dashpot
