#include <cstring>
#include <limits>
#include <type_traits>

#include "standalone/geometry/binary_json.h"
#include "standalone/geometry/binary_tokens.h"

namespace dashpot {
namespace {

using namespace binary_token;

unsigned type_of(const UniformArray& array) {
  constexpr unsigned kTypes[] = {kBool,   kInt8,   kInt16,  kInt32,  kInt64, kUint8,
                                 kUint16, kReal16, kReal32, kReal64, kString};
  static_assert(std::size(kTypes) == std::variant_size_v<UniformArray>);
  return kTypes[array.index()];
}

template <class T>
bool fits(std::int64_t value) {
  return value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max();
}

}  // namespace

BinaryJsonWriter::BinaryJsonWriter(std::size_t expected_bytes) {
  bytes_.reserve(expected_bytes);
  bytes_ = kMagic;
}

template <class T>
void BinaryJsonWriter::raw(T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  bytes_.append(bytes, sizeof value);
}

void BinaryJsonWriter::length(std::uint64_t value) {
  if (value <= kShortLength) {
    byte(static_cast<unsigned>(value));
  } else if (value <= std::numeric_limits<std::uint16_t>::max()) {
    byte(kLength16);
    raw(static_cast<std::uint16_t>(value));
  } else if (value <= std::numeric_limits<std::uint32_t>::max()) {
    byte(kLength32);
    raw(static_cast<std::uint32_t>(value));
  } else {
    byte(kLength64);
    raw(value);
  }
}

std::size_t BinaryJsonWriter::token_id(const std::string& token) {
  const auto [entry, is_new] = token_ids_.try_emplace(token, token_ids_.size());
  if (is_new) {
    byte(kTokenDefinition);
    length(entry->second);
    length(token.size());
    bytes_ += token;
  }
  return entry->second;
}

void BinaryJsonWriter::text(const Text& text) {
  if (text.form == TextForm::kRaw) {
    byte(kString);
    length(text.bytes.size());
    bytes_ += text.bytes;
    return;
  }
  if (text.form == TextForm::kRestartToken) token_ids_.clear();
  const std::size_t id = token_id(text.bytes);
  byte(kTokenReference);
  length(id);
}

void BinaryJsonWriter::integer(std::int64_t value) {
  if (fits<std::int8_t>(value)) {
    byte(kInt8);
    raw(static_cast<std::int8_t>(value));
  } else if (fits<std::int16_t>(value)) {
    byte(kInt16);
    raw(static_cast<std::int16_t>(value));
  } else if (fits<std::int32_t>(value)) {
    byte(kInt32);
    raw(static_cast<std::int32_t>(value));
  } else {
    byte(kInt64);
    raw(value);
  }
}

void BinaryJsonWriter::begin_array(ArrayLayout) {
  byte(kBeginArray);
}
void BinaryJsonWriter::end_array() {
  byte(kEndArray);
}
void BinaryJsonWriter::begin_map() {
  byte(kBeginMap);
}
void BinaryJsonWriter::key(const Text& text) {
  this->text(text);
}
void BinaryJsonWriter::end_map() {
  byte(kEndMap);
}

void BinaryJsonWriter::scalar(const JsonValue& value) {
  if (const Text* text = value.text()) {
    this->text(*text);
  } else if (const bool* truth = value.boolean()) {
    byte(*truth ? kTrue : kFalse);
  } else if (const auto* wide = std::get_if<WideInteger>(&value.storage())) {
    byte(kInt64);
    raw(wide->value);
  } else if (const auto number = value.integer()) {
    integer(*number);
  } else if (const auto* real = std::get_if<double>(&value.storage())) {
    byte(kReal64);
    raw(*real);
  } else if (const auto* small_real = std::get_if<float>(&value.storage())) {
    byte(kReal32);
    raw(*small_real);
  } else {
    byte(kNull);
  }
}

void BinaryJsonWriter::texts(const TextArray& array) {
  std::vector<std::size_t> ids;
  if (array.tokens)  // their definitions cannot stand inside of the array
    for (const std::string& text : array.texts) ids.push_back(token_id(text));
  byte(kUniformArray);
  byte(array.tokens ? kTokenReference : kString);
  length(array.texts.size());
  for (const std::size_t id : ids) length(id);
  if (array.tokens) return;
  for (const std::string& text : array.texts) {
    length(text.size());
    bytes_ += text;
  }
}

void BinaryJsonWriter::uniform(const UniformArray& array) {
  if (const auto* text_items = std::get_if<TextArray>(&array)) return texts(*text_items);
  byte(kUniformArray);
  byte(type_of(array));
  std::visit(
      [this](const auto& items) {
        using Items = std::decay_t<decltype(items)>;
        const auto append = [this](const auto& numbers) {
          bytes_.append(reinterpret_cast<const char*>(numbers.data()),
                        numbers.size() * sizeof numbers[0]);
        };
        if constexpr (std::is_same_v<Items, BitArray>) {
          length(items.count);
          append(items.words);
        } else if constexpr (!std::is_same_v<Items, TextArray>) {
          length(items.size());
          append(items);
        }
      },
      array);
}

}  // namespace dashpot
