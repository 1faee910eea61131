#include <cstring>
#include <optional>
#include <utility>

#include "solver/base/error.h"
#include "standalone/geometry/binary_json.h"
#include "standalone/geometry/binary_tokens.h"

namespace dashpot {
namespace {

using namespace binary_token;

// Two bytes can refer to a token of any length: what references repeat is limited to this many
// times the file, and something for small ones. Names in real files stay far below.
constexpr std::size_t kMaxRepetition = 64, kFreeRepetition = std::size_t{1} << 20;

class TokenReader {
 public:
  explicit TokenReader(std::string_view bytes)
      : bytes_(bytes), repetition_left_(kFreeRepetition + kMaxRepetition * bytes.size()) {}

  ParsedJson read() {
    at_ = sizeof kMagic - 1;
    const unsigned token = next_token();
    JsonValue tree = value(token, 0);
    return {std::move(tree), bytes_.size() - at_};
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError("binary geometry is damaged at byte " + std::to_string(at_) + " (" + what +
                     "); write the file again");
  }

  std::size_t remaining() const { return bytes_.size() - at_; }

  const char* take(std::uint64_t count) {
    if (count > remaining()) fail("it ends too early");
    const char* start = bytes_.data() + at_;
    at_ += count;
    return start;
  }

  unsigned byte() { return static_cast<unsigned char>(*take(1)); }

  template <class T>
  T raw() {
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }

  std::uint64_t length() {
    const unsigned first = byte();
    if (first <= kShortLength) return first;
    if (first == kLength16) return raw<std::uint16_t>();
    if (first == kLength32) return raw<std::uint32_t>();
    if (first == kLength64) return raw<std::uint64_t>();
    fail("invalid length");
  }

  std::string string() {
    const std::uint64_t size = length();
    const char* start = take(size);
    return {start, size};
  }

  // The next byte that introduces a value or ends a list; token definitions come and go on the way.
  unsigned next_token() {
    for (;;) {
      const unsigned token = byte();
      if (token == kTokenDefinition) {
        const std::uint64_t id = length();
        restarted_ = restarted_ || (id == 0 && tokens_.count(0) != 0);
        tokens_.insert_or_assign(id, string());
      } else if (token == kTokenRemoval) {
        tokens_.erase(length());
      } else if (token != kValueSeparator && token != kKeySeparator) {
        return token;
      }
    }
  }

  const std::string& token_text() {
    const auto token = tokens_.find(length());
    if (token == tokens_.end()) fail("a name is used before it is defined");
    if (token->second.size() > repetition_left_) fail("it repeats long names without end");
    repetition_left_ -= token->second.size();
    return token->second;
  }

  std::optional<Text> text(unsigned token) {
    if (token == kString) return Text{string(), TextForm::kRaw};
    if (token != kTokenReference) return std::nullopt;
    const bool restarted = std::exchange(restarted_, false);
    return Text{token_text(), restarted ? TextForm::kRestartToken : TextForm::kToken};
  }

  JsonValue value(unsigned token, int depth) {
    if (depth > kDeepestNesting) fail("it is nested too deeply");
    switch (token) {
      case kNull:
        return {};
      case kBool:
        return byte() != 0;
      case kFalse:
        return false;
      case kTrue:
        return true;
      case kInt8:
        return std::int64_t{raw<std::int8_t>()};
      case kInt16:
        return std::int64_t{raw<std::int16_t>()};
      case kInt32:
        return std::int64_t{raw<std::int32_t>()};
      case kInt64:
        return wide(raw<std::int64_t>());
      case kUint8:
        return std::int64_t{raw<std::uint8_t>()};
      case kUint16:
        return std::int64_t{raw<std::uint16_t>()};
      case kReal16:
        return static_cast<float>(to_double(raw<Half>()));
      case kReal32:
        return raw<float>();
      case kReal64:
        return raw<double>();
      case kString:
      case kTokenReference:
        return *text(token);
      case kUniformArray:
        return uniform();
      case kBeginArray:
        return array(depth);
      case kBeginMap:
        return map(depth);
      default:
        fail("unknown kind of value " + std::to_string(token));
    }
  }

  static JsonValue wide(std::int64_t value) {
    const bool needed = value != static_cast<std::int32_t>(value);
    return needed ? JsonValue(value) : JsonValue(WideInteger{value});
  }

  JsonValue array(int depth) {
    JsonArray items;
    for (;;) {
      const unsigned token = next_token();
      if (token == kEndArray) break;
      items.push_back(value(token, depth + 1));
    }
    return items;
  }

  JsonValue map(int depth) {
    JsonMap entries;
    for (;;) {
      const unsigned token = next_token();
      if (token == kEndMap) break;
      std::optional<Text> key = text(token);
      if (!key) fail("a map's key is no text");
      const unsigned value_token = next_token();
      entries.push_back({std::move(*key), value(value_token, depth + 1)});
    }
    return entries;
  }

  template <class T>
  std::vector<T> vector(std::uint64_t count) {
    if (count > remaining() / sizeof(T)) fail("an array is longer than the file");
    std::vector<T> items(count);
    if (count > 0) std::memcpy(items.data(), take(count * sizeof(T)), count * sizeof(T));
    return items;
  }

  template <class T>
  UniformArray numbers(std::uint64_t count) {
    return vector<T>(count);
  }

  UniformArray bits(std::uint64_t count) {
    const std::uint64_t words = count / 32 + (count % 32 != 0 ? 1 : 0);
    return BitArray{count, vector<std::uint32_t>(words)};
  }

  UniformArray texts(std::uint64_t count, bool tokens) {
    if (count > remaining()) fail("an array is longer than the file");
    TextArray array{{}, tokens};
    array.texts.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i)
      array.texts.push_back(tokens ? token_text() : string());
    return array;
  }

  JsonValue uniform() {
    const unsigned type = byte();
    const std::uint64_t count = length();
    switch (type) {
      case kBool:
        return bits(count);
      case kInt8:
        return numbers<std::int8_t>(count);
      case kInt16:
        return numbers<std::int16_t>(count);
      case kInt32:
        return numbers<std::int32_t>(count);
      case kInt64:
        return numbers<std::int64_t>(count);
      case kUint8:
        return numbers<std::uint8_t>(count);
      case kUint16:
        return numbers<std::uint16_t>(count);
      case kReal16:
        return numbers<Half>(count);
      case kReal32:
        return numbers<float>(count);
      case kReal64:
        return numbers<double>(count);
      case kString:
        return texts(count, false);
      case kTokenReference:
        return texts(count, true);
      default:
        fail("unknown kind of array " + std::to_string(type));
    }
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::size_t repetition_left_;
  bool restarted_ = false;  // the token numbers, since the last reference
  std::unordered_map<std::uint64_t, std::string> tokens_;
};

}  // namespace

ParsedJson read_binary_json(std::string_view bytes) {
  if (bytes.substr(0, sizeof kMagic - 1) != kMagic)
    throw InputError("binary geometry does not start as such; write the file again");
  return TokenReader(bytes).read();
}

}  // namespace dashpot
