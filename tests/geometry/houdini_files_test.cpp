// What Houdini wrote is read as an independent reader reads it.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "solver/base/error.h"
#include "standalone/files/read_file.h"
#include "standalone/geometry/geometry_reader.h"
#include "standalone/geometry/geometry_writer.h"
#include "standalone/geometry/schema.h"
#include "tests/geometry/samples.h"
#include "tests/support/outside_data.h"

namespace dashpot {
namespace {

using Json = nlohmann::json;

Json expected() {
  std::ifstream file(houdini_data() / "EXPECTED.json");
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

TEST(OutsideDataHoudini, DecodeToWhatAnIndependentReaderFound) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  const Json wanted = expected();
  for (const auto& path : geometry_files(houdini_data())) {
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

// Older ones used another version of LZ4.
TEST(OutsideDataHoudini, CompressedOnesOf19_5And20AreCompressedByteForByte) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  int checked = 0;
  for (const auto& path : geometry_files(houdini_data())) {
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

TEST(OutsideDataHoudini, ClassicOnesAreRefusedWithASentenceThatSaysSo) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  for (const char* name : {"classic_v5.bgeo", "classic_v5.geo"}) {
    try {
      read_geometry(houdini_data() / name);
      FAIL() << name << " was read";
    } catch (const InputError& error) {
      const std::string sentence = error.what();
      EXPECT_NE(sentence.find(name), std::string::npos) << sentence;
      EXPECT_NE(sentence.find("classic geometry format of Houdini 11"), std::string::npos)
          << sentence;
    }
  }
}

}  // namespace
}  // namespace dashpot
