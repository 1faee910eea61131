#include "standalone/render/png.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "solver/base/error.h"

namespace dashpot {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class Png : public testing::Test {
 protected:
  Png() { std::filesystem::create_directories(folder_); }
  ~Png() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  static Image noise(int width, int height) {
    Image image{width, height, {}};
    std::uint32_t state = 1;
    for (int i = 0; i < 3 * width * height; ++i) {
      state = state * 1664525U + 1013904223U;
      image.rgb.push_back(static_cast<std::uint8_t>(state >> 24));
    }
    return image;
  }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("dashpot_png_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(Png, WhatIsWrittenIsReadBack) {
  for (const Image& image : {noise(17, 9), noise(1, 1), noise(64, 3)}) {
    write_png(path("still.png"), image);
    const Image back = read_png(path("still.png"));
    EXPECT_EQ(back.width, image.width);
    EXPECT_EQ(back.height, image.height);
    EXPECT_EQ(back.rgb, image.rgb);
  }
}

TEST_F(Png, WritingLeavesNoOtherFile) {
  write_png(path("still.png"), noise(4, 4));
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    EXPECT_EQ(entry.path().filename(), "still.png");
    ++files;
  }
  EXPECT_EQ(files, 1);
}

TEST_F(Png, AnUnwritablePathIsNamed) {
  const std::string missing = path("no_such_folder/still.png");
  EXPECT_THAT([&] { write_png(missing, noise(2, 2)); },
              ThrowsMessage<InputError>(HasSubstr(missing)));
}

TEST_F(Png, AMissingOrDamagedFileIsNamed) {
  EXPECT_THAT([&] { read_png(path("none.png")); },
              ThrowsMessage<InputError>(HasSubstr(path("none.png"))));
  std::ofstream(path("text.png")) << "not a picture";
  EXPECT_THAT([&] { read_png(path("text.png")); },
              ThrowsMessage<InputError>(HasSubstr(path("text.png"))));
}

}  // namespace
}  // namespace dashpot
