// Input that is refused before it costs time or memory, and input that cannot be computed.

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/cli/dashpot_process.h"

namespace dashpot {
namespace {

using ::testing::HasSubstr;

class Refusals : public DashpotTest {
 protected:
  Refusals() {
    write("scene.toml",
          "[simulation]\nframes = [1, 2]\n[[body]]\nname = \"a\"\n"
          "geometry = { type = \"box\", cells = 2 }\n");
  }
};

// What the solver could not factor was "an error that should not happen".
TEST_F(Refusals, SizesAndStepsThatCannotBeComputedAreNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {"body.a.geometry.size=[1e-9,1e-9,1e-9]", "body 'a': its edges of 6.3e-10 m"},
      {"simulation.fps=1e300", "time step of 1e-300 s is too short"},
      {"simulation.fps=1e-300", "too short for time steps of 1e+300 s"}};
  for (const auto& [setting, part] : cases) {
    const ProcessResult result = run({"simulate", "scene.toml", "--set", setting});
    EXPECT_EQ(result.exit_code, 2) << setting;
    EXPECT_THAT(result.err, HasSubstr(part));
    EXPECT_LE(line_count(result.err), 2) << result.err;  // advice about units may come before
  }
}

TEST_F(Refusals, FilesThatNeverEndAreRefusedAtOnce) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe.geo").c_str(), 0600), 0);
  for (const char* name : {"huge.toml", "huge.geo", "huge.msh", "huge.vdb", "huge.json"}) {
    write(name, "");
    std::filesystem::resize_file(folder_ / name, 100000000000);
  }
  const std::vector<std::vector<std::string>> cases = {
      {"simulate", "/dev/zero"},
      {"simulate", "pipe.geo"},
      {"simulate", "huge.toml"},
      {"wedge", "/dev/zero", "--vary", "simulation.substeps=1,2"},
      {"info", "/dev/zero"},
      {"info", "pipe.geo"},
      {"info", "huge.geo"},
      {"info", "huge.vdb"},
      {"info", "huge.msh"},
      {"convert", "pipe.geo", "x.bgeo"},
      {"convert", "/dev/zero", "x.bgeo"},
      {"simulate", "scene.toml", "--set", "body.a.geometry=/dev/zero"},
      {"simulate", "scene.toml", "--set", "body.a.geometry=huge.geo"},
      {"simulate", "scene.toml", "--set", "body.a.geometry=pipe.geo"}};
  for (const auto& arguments : cases) {
    const ProcessResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << ::testing::PrintToString(arguments);
    EXPECT_THAT(result.err, HasSubstr("cannot be read (it "));
    EXPECT_EQ(line_count(result.err), 1) << result.err;
  }
}

}  // namespace
}  // namespace dashpot
