#include "standalone/frames/background_writer.h"

#include <utility>

namespace dashpot {

BackgroundWriter::BackgroundWriter() : thread_([this] { work(); }) {}

BackgroundWriter::~BackgroundWriter() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void BackgroundWriter::submit(Task task) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [&] { return error_ || waiting_.size() < kMostWaiting; });
  throw_error();
  waiting_.push_back(std::move(task));
  changed_.notify_all();
}

void BackgroundWriter::finish() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [&] { return !busy_ && waiting_.empty(); });
  throw_error();
}

void BackgroundWriter::throw_error() const {
  if (error_) std::rethrow_exception(error_);
}

void BackgroundWriter::work() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return closing_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    Task task = std::move(waiting_.front());
    waiting_.pop_front();
    busy_ = true;
    changed_.notify_all();
    lock.unlock();
    std::exception_ptr error;
    try {
      task();
    } catch (...) {
      error = std::current_exception();
    }
    task = nullptr;  // frees its frame before the next one is taken
    lock.lock();
    busy_ = false;
    if (error) {
      error_ = error;
      waiting_.clear();
    }
    changed_.notify_all();
  }
}

}  // namespace dashpot
