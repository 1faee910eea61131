// Damaged files give a sentence or a consistent geometry, never a crash.

#include <gtest/gtest.h>

#include <random>

#include "solver/base/error.h"
#include "standalone/files/read_file.h"
#include "standalone/geometry/geometry_reader.h"
#include "standalone/geometry/geometry_writer.h"
#include "standalone/geometry/scf.h"
#include "tests/geometry/exercise.h"
#include "tests/geometry/samples.h"
#include "tests/support/outside_data.h"

namespace dashpot {
namespace {

using Files = std::vector<std::string>;

// Every sample in every form, and one with more than one page.
Files own_files_in_every_form() {
  std::vector<Geometry> geometries = {varied_geometry()};
  for (const auto& path : geometry_files(own_samples())) geometries.push_back(read_geometry(path));
  Files files;
  for (const Geometry& geometry : geometries)
    for (const bool binary : {false, true})
      for (const Compression compression :
           {Compression::kNone, Compression::kScf, Compression::kGzip})
        files.push_back(encode_geometry(geometry, {binary, compression}));
  return files;
}

// Inside compressed files damage gets further.
Files houdini_files_and_what_is_inside() {
  Files files;
  for (const auto& path : geometry_files(houdini_data())) {
    files.push_back(read_file(path));
    if (files.back().compare(0, 4, kScfMagic) == 0) files.push_back(unpack_scf(files.back()));
  }
  return files;
}

// Large files take longer, and have as many kinds of bytes as small ones.
int attempts_for(const std::string& file) {
  return file.size() < 30000 ? 120 : file.size() < 300000 ? 16 : 6;
}

void expect_cut_off_files_refused(const Files& files) {
  std::mt19937_64 random(1);
  for (const std::string& file : files) {
    for (int i = 0; i < attempts_for(file); ++i) {
      // The text's last byte is a line end.
      const std::size_t size = random() % (file.size() - 2);
      EXPECT_THROW(decode_geometry(file.substr(0, size)), InputError) << size;
    }
  }
}

void expect_changed_bytes_handled(const Files& files) {
  std::mt19937_64 random(2);
  int refused = 0, read = 0;
  for (const std::string& file : files) {
    for (int i = 0; i < attempts_for(file); ++i) {
      std::string damaged = file;
      // Near the start is where the structure is.
      const std::size_t range = i % 2 == 0 ? file.size() : std::min<std::size_t>(2000, file.size());
      for (int k = 0; k <= i % 3; ++k) damaged[random() % range] = static_cast<char>(random());
      exercise(damaged) ? ++read : ++refused;
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(read, 100);
}

void expect_inserted_and_removed_bytes_handled(const Files& files) {
  std::mt19937_64 random(3);
  for (const std::string& file : files) {
    for (int i = 0; i < attempts_for(file) / 4; ++i) {
      std::string damaged = file;
      const std::size_t at = random() % file.size();
      if (i % 2 == 0) {
        damaged.erase(at, random() % 16);
      } else {
        damaged.insert(at, std::string(random() % 16, static_cast<char>(random())));
      }
      exercise(damaged);
    }
  }
}

TEST(Damage, CutOffFilesAreRefused) {
  expect_cut_off_files_refused(own_files_in_every_form());
}

TEST(Damage, ChangedBytesGiveASentenceOrAConsistentGeometry) {
  expect_changed_bytes_handled(own_files_in_every_form());
}

TEST(Damage, InsertedAndRemovedBytesGiveASentenceOrAConsistentGeometry) {
  expect_inserted_and_removed_bytes_handled(own_files_in_every_form());
}

TEST(OutsideDataDamage, CutOffFilesAreRefused) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  expect_cut_off_files_refused(houdini_files_and_what_is_inside());
}

TEST(OutsideDataDamage, ChangedBytesGiveASentenceOrAConsistentGeometry) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  expect_changed_bytes_handled(houdini_files_and_what_is_inside());
}

TEST(OutsideDataDamage, InsertedAndRemovedBytesGiveASentenceOrAConsistentGeometry) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  expect_inserted_and_removed_bytes_handled(houdini_files_and_what_is_inside());
}

TEST(Damage, EveryInputThatOnceFailedIsHandled) {
  const auto folder = std::filesystem::path(DASHPOT_SOURCE_DIR) / "tests" / "fuzz" / "regressions";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().filename().string());
    exercise(read_file(entry.path()));
    ++files;
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace dashpot
