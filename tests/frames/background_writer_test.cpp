#include "standalone/frames/background_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <vector>

#include "solver/base/error.h"

namespace dashpot {
namespace {

using testing::ElementsAre;

TEST(BackgroundWriter, WorksOffTasksInOrder) {
  std::vector<int> done;
  BackgroundWriter writer;
  for (int i = 0; i < 100; ++i) writer.submit([&done, i] { done.push_back(i); });
  writer.finish();
  ASSERT_EQ(done.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(done[static_cast<std::size_t>(i)], i);
}

TEST(BackgroundWriter, CanGoOnAfterFinish) {
  std::vector<int> done;
  BackgroundWriter writer;
  writer.finish();
  writer.submit([&] { done.push_back(1); });
  writer.finish();
  writer.submit([&] { done.push_back(2); });
  writer.finish();
  EXPECT_THAT(done, ElementsAre(1, 2));
}

// A gate that holds the first task, so that what waits behind it is known.
struct Gate {
  std::promise<void> entered, opened;
  std::shared_future<void> open = opened.get_future().share();

  BackgroundWriter::Task task() {
    return [this] {
      entered.set_value();
      open.wait();
    };
  }
};

TEST(BackgroundWriter, BlocksWhoeverIsTooFastForIt) {
  Gate gate;
  std::atomic<int> submitted{0}, done{0};
  BackgroundWriter writer;
  writer.submit(gate.task());
  gate.entered.get_future().wait();
  for (std::size_t i = 0; i < BackgroundWriter::kMostWaiting; ++i)
    writer.submit([&] { ++done; });  // does not block: the test would hang
  std::promise<void> started;
  const auto blocked = std::async(std::launch::async, [&] {
    started.set_value();
    writer.submit([&] { ++done; });
    submitted = 1;
  });
  started.get_future().wait();
  EXPECT_EQ(blocked.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  EXPECT_EQ(submitted, 0);
  gate.opened.set_value();
  blocked.wait();
  EXPECT_EQ(submitted, 1);
  writer.finish();
  EXPECT_EQ(done, 3);
}

template <class Error>
BackgroundWriter::Task failing() {
  return [] { throw Error("no space left"); };
}

TEST(BackgroundWriter, AnErrorComesOutOfFinishWithItsType) {
  BackgroundWriter bad_input, failed;
  bad_input.submit(failing<InputError>());
  EXPECT_THROW(bad_input.finish(), InputError);
  failed.submit(failing<SimulationError>());
  EXPECT_THROW(failed.finish(), SimulationError);
}

TEST(BackgroundWriter, AnErrorComesOutOfTheNextSubmitAndOfEveryOneAfter) {
  std::atomic<bool> later{false};
  BackgroundWriter writer;
  writer.submit(failing<InputError>());
  EXPECT_THROW(writer.finish(), InputError);
  EXPECT_THROW(writer.submit([&] { later = true; }), InputError);
  EXPECT_THROW(writer.submit([&] { later = true; }), InputError);
  EXPECT_THROW(writer.finish(), InputError);
  EXPECT_FALSE(later);
}

TEST(BackgroundWriter, AnErrorWakesAndReachesWhoeverIsBlocked) {
  Gate gate;
  std::atomic<int> done{0};
  BackgroundWriter writer;
  writer.submit([&] {
    gate.task()();
    throw InputError("no space left");
  });
  gate.entered.get_future().wait();
  for (std::size_t i = 0; i < BackgroundWriter::kMostWaiting; ++i) writer.submit([&] { ++done; });
  auto blocked = std::async(std::launch::async, [&] { writer.submit([&] { ++done; }); });
  gate.opened.set_value();
  EXPECT_THROW(blocked.get(), InputError);
  EXPECT_EQ(done, 0) << "what comes after a frame that is missing is not written";
}

TEST(BackgroundWriter, DoesWhatComesBeforeTheError) {
  std::vector<int> done;
  BackgroundWriter writer;
  try {
    for (int i = 0; i < 20; ++i)
      writer.submit([&done, i] {
        if (i == 7) throw InputError("no space left");
        done.push_back(i);
      });
    writer.finish();
    FAIL() << "the error is lost";
  } catch (const InputError&) {
  }
  EXPECT_THAT(done, ElementsAre(0, 1, 2, 3, 4, 5, 6));
}

TEST(BackgroundWriter, ItsEndWaitsForWhatWasSubmitted) {
  std::vector<int> done;
  {
    BackgroundWriter writer;
    for (int i = 0; i < 5; ++i) writer.submit([&done, i] { done.push_back(i); });
  }
  EXPECT_THAT(done, ElementsAre(0, 1, 2, 3, 4));
}

TEST(BackgroundWriter, AnErrorThatNobodyAsksForDoesNoHarm) {
  BackgroundWriter writer;
  writer.submit(failing<InputError>());
}

}  // namespace
}  // namespace dashpot
