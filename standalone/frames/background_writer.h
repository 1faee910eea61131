#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace dashpot {

// One thread that works off tasks in the order in which they were submitted, while the simulation
// goes on. If a task throws, later ones are dropped and the exception, of its own type, comes out
// of every submit() and finish() from then on.
class BackgroundWriter {
 public:
  using Task = std::function<void()>;

  // Tasks that may wait beside the one that is at work: each holds the data of a frame.
  static constexpr std::size_t kMostWaiting = 2;

  BackgroundWriter();
  // Does what was submitted; an exception that nobody asked for is lost.
  ~BackgroundWriter();
  BackgroundWriter(const BackgroundWriter&) = delete;
  BackgroundWriter& operator=(const BackgroundWriter&) = delete;

  // Blocks while kMostWaiting tasks wait.
  void submit(Task task);
  // Returns when all tasks are done.
  void finish();

 private:
  void work();
  void throw_error() const;

  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by the mutex
  std::deque<Task> waiting_;
  bool busy_ = false, closing_ = false;
  std::exception_ptr error_;

  std::thread thread_;
};

}  // namespace dashpot
