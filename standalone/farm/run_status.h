#pragma once

#include <string>
#include <vector>

#include "standalone/farm/wedge_plan.h"

namespace dashpot {

// How far one run of a wedge is, as status.json in its folder says. kStopped: its status says
// running, but nobody runs it any more, as after a kill.
enum class RunState { kPending, kRunning, kStopped, kFailed, kDone };
const char* name(RunState state);

struct RunStatus {
  RunState state = RunState::kPending;
  int exit_code = 0;     // 128 + signal if one ended it
  int attempts = 0;      // times that dashpot simulate was started
  std::string identity;  // of the scene file and arguments that it was started with
  std::string host;
  long process = 0;
  std::string message;  // why it failed
};

// All that a wedge writes itself, besides what its runs write.
std::vector<std::string> files_of_wedge(const std::string& directory, const WedgePlan& plan);

// With its parents. Throws InputError if it cannot be made.
void make_folder(const std::string& folder);

// The folder of a run, absolute or relative as `directory` is.
std::string run_folder(const std::string& directory, const WedgeRun& run);

RunStatus read_status(const std::string& folder);
void write_status(const std::string& folder, const RunStatus& status);
// The next attempt starts from the first frame.
void forget_status(const std::string& folder);

// status.json of the whole wedge, and failed.txt with the names of the runs that can be rerun.
void write_summary(const std::string& directory, const WedgePlan& plan);

// What a run's frames depend on: the bytes of the scene file and all arguments.
std::string run_identity(const WedgePlan& plan, const WedgeRun& run);

// Held while a run is under way: a second worker that a scheduler starts by mistake must not write
// the same files.
std::string lock_path(const std::string& folder);

}  // namespace dashpot
