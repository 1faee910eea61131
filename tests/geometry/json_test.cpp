#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "solver/base/error.h"
#include "standalone/geometry/ascii_json.h"
#include "standalone/geometry/binary_json.h"

namespace dashpot {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::string binary_of(const JsonValue& tree) {
  BinaryJsonWriter writer(0);
  writer.value(tree);
  return writer.take_bytes();
}

std::string text_of(const JsonValue& tree) {
  AsciiJsonWriter writer;
  writer.value(tree);
  return writer.take_bytes();
}

std::string with_magic(const std::string& bytes) {
  return "\x7fNSJb" + bytes;
}

TEST(BinaryJson, DefinesATokenAtItsFirstUseAndRefersToItAfterwards) {
  EXPECT_EQ(binary_of(JsonArray{"ab", "c", "ab"}),
            with_magic(std::string("[+\0\2ab&\0+\1\1c&\1&\0]", 17)));
}

TEST(BinaryJson, StoresIntegersInTheSmallestSignedType) {
  EXPECT_EQ(binary_of(127), with_magic("\x11\x7f"));
  EXPECT_EQ(binary_of(-129), with_magic("\x12\x7f\xff"));
  EXPECT_EQ(binary_of(32768), with_magic(std::string("\x13\x00\x80\x00\x00", 5)));
  EXPECT_EQ(binary_of(WideInteger{102}), with_magic(std::string("\x14\x66\0\0\0\0\0\0\0", 9)));
}

TEST(BinaryJson, ReadsWhatItWrites) {
  const BitArray bits{40, {0x80000001U, 0x5U}};
  JsonMap map;
  map.emplace_back();
  map.back().key.bytes = "key";
  map.back().value = JsonArray{};
  const JsonValue tree = JsonArray{JsonValue(),
                                   true,
                                   -70000,
                                   WideInteger{3},
                                   std::int64_t{1} << 40,
                                   0.1,
                                   0.5F,
                                   Text{"long\n", TextForm::kRaw},
                                   map,
                                   UniformArray(bits),
                                   UniformArray(std::vector<std::uint16_t>{1, 65535}),
                                   UniformArray(std::vector<Half>{to_half(1.5)}),
                                   UniformArray(std::vector<double>(300, 2.5)),
                                   UniformArray(TextArray{{"a", "", "a"}, false}),
                                   UniformArray(TextArray{{"a", "key", "a"}, true})};
  const std::string bytes = binary_of(tree);
  const ParsedJson parsed = read_binary_json(bytes);
  EXPECT_TRUE(same_value(parsed.tree, tree));
  EXPECT_EQ(parsed.unread_bytes, 0U);
  EXPECT_EQ(binary_of(parsed.tree), bytes);
}

TEST(BinaryJson, ARedefinedTokenHasItsNewMeaning) {
  const std::string bytes = with_magic(std::string("[+\0\1a&\0+\0\1b&\0]", 14));
  const ParsedJson parsed = read_binary_json(bytes);
  EXPECT_TRUE(same_value(parsed.tree, JsonArray{"a", "b"}));
  EXPECT_EQ(binary_of(parsed.tree), bytes);
}

TEST(BinaryJson, SeparatorsAndRemovedTokensAreSkipped) {
  const std::string bytes = with_magic(std::string("{+\0\1a&\0:\x11\x05,-\0}", 14));
  EXPECT_TRUE(same_value(read_binary_json(bytes).tree, JsonMap{{{"a", TextForm::kToken}, 5}}));
}

TEST(BinaryJson, LengthsBeyondTheFileAreRefusedBeforeAllocating) {
  const std::string huge = "\xf8\xff\xff\xff\xff\xff\xff\xff\x0f";
  for (const std::string type : {"\x10", "\x11", "\x14", "\x1a", "\x27", "\x26"})
    EXPECT_THROW(read_binary_json(with_magic("@" + type + huge)), InputError);
  EXPECT_THROW(read_binary_json(with_magic("'" + huge)), InputError);
}

TEST(BinaryJson, DeepNestingIsRefused) {
  EXPECT_THAT([] { read_binary_json(with_magic(std::string(100000, '['))); },
              ThrowsMessage<InputError>(HasSubstr("nested too deeply")));
}

TEST(BinaryJson, ReferencesThatRepeatALongNameWithoutEndAreRefused) {
  std::string bytes = "[+";
  bytes += std::string("\0\xf4", 2) + std::string("\0\0\x10\0", 4) + std::string(1 << 20, 'x');
  for (int i = 0; i < 100; ++i) bytes += std::string("&\0", 2);
  EXPECT_THAT([&] { read_binary_json(with_magic(bytes + "]")); },
              ThrowsMessage<InputError>(HasSubstr("repeats long names")));
}

TEST(AsciiJson, ArraysOfNumbersAreUniform) {
  const auto parse = [](const char* text) { return read_ascii_json(text).tree; };
  using Bytes = std::vector<std::int8_t>;
  EXPECT_EQ(std::get<Bytes>(*parse("[1, -2,3]").uniform()), (Bytes{1, -2, 3}));
  EXPECT_TRUE(std::holds_alternative<std::vector<std::int16_t>>(*parse("[1,-129]").uniform()));
  EXPECT_TRUE(std::holds_alternative<std::vector<std::int64_t>>(*parse("[3000000000]").uniform()));
  using Reals = std::vector<double>;
  EXPECT_EQ(std::get<Reals>(*parse("[0,1e-3,2.5]").uniform()), (Reals{0, 1e-3, 2.5}));
  EXPECT_TRUE(same_value(parse("[3,true,4,false]"), JsonArray{3, true, 4, false}));
}

TEST(AsciiJson, NumbersAreTheNearestDoubles) {
  for (const char* digits : {"0.1", "-7.52561377999999959", "2e-005", "1.7976931348623157e308",
                             "5e-324", "123456789.125", "9007199254740993.0", "0.66666666666666663",
                             "1e22", "1e23", "0.000001", "1E+2"})
    EXPECT_EQ(read_ascii_json(digits).tree.number(), std::strtod(digits, nullptr)) << digits;
  EXPECT_EQ(read_ascii_json("9223372036854775807").tree.integer(), 9223372036854775807);
  EXPECT_TRUE(std::signbit(*read_ascii_json("-0").tree.number()));
}

TEST(AsciiJson, TextsKeepEveryByte) {
  std::string bytes = "tab\t quote\" slash\\ \xc3\xa9 ";
  bytes.push_back('\0');
  bytes.push_back('\x1f');
  const std::string text = text_of(Text{bytes});
  EXPECT_EQ(read_ascii_json(text).tree.text()->bytes, bytes);
  EXPECT_EQ(read_ascii_json("\"\\u00e9\\ud83d\\ude00\"").tree.text()->bytes,
            "\xc3\xa9\xf0\x9f\x98\x80");
}

TEST(AsciiJson, FloatsAndDoublesSurviveAsText) {
  const JsonValue tree = JsonArray{UniformArray(std::vector<float>{0.1F, 1e-38F, 16777217.F}),
                                   UniformArray(std::vector<double>{0.1, 1.0 / 3, 1e300})};
  EXPECT_TRUE(same_value(read_ascii_json(text_of(tree)).tree, tree));
}

TEST(AsciiJson, KeysAndValuesStandOnOneLineAsInHoudinisFiles) {
  const JsonValue tree = JsonArray{"pointcount", 3,
                                   "info",       JsonMap{{{"a", TextForm::kToken}, 1}},
                                   "indices",    UniformArray(std::vector<std::int8_t>{0, 1})};
  EXPECT_EQ(text_of(tree),
            "[\n\t\"pointcount\",3,\n\t\"info\",{\n\t\t\"a\":1\n\t},\n\t\"indices\",[0,1]\n]\n");
}

TEST(AsciiJson, NanIsNotWritten) {
  EXPECT_THAT([] { text_of(UniformArray(std::vector<float>{std::nanf("")})); },
              ThrowsMessage<InputError>(HasSubstr("nan or inf")));
}

TEST(AsciiJson, MistakesAreReportedWithTheirByte) {
  EXPECT_THAT([] { read_ascii_json("[1,\n2,\nx]"); },
              ThrowsMessage<InputError>(HasSubstr("byte 7 of 9: 'x' is no value")));
  EXPECT_THAT([] { read_ascii_json("[\"name\",\"Cd\",[1,2"); },
              ThrowsMessage<InputError>(HasSubstr("the file ends at byte 17, in 'Cd'")));
  for (const char* text : {"[1 2]", "{\"a\" 1}", "[1,]", "\"open", "\"\\", "\"\\u12", "{1:2}",
                           "tru", "1e", "-", "[", "1e999", ""})
    EXPECT_THROW(read_ascii_json(text), InputError) << text;
  EXPECT_THROW(read_ascii_json(std::string(100000, '[')), InputError);
}

TEST(Half, EveryValueSurvivesTheWayThroughDouble) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const Half half{static_cast<std::uint16_t>(bits)};
    const double value = to_double(half);
    if (std::isnan(value)) continue;
    ASSERT_EQ(to_half(value).bits, bits);
  }
  EXPECT_EQ(to_half(65519).bits, 0x7bff);
  EXPECT_EQ(to_half(65520).bits, 0x7c00);
  EXPECT_EQ(to_half(1 + 1.0 / 2048).bits, 0x3c00);  // half way: to even
}

}  // namespace
}  // namespace dashpot
