#pragma once

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "solver/base/error.h"
#include "standalone/scene/scene_file.h"

namespace dashpot {

// Scene files that exist for the length of one test.
class SceneFileTest : public ::testing::Test {
 protected:
  SceneFileTest() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              ("dashpot_scene_" + std::string(info->test_suite_name()) + "_" + info->name() + "_" +
               std::to_string(::getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~SceneFileTest() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

  SceneFile load(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    return load_scene_file(write("scene.toml", text), overrides);
  }

  // One body, a unit cube of eight cells, with these extra lines.
  SceneFile load_cube(const std::string& lines,
                      const std::vector<std::string>& overrides = {}) const {
    return load(cube(lines), overrides);
  }
  static std::string cube(const std::string& lines) {
    return "[[body]]\nname = \"cube\"\n"
           "geometry = { type = \"box\", size = [1, 1, 1], cells = [2, 2, 2] }\n" +
           lines;
  }

  std::string error_of(const std::string& text,
                       const std::vector<std::string>& overrides = {}) const {
    try {
      load(text, overrides);
    } catch (const InputError& error) {
      std::string message = error.what();
      // The folder's name is of no interest.
      for (std::size_t at; (at = message.find(folder_.string() + "/")) != std::string::npos;)
        message.erase(at, folder_.string().size() + 1);
      return message;
    }
    return "no error";
  }

  std::filesystem::path folder_;
};

}  // namespace dashpot
