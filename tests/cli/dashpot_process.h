#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dashpot {

struct ProcessResult {
  int exit_code = -1;  // 128 + signal number if a signal ended it
  std::string out, err;
};

// The built program, driven as a user would, in a folder that exists for the length of one test.
class DashpotTest : public ::testing::Test {
 protected:
  DashpotTest();
  ~DashpotTest() override;

  // Runs `dashpot arguments...` in the folder and waits for it.
  ProcessResult run(const std::vector<std::string>& arguments) const;
  // Starts it, without waiting; output goes to files.
  pid_t start(const std::vector<std::string>& arguments) const;
  ProcessResult wait(pid_t process) const;
  // Waits until the file exists, for at most a minute.
  bool wait_for_file(const std::string& name) const;

  std::string write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  bool exists(const std::string& name) const;
  // The lines of a stats file.
  std::vector<nlohmann::json> stats(const std::string& name) const;

  std::filesystem::path folder_;
};

// "line\n" -> 1
int line_count(const std::string& text);

}  // namespace dashpot
