#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "standalone/farm/run_status.h"
#include "standalone/files/file_lock.h"

namespace dashpot {

struct WorkerOptions {
  std::string program;      // dashpot itself
  std::string directory;    // of the wedge
  int threads = 1;          // of each run
  int retries = 2;          // after a run was killed by a signal
  bool fresh = false;       // forget what earlier attempts did
  bool own_output = false;  // print what the run prints, for a farm's log; else to log.txt
  std::string progress = "alf";
};

// One run of a wedge under way: a child process, its status file and its lock. A run that a signal
// ended is started again from its checkpoint, `retries` times; one that refused its input or failed
// is not, since it would fail again.
class Worker {
 public:
  Worker(const WorkerOptions& options, const WedgePlan& plan, const WedgeRun& run);

  const WedgeRun& run() const { return run_; }
  const RunStatus& status() const { return status_; }
  bool busy_elsewhere() const { return !lock_.held(); }
  bool finished() const { return child_ == 0; }

  // Looks whether the child has ended, without waiting.
  void poll();
  // Asks the run to write a checkpoint and end.
  void interrupt();

 private:
  void start();
  void ended(int wait_status);
  std::vector<std::string> command() const;

  const WorkerOptions& options_;
  const WedgePlan& plan_;
  const WedgeRun& run_;
  std::string folder_;
  FileLock lock_;
  RunStatus status_;
  bool resume_ = false, interrupted_ = false;
  int kills_ = 0;
  pid_t child_ = 0;
};

// Runs `indices` of the plan side by side, at most `parallel` at a time. `interrupted` is asked all
// the time; once it says yes, runs end at a checkpoint and no more are started. `note` is told
// about every run that ends. Returns false if it was interrupted.
bool run_side_by_side(const WorkerOptions& options, const WedgePlan& plan,
                      const std::vector<std::size_t>& indices, int parallel,
                      const std::function<bool()>& interrupted,
                      const std::function<void(const Worker&)>& note);

}  // namespace dashpot
