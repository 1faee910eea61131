#include "standalone/geometry/json_value.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace dashpot {
namespace {

template <class Items>
constexpr bool is_integer_array = false;
template <class Integer>
constexpr bool is_integer_array<std::vector<Integer>> = std::is_integral_v<Integer>;

// Item i of a uniform array as a plain value.
JsonValue item_of(const UniformArray& array, std::size_t i) {
  return std::visit(
      [i](const auto& items) -> JsonValue {
        using Items = std::decay_t<decltype(items)>;
        if constexpr (std::is_same_v<Items, TextArray>) {
          return Text{items.texts[i], TextForm::kToken};
        } else if constexpr (std::is_same_v<Items, std::vector<Half>>) {
          return static_cast<float>(to_double(items[i]));
        } else if constexpr (is_integer_array<Items>) {
          return std::int64_t{items[i]};
        } else {
          return items[i];
        }
      },
      array);
}

std::size_t size_of(const UniformArray& array) {
  return std::visit(
      [](const auto& items) -> std::size_t {
        using Items = std::decay_t<decltype(items)>;
        if constexpr (std::is_same_v<Items, BitArray>) return items.count;
        if constexpr (std::is_same_v<Items, TextArray>) return items.texts.size();
        if constexpr (!std::is_same_v<Items, BitArray> && !std::is_same_v<Items, TextArray>)
          return items.size();
      },
      array);
}

JsonValue list_item(const JsonValue& list, std::size_t i) {
  return list.array() ? (*list.array())[i] : item_of(*list.uniform(), i);
}

bool same_lists(const JsonValue& a, const JsonValue& b) {
  const std::size_t n = *list_size(a);
  if (n != *list_size(b)) return false;
  for (std::size_t i = 0; i < n; ++i)
    if (!same_value(list_item(a, i), list_item(b, i))) return false;
  return true;
}

}  // namespace

