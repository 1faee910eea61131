#include "standalone/bench/benchmark.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "standalone/bench/benchmark_output.h"

namespace dashpot {
namespace {

using testing::HasSubstr;
using testing::Not;

SizeResult made_up_size(int tets) {
  SizeResult size;
  size.tets = tets;
  size.points = tets / 5;
  const double n = tets;
  size.ours = {{1, {2e-4 * n, 2e-5 * std::pow(n, 1.25), 3e-4 * n}},
               {2, {1e-4 * n, 1e-5 * std::pow(n, 1.25), 1.5e-4 * n}}};
  return size;
}

TEST(PublishedScenes, AreTheRowsOfThreeTables) {
  EXPECT_EQ(published_scenes().size(), 24U);
  for (const PublishedScene& scene : published_scenes()) {
    SCOPED_TRACE(scene.name);
    EXPECT_LE(scene.tets, scene.elements);
    EXPECT_GT(scene.frame, 0);
    EXPECT_GT(scene.iterations, 0);
  }
}

TEST(PublishedScene, IsSimulatedWithItsPointsTetsAndIterations) {
  PublishedScene scene = published_scenes().front();
  scene.nodes = 60;
  scene.tets = 150;
  scene.iterations = 3;
  const SceneResult result = run_published_scene(scene, 2);
  EXPECT_TRUE(result.was_run);
  EXPECT_EQ(result.points, 60);
  EXPECT_EQ(result.tets, 150);
  EXPECT_GE(result.solves, 2);  // TR-BDF2
  EXPECT_GT(result.local, 0);
  EXPECT_GT(result.global, 0);
  EXPECT_GE(result.frame, 6 * (result.local + result.global));
}

TEST(PublishedScene, OfClothIsListedButNotRun) {
  PublishedScene scene = published_scenes().front();
  scene.tets = 0;
  EXPECT_FALSE(run_published_scene(scene, 1).was_run);
}

TEST(SizeBenchmark, MeasuresEachNumberOfThreadsAndTheTextbook) {
  const SizeResult result = run_size({400, {1, 2}, 2, 4, 1000});
  EXPECT_NEAR(result.tets, 400, 80);
  ASSERT_EQ(result.ours.size(), 2U);
  EXPECT_EQ(result.ours[1].threads, 2);
  for (const ThreadResult& t : result.ours) {
    EXPECT_GT(t.ours.local, 0);
    EXPECT_GT(t.ours.global, 0);
    EXPECT_GE(t.ours.total, t.ours.local + t.ours.global);
  }
  EXPECT_TRUE(result.has_textbook);
  EXPECT_GT(result.textbook.total, 0);
  EXPECT_GT(result.memory, 0);
}

TEST(SizeBenchmark, LeavesTheTextbookOutAboveItsLimit) {
  EXPECT_FALSE(run_size({400, {1}, 1, 1, 100}).has_textbook);
}

TEST(Growth, IsTheExponentFromTenThousandTetsOn) {
  const Growth growth = growth_of({made_up_size(50), made_up_size(10000), made_up_size(500000)});
  EXPECT_NEAR(growth.local, 1.0, 1e-12);
  EXPECT_NEAR(growth.global, 1.25, 1e-12);
  EXPECT_EQ(growth_of({made_up_size(2000), made_up_size(10000)}).local, 0);
  EXPECT_EQ(growth_of({}).local, 0);
}

BenchmarkResult made_up_result() {
  BenchmarkResult result;
  result.processor = "a processor";
  result.processors = 2;
  SceneResult cloth, solid;
  cloth.published = {"A table", "Cloth", 10, 20, 0, 3, 0.04, Integrator::kTrBdf2, Material::kArap};
  solid.published = cloth.published;
  solid.published.name = "Solid";
  solid.published.frame = 300;
  solid.was_run = true;
  solid.frame = 3;
  result.scenes = {cloth, solid};
  result.sizes = {made_up_size(10000), made_up_size(100000)};
  result.sizes[0].has_textbook = true;
  result.sizes[0].textbook = {10, 5, 15};
  return result;
}

TEST(BenchmarkOutput, TextHasOursBesideTheirsAndTheRatio) {
  const std::string text = benchmark_text(made_up_result());
  EXPECT_THAT(text, HasSubstr("no solid body"));
  EXPECT_THAT(text, HasSubstr("100.0"));
  EXPECT_THAT(text, HasSubstr("10.0x"));  // 15 ms against 1.5 ms
  EXPECT_THAT(text, HasSubstr("n^1.00 (local) and n^1.25 (global)"));
}

TEST(BenchmarkOutput, JsonHasTheSameNumbers) {
  const auto json = nlohmann::json::parse(benchmark_json(made_up_result()));
  EXPECT_FALSE(json["published"][0].contains("ours"));
  EXPECT_EQ(json["published"][1]["ours"]["frame_ms"], 3);
  EXPECT_EQ(json["published"][1]["published"]["frame_ms"], 300);
  EXPECT_EQ(json["sizes"][0]["ours"][1]["threads"], 2);
  EXPECT_DOUBLE_EQ(json["sizes"][0]["ratio"], 10);
  EXPECT_NEAR(json["exponents"]["global"], 1.25, 1e-12);
}

TEST(BenchmarkOutput, PlotHasACurveForEachPartAndNoPlaceThatIsNotANumber) {
  const std::string svg = benchmark_plot(made_up_result());
  for (const char* label : {"textbook, whole", "whole iteration", "local step", "global step"})
    EXPECT_THAT(svg, HasSubstr(label));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
  BenchmarkResult one = made_up_result();
  one.sizes.resize(1);
  EXPECT_THAT(benchmark_plot(one), Not(HasSubstr("nan")));
  EXPECT_THAT(benchmark_plot({}), HasSubstr("</svg>"));
}

}  // namespace
}  // namespace dashpot
