#pragma once

#include <string>
#include <vector>

namespace dashpot {

// What is asked of a farm's manager, in words that all managers share. farm/submit.py says them in
// the manager's own, and refuses those that it has none for.
struct SubmitOptions {
  std::string manager;  // empty: the work is done here
  std::string program;  // dashpot on the workers; empty: this one
  std::string pool, priority, memory, server;
  std::vector<std::string> after;        // ids of jobs that must be done first
  std::vector<std::string> environment;  // NAME=VALUE
  std::vector<std::string> fields;       // KEY=VALUE of the manager's own job
  bool dry_run = false;                  // print what would be sent
};

struct FarmTask {
  std::size_t number = 1;
  std::string name;
};

constexpr const char* kTaskNumber = "{task}";

// A job whose tasks are one command, apart from the word kTaskNumber, which stands for the task's
// number. Simulations are sequential: a task is a whole run, and starting it again resumes it.
struct FarmJob {
  std::string name;
  std::string folder;                // for scripts and logs of the manager
  std::vector<std::string> command;  // after the program
  std::vector<FarmTask> tasks;
  int threads = 1;  // of each task
};

constexpr int kThreadsOfATask = 4;  // unless it was said how many

// Hands the job to farm/submit.py, which prints the job's id, or what would be sent. False if it
// was refused; the reason is on standard error then. Throws InputError if the script cannot be run.
bool submit(const FarmJob& job, const SubmitOptions& options);

// All that the scripts of farm/ write into a job's folder, besides logs.
std::vector<std::string> files_of_managers(const std::string& folder);

// This program's own path.
std::string own_path();

}  // namespace dashpot
