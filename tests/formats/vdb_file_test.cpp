#include "standalone/formats/vdb_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/LevelSetSphere.h>

#include "solver/base/error.h"
#include "standalone/files/read_file.h"
#include "tests/formats/temp_folder.h"

namespace dashpot {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

openvdb::GridBase::Ptr ball() {
  const auto grid = openvdb::tools::createLevelSetSphere<openvdb::FloatGrid>(
      1.0F, openvdb::Vec3f(0, 2, 0), 0.125F);
  grid->setName("ball");
  return grid;
}

// A staggered velocity with one voxel, in boxes of 1 x 2 x 4, saved as half.
openvdb::GridBase::Ptr velocity() {
  const auto grid = openvdb::Vec3SGrid::create(openvdb::Vec3s(0, 0, 9));
  grid->setName("vel");
  grid->setGridClass(openvdb::GRID_STAGGERED);
  grid->setSaveFloatAsHalf(true);
  grid->insertMeta("creator", openvdb::StringMetadata("a test"));
  openvdb::math::Transform::Ptr boxes = openvdb::math::Transform::createLinearTransform(1.0);
  boxes->preScale(openvdb::Vec3d(1, 2, 4));
  grid->setTransform(boxes);
  grid->tree().setValue(openvdb::Coord(1, 2, 3), openvdb::Vec3s(1, 2, 3));
  return grid;
}

std::filesystem::path write_vdb(const TempFolder& folder, const openvdb::GridPtrVec& grids,
                                std::uint32_t compression) {
  openvdb::initialize();
  const std::filesystem::path path = folder.path() / "a.vdb";
  openvdb::io::File file(path.string());
  file.setCompression(compression);
  file.write(grids);
  file.close();
  return path;
}

const std::uint32_t kCompressions[] = {
    openvdb::io::COMPRESS_NONE, openvdb::io::COMPRESS_ZIP | openvdb::io::COMPRESS_ACTIVE_MASK,
    openvdb::io::COMPRESS_BLOSC | openvdb::io::COMPRESS_ACTIVE_MASK};

TEST(VdbFile, ListsGridsWithWhatOpenVdbSaysAboutThem) {
  const TempFolder folder;
  for (const std::uint32_t compression : kCompressions) {
    const openvdb::GridBase::Ptr sphere = ball();
    const VdbFile file = inspect_vdb_file(write_vdb(folder, {sphere, velocity()}, compression));
    ASSERT_EQ(file.grids.size(), 2u);

    const VdbGrid& level_set = file.grids[0];
    EXPECT_EQ(level_set.name, "ball");
    EXPECT_EQ(level_set.value_type, "float");
    EXPECT_EQ(level_set.grid_class, "level set");
    EXPECT_EQ(level_set.voxel_size, Vec3::Constant(0.125));
    EXPECT_TRUE(level_set.is_uniform);
    EXPECT_TRUE(level_set.is_linear);
    EXPECT_EQ(level_set.active_voxels, static_cast<std::int64_t>(sphere->activeVoxelCount()));
    EXPECT_EQ(level_set.background, "0.375");
    EXPECT_FALSE(level_set.saved_as_half);
    EXPECT_GT(level_set.bytes, 10000);
    // Radius and half a band, to the faces of the last voxel.
    ASSERT_TRUE(level_set.bounds.has_value());
    EXPECT_NEAR(level_set.bounds->first.x(), -1.375, 0.125);
    EXPECT_NEAR(level_set.bounds->second.y(), 3.375, 0.125);

    const VdbGrid& staggered = file.grids[1];
    EXPECT_EQ(staggered.name, "vel");
    EXPECT_EQ(staggered.value_type, "vec3s");
    EXPECT_EQ(staggered.grid_class, "staggered");
    EXPECT_TRUE(staggered.saved_as_half);
    EXPECT_EQ(staggered.compression, openvdb::io::compressionToString(compression));
    EXPECT_FALSE(staggered.is_uniform);
    EXPECT_EQ(staggered.voxel_size, Vec3(1, 2, 4));
    EXPECT_EQ(staggered.active_voxels, 1);
    EXPECT_EQ(staggered.background, "[0, 0, 9]");
    EXPECT_EQ(staggered.bounds->first, Vec3(0.5, 3, 10));
    EXPECT_EQ(staggered.bounds->second, Vec3(1.5, 5, 14));
    const auto is_creator = [](const VdbMetadata& entry) {
      return entry.name == "creator" && entry.type == "string" && entry.value == "a test";
    };
    EXPECT_EQ(std::count_if(staggered.metadata.begin(), staggered.metadata.end(), is_creator), 1);
  }
}

TEST(VdbFile, OfNoGridsOrOfAnEmptyFogIsDescribedWithoutBounds) {
  const TempFolder folder;
  EXPECT_TRUE(inspect_vdb_file(write_vdb(folder, {}, 0)).grids.empty());
  const auto fog = openvdb::FloatGrid::create();
  fog->setGridClass(openvdb::GRID_FOG_VOLUME);
  const VdbFile file = inspect_vdb_file(write_vdb(folder, {fog}, 0));
  ASSERT_EQ(file.grids.size(), 1u);
  EXPECT_EQ(file.grids[0].grid_class, "fog volume");
  EXPECT_EQ(file.grids[0].active_voxels, 0);
  EXPECT_FALSE(file.grids[0].bounds.has_value());
}

std::string vdb_refusal(const std::filesystem::path& path) {
  try {
    inspect_vdb_file(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(VdbFile, CutAnywhereIsRefusedWithOneSentence) {
  const TempFolder folder;
  for (const std::uint32_t compression : kCompressions) {
    const std::string bytes = read_file(write_vdb(folder, {ball(), velocity()}, compression));
    std::vector<std::size_t> sizes = {bytes.size() - 1, bytes.size() - 10, 8, 9, 21, 60};
    for (std::size_t size = 100; size < bytes.size(); size += bytes.size() / 40)
      sizes.push_back(size);
    for (const std::size_t size : sizes) {
      const auto path = folder.write("cut.vdb", bytes.substr(0, size));
      EXPECT_THAT(vdb_refusal(path), AllOf(StartsWith(path.string() + ": "),
                                           AnyOf(HasSubstr("cut short"), HasSubstr("damaged"))))
          << size << " of " << bytes.size() << " bytes";
    }
  }
}

TEST(VdbFile, ThatIsNoneOrMissingIsRefused) {
  const TempFolder folder;
  EXPECT_THAT(vdb_refusal(folder.write("a.vdb", "")), HasSubstr("no OpenVDB file"));
  EXPECT_THAT(vdb_refusal(folder.write("b.vdb", "[\"fileversion\"]")),
              HasSubstr("no OpenVDB file"));
  EXPECT_THAT(vdb_refusal(folder.path() / "no.vdb"), HasSubstr("cannot be read"));
  EXPECT_THAT(vdb_refusal(folder.path()), HasSubstr("is a directory"));
}

TEST(VdbFile, IsRecognisedByNameOrContent) {
  const TempFolder folder;
  const std::string bytes = read_file(write_vdb(folder, {velocity()}, 0));
  EXPECT_TRUE(is_vdb_file("a.VDB"));
  EXPECT_TRUE(is_vdb_file(folder.write("odd.name", bytes)));
  EXPECT_FALSE(is_vdb_file(folder.write("a.geo", "[]")));
  EXPECT_FALSE(is_vdb_file(folder.path() / "absent.geo"));
}

}  // namespace
}  // namespace dashpot
