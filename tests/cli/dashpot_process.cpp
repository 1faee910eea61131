#include "tests/cli/dashpot_process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace dashpot {
namespace {

void redirect(const char* name, int descriptor) {
  const int file = ::open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  ::dup2(file, descriptor);
  ::close(file);
}

}  // namespace

DashpotTest::DashpotTest() {
  const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
  folder_ = std::filesystem::temp_directory_path() /
            ("dashpot_cli_" + std::string(info->name()) + "_" + std::to_string(::getpid()));
  std::filesystem::remove_all(folder_);
  std::filesystem::create_directories(folder_);
}

DashpotTest::~DashpotTest() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

pid_t DashpotTest::start(const std::vector<std::string>& arguments) const {
  const pid_t process = ::fork();
  // -1 must not get out of here: kill(-1) would signal every process of the user.
  if (process < 0) throw std::runtime_error("fork failed");
  if (process > 0) return process;
  if (::chdir(folder_.c_str()) != 0) ::_exit(127);
  redirect("stdout.txt", STDOUT_FILENO);
  redirect("stderr.txt", STDERR_FILENO);
  std::vector<std::string> words = {DASHPOT_BIN_DIR "/dashpot"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(pointers[0], pointers.data());
  ::_exit(127);
}

ProcessResult DashpotTest::wait(pid_t process) const {
  int status = 0;
  ::waitpid(process, &status, 0);
  ProcessResult result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read("stdout.txt");
  result.err = read("stderr.txt");
  return result;
}

ProcessResult DashpotTest::run(const std::vector<std::string>& arguments) const {
  return wait(start(arguments));
}

bool DashpotTest::wait_for_file(const std::string& name) const {
  for (int i = 0; i < 12000; ++i) {
    if (exists(name)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

std::string DashpotTest::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name) << text;
  return name;
}

std::string DashpotTest::read(const std::string& name) const {
  std::ostringstream text;
  text << std::ifstream(folder_ / name).rdbuf();
  return text.str();
}

bool DashpotTest::exists(const std::string& name) const {
  return std::filesystem::exists(folder_ / name);
}

std::vector<nlohmann::json> DashpotTest::stats(const std::string& name) const {
  std::vector<nlohmann::json> lines;
  std::istringstream text(read(name));
  for (std::string line; std::getline(text, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

int line_count(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace dashpot
