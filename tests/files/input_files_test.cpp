#include "standalone/files/input_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solver/base/error.h"
#include "standalone/files/frame_name.h"
#include "tests/formats/temp_folder.h"

namespace dashpot {
namespace {

namespace fs = std::filesystem;

TEST(InputFiles, AreKnownUnderEveryName) {
  const TempFolder folder;
  const fs::path file = folder.write("a.geo", "x");
  folder.write("other.geo", "x");
  fs::create_directory(folder.path() / "sub");
  fs::create_symlink("a.geo", folder.path() / "soft.geo");
  fs::create_symlink(folder.path(), folder.path() / "sub" / "back");
  fs::create_hard_link(file, folder.path() / "hard.geo");
  InputFiles inputs;
  inputs.add(folder.path() / "soft.geo");
  for (const char* name :
       {"a.geo", "soft.geo", "hard.geo", "sub/../a.geo", "sub/back/a.geo", ".//a.geo"})
    EXPECT_TRUE(inputs.has(folder.path() / name)) << name;
  for (const char* name : {"other.geo", "new.geo", "sub", "no/a.geo"})
    EXPECT_FALSE(inputs.has(folder.path() / name)) << name;
}

TEST(InputFiles, NameWhatWouldBeLost) {
  const TempFolder folder;
  const fs::path file = folder.write("a.geo", "x");
  fs::create_symlink("a.geo", folder.path() / "b.geo");
  InputFiles inputs;
  inputs.add(file);
  try {
    inputs.refuse_output(folder.path() / "b.geo", "--out");
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("--out: '"));
    EXPECT_THAT(error.what(), testing::HasSubstr(file.string()));
  }
  EXPECT_NO_THROW(inputs.refuse_output(folder.path() / "c.geo", "--out"));
}

TEST(InputFiles, OfASequenceAreAllItsFrames) {
  const TempFolder folder;
  for (const char* name : {"t.0001.geo", "t.0100.geo", "t.12345.geo", "t.x.geo", "t.1.geo"})
    folder.write(name, name);
  InputFiles inputs;
  inputs.add_sequence(folder.path() / "t.$F4.geo");
  for (const char* name : {"t.0001.geo", "t.0100.geo", "t.12345.geo"})
    EXPECT_TRUE(inputs.has(folder.path() / name)) << name;
  for (const char* name : {"t.x.geo", "t.1.geo"})
    EXPECT_FALSE(inputs.has(folder.path() / name)) << name;
}

TEST(WrittenPlace, FollowsLinksAlsoToWhatIsNotThere) {
  const TempFolder folder;
  fs::create_directory(folder.path() / "sub");
  fs::create_symlink("../new.jsonl", folder.path() / "sub" / "link");
  fs::create_symlink("link", folder.path() / "sub" / "link2");
  fs::create_symlink("loop", folder.path() / "loop");
  const fs::path place = fs::canonical(folder.path()) / "new.jsonl";
  for (const char* name : {"new.jsonl", "sub/link", "sub/link2", "sub/../new.jsonl"})
    EXPECT_EQ(written_place(folder.path() / name), place) << name;
  EXPECT_NO_THROW(written_place(folder.path() / "loop"));
}

TEST(FrameNumber, IsThatOfTheName) {
  for (const char* sequence : {"a.$F4.geo", "$F.geo", "a$F2b$F.geo", "a.$F31.geo", "$F1$F2.geo"})
    for (const int frame : {-12, -1, 0, 1, 7, 99, 10000, 2147483647})
      EXPECT_EQ(frame_number(sequence, frame_name(sequence, frame)), frame) << sequence;
  for (const char* name : {"a.001.geo", "a.00001.geo", "a.0001.geo.sc", "b.0001.geo", "a..geo", "",
                           "a.99999999999.geo", "a. 001.geo", "a.+001.geo"})
    EXPECT_EQ(frame_number("a.$F4.geo", name), std::nullopt) << name;
  EXPECT_EQ(frame_number("a.geo", "a.geo"), std::nullopt);
}

}  // namespace
}  // namespace dashpot
