#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace dashpot {

// The tree that Houdini's geometry files hold, whether spelled as text or as binary tokens.
// It remembers how the binary file wrote each value wherever Houdini has more than one way, so
// that a tree that was read is written back byte for byte.

// Readers refuse deeper trees before they run out of stack. Houdini nests about ten levels, and as
// many again for each level of packed geometry.
constexpr int kDeepestNesting = 200;

// A heap value with the meaning of a value: copies are deep. Keeps JsonValue at 16 bytes.
template <class T>
class Box {
 public:
  explicit Box(T value) : value_(new T(std::move(value))) {}
  Box(const Box& other) : value_(new T(*other.value_)) {}
  Box(Box&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
  Box& operator=(Box other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Box() { delete value_; }

  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }

 private:
  T* value_;
};

enum class TextForm : std::uint8_t {
  kToken,         // defined once, referenced by number
  kRestartToken,  // as kToken, after forgetting all earlier numbers (packed geometry does this)
  kRaw,           // spelled out each time
};

struct Text {
  std::string bytes;
  TextForm form = TextForm::kToken;
};

// IEEE 754 binary16, as stored.
struct Half {
  std::uint16_t bits;
};
double to_double(Half half);
Half to_half(double value);

// Bit i is words[i / 32] >> (i % 32) & 1.
struct BitArray {
  std::size_t count = 0;
  std::vector<std::uint32_t> words;
  bool operator[](std::size_t i) const { return (words[i / 32] >> (i % 32) & 1U) != 0; }
};

struct TextArray {
  std::vector<std::string> texts;
  bool tokens = false;
};

// Many values of one type, contiguous.
using UniformArray =
    std::variant<BitArray, std::vector<std::int8_t>, std::vector<std::int16_t>,
                 std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<std::uint8_t>,
                 std::vector<std::uint16_t>, std::vector<Half>, std::vector<float>,
                 std::vector<double>, TextArray>;

// An integer that is stored in eight bytes although it would fit into fewer.
struct WideInteger {
  std::int64_t value;
};

class JsonValue;
struct MapEntry;
using JsonArray = std::vector<JsonValue>;
using JsonMap = std::vector<MapEntry>;  // in file order

class JsonValue {
 public:
  using Storage = std::variant<std::nullptr_t, bool, std::int64_t, WideInteger, double, float,
                               Box<Text>, Box<JsonArray>, Box<JsonMap>, Box<UniformArray>>;

  JsonValue() : value_(nullptr) {}
  JsonValue(bool value) : value_(value) {}
  JsonValue(int value) : value_(std::int64_t{value}) {}
  JsonValue(std::int64_t value) : value_(value) {}
  JsonValue(WideInteger value) : value_(value) {}
  JsonValue(double value) : value_(value) {}
  JsonValue(float value) : value_(value) {}
  JsonValue(Text value);
  JsonValue(const char* token) : JsonValue(Text{token, TextForm::kToken}) {}
  JsonValue(JsonArray value);
  JsonValue(JsonMap value);
  JsonValue(UniformArray value);

  const Storage& storage() const { return value_; }

  bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
  // Null pointers if the value is something else.
  const bool* boolean() const { return std::get_if<bool>(&value_); }
  const Text* text() const { return boxed<Text>(); }
  const JsonArray* array() const { return boxed<JsonArray>(); }
  const JsonMap* map() const { return boxed<JsonMap>(); }
  const UniformArray* uniform() const { return boxed<UniformArray>(); }
  Text* text() { return boxed<Text>(); }
  JsonArray* array() { return boxed<JsonArray>(); }
  JsonMap* map() { return boxed<JsonMap>(); }
  UniformArray* uniform() { return boxed<UniformArray>(); }
  std::optional<std::int64_t> integer() const;
  std::optional<double> number() const;  // integers, reals and booleans

 private:
  template <class T>
  const T* boxed() const {
    const auto* box = std::get_if<Box<T>>(&value_);
    return box ? &**box : nullptr;
  }
  template <class T>
  T* boxed() {
    auto* box = std::get_if<Box<T>>(&value_);
    return box ? &**box : nullptr;
  }

  Storage value_;
};

struct MapEntry {
  Text key;
  JsonValue value;
};

// Houdini's "objects" are maps or, mostly, flat arrays key, value, key, value …. Null if absent.
const JsonValue* find_key(const JsonValue& object, std::string_view key);
JsonValue* find_key(JsonValue& object, std::string_view key);
// As above; the first of two names that is there (short and long spelling).
const JsonValue* find_key(const JsonValue& object, std::string_view key, std::string_view other);

// Lists may be plain or uniform arrays; both count as the same thing here.
std::optional<std::size_t> list_size(const JsonValue& value);  // nothing if it is no list
// The list as integers, texts, or truth values (also as numbers); nothing if an item is something
// else.
std::optional<std::vector<std::int64_t>> integer_list(const JsonValue& value);
std::optional<std::vector<std::string_view>> text_list(const JsonValue& value);
std::optional<std::vector<bool>> truth_list(const JsonValue& value);

// Equal values, regardless of spelling: token or raw text, integer or real, plain or uniform. A
// real of single precision equals the decimals of a text file that give the same.
bool same_value(const JsonValue& a, const JsonValue& b);

}  // namespace dashpot