double to_double(Half half) {
  const int exponent = half.bits >> 10 & 0x1f;
  const double mantissa = half.bits & 0x3ff;
  const double sign = (half.bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  if (exponent < 31) return sign * std::ldexp(mantissa + 1024, exponent - 25);
  return mantissa == 0 ? sign * std::numeric_limits<double>::infinity()
                       : std::numeric_limits<double>::quiet_NaN();
}

Half to_half(double value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const auto with_sign = [sign](unsigned bits) {
    return Half{static_cast<std::uint16_t>(sign | bits)};
  };
  const double size = std::fabs(value);
  if (std::isnan(value)) return with_sign(0x7e00);
  if (size >= 65520) return with_sign(0x7c00);
  if (size == 0) return with_sign(0);
  int exponent = 0;
  std::frexp(size, &exponent);
  exponent = std::max(exponent, -13);  // below: subnormal, steps of 2^-24
  // Carries of the rounding run into the exponent, as they should.
  const double steps = std::nearbyint(std::ldexp(size, 11 - exponent));
  const auto mantissa = static_cast<unsigned>(steps);
  return with_sign(mantissa + (static_cast<unsigned>(exponent + 13) << 10));
}

JsonValue::JsonValue(Text value) : value_(Box<Text>(std::move(value))) {}
JsonValue::JsonValue(JsonArray value) : value_(Box<JsonArray>(std::move(value))) {}
JsonValue::JsonValue(JsonMap value) : value_(Box<JsonMap>(std::move(value))) {}
JsonValue::JsonValue(UniformArray value) : value_(Box<UniformArray>(std::move(value))) {}

std::optional<std::int64_t> JsonValue::integer() const {
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return *value;
  if (const auto* value = std::get_if<WideInteger>(&value_)) return value->value;
  return std::nullopt;
}

std::optional<double> JsonValue::number() const {
  if (const auto* value = std::get_if<double>(&value_)) return *value;
  if (const auto* value = std::get_if<float>(&value_)) return *value;
  if (const auto* value = std::get_if<bool>(&value_)) return *value ? 1 : 0;
  if (const auto value = integer()) return static_cast<double>(*value);
  return std::nullopt;
}

const JsonValue* find_key(const JsonValue& object, std::string_view key) {
  if (const JsonMap* map = object.map()) {
    for (const MapEntry& entry : *map)
      if (entry.key.bytes == key) return &entry.value;
  } else if (const JsonArray* array = object.array()) {
    for (std::size_t i = 0; i + 1 < array->size(); i += 2)
      if (const Text* name = (*array)[i].text())
        if (name->bytes == key) return &(*array)[i + 1];
  }
  return nullptr;
}

JsonValue* find_key(JsonValue& object, std::string_view key) {
  return const_cast<JsonValue*>(find_key(std::as_const(object), key));
}

const JsonValue* find_key(const JsonValue& object, std::string_view key, std::string_view other) {
  const JsonValue* found = find_key(object, key);
  return found ? found : find_key(object, other);
}

std::optional<std::size_t> list_size(const JsonValue& value) {
  if (const JsonArray* array = value.array()) return array->size();
  if (const UniformArray* array = value.uniform()) return size_of(*array);
  return std::nullopt;
}

std::optional<std::vector<std::int64_t>> integer_list(const JsonValue& value) {
  std::vector<std::int64_t> numbers;
  if (const JsonArray* array = value.array()) {
    numbers.reserve(array->size());
    for (const JsonValue& item : *array) {
      const auto number = item.integer();
      if (!number) return std::nullopt;
      numbers.push_back(*number);
    }
    return numbers;
  }
  if (!value.uniform()) return std::nullopt;
  return std::visit(
      [&](const auto& items) -> std::optional<std::vector<std::int64_t>> {
        using Items = std::decay_t<decltype(items)>;
        if constexpr (!std::is_same_v<Items, BitArray> && !std::is_same_v<Items, TextArray>) {
          if constexpr (std::is_integral_v<typename Items::value_type>)
            return std::vector<std::int64_t>(items.begin(), items.end());
        }
        return std::nullopt;
      },
      *value.uniform());
}

std::optional<std::vector<std::string_view>> text_list(const JsonValue& value) {
  std::vector<std::string_view> texts;
  if (const JsonArray* array = value.array()) {
    for (const JsonValue& item : *array) {
      if (!item.text()) return std::nullopt;
      texts.push_back(item.text()->bytes);
    }
    return texts;
  }
  if (list_size(value) == std::size_t{0}) return texts;
  if (!value.uniform()) return std::nullopt;
  const auto* items = std::get_if<TextArray>(value.uniform());
  if (!items) return std::nullopt;
  texts.assign(items->texts.begin(), items->texts.end());
  return texts;
}

std::optional<std::vector<bool>> truth_list(const JsonValue& value) {
  const auto size = list_size(value);
  if (!size) return std::nullopt;
  std::vector<bool> truths(*size);
  for (std::size_t i = 0; i < *size; ++i) {
    const auto number = list_item(value, i).number();
    if (!number) return std::nullopt;
    truths[i] = *number != 0;
  }
  return truths;
}

bool same_value(const JsonValue& a, const JsonValue& b) {
  if (list_size(a) && list_size(b)) return same_lists(a, b);
  if (a.map() && b.map()) {
    if (a.map()->size() != b.map()->size()) return false;
    for (std::size_t i = 0; i < a.map()->size(); ++i) {
      const MapEntry &x = (*a.map())[i], &y = (*b.map())[i];
      if (x.key.bytes != y.key.bytes || !same_value(x.value, y.value)) return false;
    }
    return true;
  }
  if (a.text() && b.text()) return a.text()->bytes == b.text()->bytes;
  if (a.integer() && b.integer()) return *a.integer() == *b.integer();
  if (a.boolean() || b.boolean()) return a.boolean() && b.boolean() && *a.boolean() == *b.boolean();
  const auto single = [](const JsonValue& v) { return std::holds_alternative<float>(v.storage()); };
  if (a.number() && b.number() && (single(a) || single(b)))
    return static_cast<float>(*a.number()) == static_cast<float>(*b.number());
  if (a.number() && b.number()) return *a.number() == *b.number();
  return a.is_null() && b.is_null();
}

}  // namespace dashpot
