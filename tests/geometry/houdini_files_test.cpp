// What Houdini wrote is read as an independent reader reads it, and written back as it was.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "solver/base/error.h"
#include "standalone/files/read_file.h"
#include "standalone/geometry/geometry_reader.h"
#include "standalone/geometry/geometry_writer.h"
#include "standalone/geometry/gzip.h"
#include "standalone/geometry/scf.h"
#include "standalone/geometry/schema.h"
#include "tests/geometry/samples.h"

namespace dashpot {
namespace {

#define SKIP_WITHOUT_SAMPLES() \
  if (sample_files().empty()) GTEST_SKIP() << "no samples in " << sample_folder()

using Json = nlohmann::json;

Json expected() {
  std::ifstream file(sample_folder() / "EXPECTED.json");
  return Json::parse(file);
}

// The other reader takes a text file's decimals as doubles; the storage says what they are.
std::vector<double> list_of(const Json& value, bool single_precision) {
  auto list = value.is_array() ? value.get<std::vector<double>>()
                               : std::vector<double>{value.get<double>()};
  if (single_precision)
    for (double& number : list) number = double{static_cast<float>(number)};
  return list;
}

struct Statistics {
  std::vector<double> low, high, sum, first, last;
};

Statistics statistics_of(const NumericData& data) {
  Statistics result;
  const auto width = static_cast<std::size_t>(data.tuple_size());
  const std::size_t count = data.value_count() / width;
  for (std::size_t c = 0; c < width; ++c) {
    result.first.push_back(data.number(c));
    result.last.push_back(data.number((count - 1) * width + c));
    result.low.push_back(data.number(c));
    result.high.push_back(data.number(c));
    result.sum.push_back(0);
    for (std::size_t i = 0; i < count; ++i) {
      const double value = data.number(i * width + c);
      result.low[c] = std::min(result.low[c], value);
      result.high[c] = std::max(result.high[c], value);
      result.sum[c] += value;
    }
  }
  return result;
}

void expect_numbers(const NumericData& data, const Json& wanted) {
  if (!wanted.contains("min")) return;
  const Statistics found = statistics_of(data);
  const bool single = wanted["storage"] == "fpreal32";
  EXPECT_EQ(found.low, list_of(wanted["min"], single));
  EXPECT_EQ(found.high, list_of(wanted["max"], single));
  EXPECT_EQ(found.first, list_of(wanted["first"], single));
  EXPECT_EQ(found.last, list_of(wanted["last"], single));
  const std::vector<double> sum = list_of(wanted["sum"], false);
  ASSERT_EQ(found.sum.size(), sum.size());
  for (std::size_t c = 0; c < sum.size(); ++c)
    EXPECT_NEAR(found.sum[c], sum[c], 1e-7 * (1 + std::abs(sum[c])));
}

void expect_strings(const Attribute& attribute, const Json& wanted) {
  const std::vector<std::string_view> table = strings(attribute);
  EXPECT_EQ(table.size(), wanted["nstrings"].get<std::size_t>());
  const auto first = wanted["strings"].get<std::vector<std::string>>();
  ASSERT_LE(first.size(), table.size());
  EXPECT_TRUE(std::equal(first.begin(), first.end(), table.begin()));
  if (!wanted.contains("index_sum")) return;
  double sum = 0;
  for (std::size_t i = 0; i < attribute.data.value_count(); ++i) sum += attribute.data.number(i);
  EXPECT_EQ(sum, wanted["index_sum"].get<double>());
}

void expect_attributes(const Geometry& geometry, const Json& wanted) {
  EXPECT_EQ(geometry.attributes.size(), wanted.size());
  for (const auto& [name, content] : wanted.items()) {
    SCOPED_TRACE(name);
    const Attribute* attribute = nullptr;
    for (const AttributeSection& section : kAttributeSections)
      if (name.rfind(
              std::string(section.key).substr(0, std::string(section.key).find("attr")) + "/", 0) ==
          0)
        attribute = find_attribute(geometry, section.owner, name.substr(name.find('/') + 1));
    ASSERT_NE(attribute, nullptr);
    EXPECT_EQ(attribute->type, content["type"].get<std::string>());
    if (attribute->kind == AttributeKind::kNumeric || attribute->kind == AttributeKind::kString) {
      EXPECT_EQ(attribute->data.tuple_size(), content["size"].get<int>());
      EXPECT_EQ(attribute->data.storage(), content["storage"].get<std::string>());
    }
    if (attribute->kind == AttributeKind::kNumeric) expect_numbers(attribute->data, content);
    if (attribute->kind == AttributeKind::kString) expect_strings(*attribute, content);
    if (content.contains("lengths_sum")) {
      std::size_t sum = 0;
      for (const auto& list : array_lists(*attribute)) sum += list.size();
      EXPECT_EQ(sum, content["lengths_sum"].get<std::size_t>());
    }
  }
}

void expect_groups(const Geometry& geometry, const Json& wanted) {
  EXPECT_EQ(geometry.groups.size(), wanted.size());
  const std::map<std::string, Group::Class> classes{{"point", Group::Class::kPoint},
                                                    {"vertex", Group::Class::kVertex},
                                                    {"primitive", Group::Class::kPrimitive},
                                                    {"edge", Group::Class::kEdge}};
  for (const auto& [name, content] : wanted.items()) {
    SCOPED_TRACE(name);
    const std::size_t slash = name.find('/');
    const Group* group =
        find_group(geometry, classes.at(name.substr(0, slash)), name.substr(slash + 1));
    ASSERT_NE(group, nullptr);
    const std::vector<std::int32_t> found = members(*group);
    const std::size_t numbers_each = group->owner == Group::Class::kEdge ? 2 : 1;
    EXPECT_EQ(found.size(), content["count"].get<std::size_t>() * numbers_each);
    EXPECT_EQ(group->ordered, content["ordered"].get<bool>());
    if (!content["first"].is_array()) continue;
    const auto first = content["first"].get<std::vector<std::int32_t>>();
    EXPECT_TRUE(std::equal(first.begin(), first.end(), found.begin()));
  }
}

TEST(HoudiniFiles, DecodeToWhatAnIndependentReaderFound) {
  SKIP_WITHOUT_SAMPLES();
  const Json wanted = expected();
  for (const auto& path : sample_files()) {
    SCOPED_TRACE(path.filename().string());
    const Json& file = wanted.at(path.filename().string());
    const Geometry geometry = read_geometry(path);
    EXPECT_EQ(find_section(geometry, "fileversion")->text()->bytes,
              file["version"].get<std::string>());
    EXPECT_EQ(geometry.point_count, file["points"].get<int>());
    EXPECT_EQ(geometry.vertex_count(), file["vertices"].get<int>());
    EXPECT_EQ(geometry.primitive_count, file["primitives"].get<int>());
    std::int64_t sum = 0;
    for (const std::int32_t point : geometry.vertex_points()) sum += point;
    EXPECT_EQ(sum, file["index_sum"].get<std::int64_t>());
    std::map<std::string, std::int64_t> types;
    for (const PrimitiveRun& run : geometry.primitives) types[run.type] += run.count;
    EXPECT_EQ(types, (file["primtypes"].get<std::map<std::string, std::int64_t>>()));
    expect_attributes(geometry, file["attributes"]);
    expect_groups(geometry, file["groups"]);
  }
}

TEST(HoudiniFiles, BinaryOnesAreWrittenBackByteForByte) {
  SKIP_WITHOUT_SAMPLES();
  int checked = 0;
  for (const auto& path : sample_files()) {
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
  EXPECT_GT(checked, 10);
}

// Older ones used another version of LZ4.
TEST(HoudiniFiles, CompressedOnesOf19_5And20AreCompressedByteForByte) {
  SKIP_WITHOUT_SAMPLES();
  int checked = 0;
  for (const auto& path : sample_files()) {
    const std::string name = path.filename().string();
    if (name.find(".sc") == std::string::npos ||
        (name.find("h19.5") == std::string::npos && name.find("h20") == std::string::npos))
      continue;
    const std::string bytes = read_file(path);
    EXPECT_TRUE(encode_geometry(decode_geometry(bytes), {true, Compression::kScf}) == bytes)
        << name;
    ++checked;
  }
  EXPECT_EQ(checked, 3);
}

TEST(HoudiniFiles, TextAndBinaryOfOnePairAreTheSameGeometry) {
  SKIP_WITHOUT_SAMPLES();
  for (const char* name : {"pair_default_h21.0", "pair_box_h13"}) {
    const Geometry text = read_geometry(sample_folder() / (name + std::string(".geo")));
    const Geometry binary = read_geometry(sample_folder() / (name + std::string(".bgeo")));
    // They were not saved in the same second.
    EXPECT_THAT(difference(text, binary), testing::AnyOf("", "section info")) << name;
  }
}

TEST(HoudiniFiles, KeepEverythingThroughEveryForm) {
  SKIP_WITHOUT_SAMPLES();
  for (const auto& path : sample_files()) {
    const Geometry geometry = read_geometry(path);
    for (const FileForm form :
         {FileForm{false, Compression::kNone}, FileForm{true, Compression::kNone},
          FileForm{true, Compression::kScf}, FileForm{true, Compression::kGzip}})
      EXPECT_EQ(difference(geometry, decode_geometry(encode_geometry(geometry, form))), "")
          << path.filename() << " binary " << form.binary << " compression "
          << static_cast<int>(form.compression);
  }
}

TEST(HoudiniFiles, KeepEverythingFromTextToBinaryAndBack) {
  SKIP_WITHOUT_SAMPLES();
  for (const auto& path : sample_files()) {
    const Geometry geometry = read_geometry(path);
    const Geometry other = decode_geometry(encode_payload(geometry, false));
    const Geometry back = decode_geometry(encode_payload(other, true));
    EXPECT_EQ(difference(geometry, back), "") << path.filename();
  }
}

TEST(HoudiniFiles, ClassicOnesAreRefusedWithASentenceThatSaysSo) {
  SKIP_WITHOUT_SAMPLES();
  for (const char* name : {"classic_v5.bgeo", "classic_v5.geo"}) {
    try {
      read_geometry(sample_folder() / name);
      FAIL() << name << " was read";
    } catch (const InputError& error) {
      const std::string sentence = error.what();
      EXPECT_NE(sentence.find(name), std::string::npos) << sentence;
      EXPECT_NE(sentence.find("classic geometry format of Houdini 11"), std::string::npos)
          << sentence;
    }
  }
}

TEST(HoudiniFiles, TetsHaveTheOrientationOfHoudini) {
  SKIP_WITHOUT_SAMPLES();
  for (const char* name : {"tet_pig_h19.5_f0001.bgeo.sc", "tet_toy_h19.5.geo"}) {
    const Geometry geometry = read_geometry(sample_folder() / name);
    const Points points = positions(geometry);
    const TetList list = tets(geometry);
    EXPECT_EQ(static_cast<std::int64_t>(list.tets.size()), geometry.primitive_count);
    for (const Tet& tet : list.tets) {
      Mat3 edges;
      for (int c = 0; c < 3; ++c)
        edges.col(c) = points.col(tet[static_cast<std::size_t>(c) + 1]) - points.col(tet[0]);
      ASSERT_LT(edges.determinant(), 0) << name;
    }
  }
}

}  // namespace
}  // namespace dashpot
