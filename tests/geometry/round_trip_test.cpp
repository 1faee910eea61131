// What is read is kept, whatever it is written as: of own samples, and of files that Houdini wrote.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>

#include "standalone/files/read_file.h"
#include "standalone/geometry/geometry_reader.h"
#include "standalone/geometry/geometry_writer.h"
#include "standalone/geometry/scf.h"
#include "tests/geometry/samples.h"
#include "tests/support/outside_data.h"

namespace dashpot {
namespace {

using Paths = std::vector<std::filesystem::path>;

Paths own_files() {
  return geometry_files(own_samples());
}

Paths houdini_files() {
  return geometry_files(houdini_data());
}

void expect_binary_written_back_byte_for_byte(const Paths& paths) {
  int checked = 0;
  for (const auto& path : paths) {
    SCOPED_TRACE(path.filename().string());
    std::string bytes = read_file(path);
    if (bytes.compare(0, 4, kScfMagic) == 0) bytes = unpack_scf(bytes);
    if (bytes[0] == '[') continue;
    const std::string again = encode_payload(decode_geometry(bytes), true);
    EXPECT_EQ(again.size(), bytes.size());
    const auto differing = std::mismatch(again.begin(), again.end(), bytes.begin(), bytes.end());
    EXPECT_TRUE(again == bytes) << "first difference at byte " << differing.first - again.begin();
    ++checked;
  }
  EXPECT_GE(checked, 7);
}

void expect_kept_through_every_form(const Paths& paths) {
  for (const auto& path : paths) {
    const Geometry geometry = read_geometry(path);
    for (const FileForm form :
         {FileForm{false, Compression::kNone}, FileForm{true, Compression::kNone},
          FileForm{true, Compression::kScf}, FileForm{true, Compression::kGzip}})
      EXPECT_EQ(difference(geometry, decode_geometry(encode_geometry(geometry, form))), "")
          << path.filename() << " binary " << form.binary << " compression "
          << static_cast<int>(form.compression);
  }
}

void expect_kept_from_text_to_binary_and_back(const Paths& paths) {
  for (const auto& path : paths) {
    const Geometry geometry = read_geometry(path);
    const Geometry other = decode_geometry(encode_payload(geometry, false));
    const Geometry back = decode_geometry(encode_payload(other, true));
    EXPECT_EQ(difference(geometry, back), "") << path.filename();
  }
}

void expect_orientation_of_houdini(const std::filesystem::path& path) {
  const Geometry geometry = read_geometry(path);
  const Points points = positions(geometry);
  const TetList list = tets(geometry);
  EXPECT_EQ(static_cast<std::int64_t>(list.tets.size()), geometry.primitive_count);
  for (const Tet& tet : list.tets) {
    Mat3 edges;
    for (int c = 0; c < 3; ++c)
      edges.col(c) = points.col(tet[static_cast<std::size_t>(c) + 1]) - points.col(tet[0]);
    ASSERT_LT(edges.determinant(), 0) << path;
  }
}

TEST(RoundTrip, BinaryFilesAreWrittenBackByteForByte) {
  expect_binary_written_back_byte_for_byte(own_files());
}

TEST(RoundTrip, TextFilesAreWrittenAsTheBinaryFilesBesideThem) {
  int pairs = 0;
  for (const auto& path : own_files()) {
    if (path.extension() != ".geo") continue;
    const std::filesystem::path binary = std::filesystem::path(path).replace_extension(".bgeo");
    EXPECT_TRUE(encode_payload(read_geometry(path), true) == read_file(binary)) << path;
    EXPECT_EQ(difference(read_geometry(path), read_geometry(binary)), "") << path;
    ++pairs;
  }
  EXPECT_EQ(pairs, 7);
}

TEST(RoundTrip, EverythingIsKeptThroughEveryForm) {
  expect_kept_through_every_form(own_files());
}

TEST(RoundTrip, EverythingIsKeptFromTextToBinaryAndBack) {
  expect_kept_from_text_to_binary_and_back(own_files());
}

TEST(RoundTrip, TetsHaveTheOrientationOfHoudini) {
  for (const char* name : {"tets.geo", "tets.bgeo"})
    expect_orientation_of_houdini(own_samples() / name);
}

TEST(OutsideDataRoundTrip, BinaryFilesAreWrittenBackByteForByte) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  expect_binary_written_back_byte_for_byte(houdini_files());
}

TEST(OutsideDataRoundTrip, TextAndBinaryOfOnePairAreTheSameGeometry) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  for (const char* name : {"pair_default_h21.0", "pair_box_h13"}) {
    const std::filesystem::path pair = houdini_data() / name;
    const Geometry text = read_geometry(pair.string() + ".geo");
    const Geometry binary = read_geometry(pair.string() + ".bgeo");
    // They were not saved in the same second.
    EXPECT_THAT(difference(text, binary), testing::AnyOf("", "section info")) << name;
  }
}

TEST(OutsideDataRoundTrip, EverythingIsKeptThroughEveryForm) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  expect_kept_through_every_form(houdini_files());
}

TEST(OutsideDataRoundTrip, EverythingIsKeptFromTextToBinaryAndBack) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  expect_kept_from_text_to_binary_and_back(houdini_files());
}

TEST(OutsideDataRoundTrip, TetsHaveTheOrientationOfHoudini) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  for (const char* name : {"tet_pig_h19.5_f0001.bgeo.sc", "tet_toy_h19.5.geo"})
    expect_orientation_of_houdini(houdini_data() / name);
}

}  // namespace
}  // namespace dashpot
