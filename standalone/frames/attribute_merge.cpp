#include "standalone/frames/attribute_merge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <type_traits>

namespace dashpot {
namespace {

struct StorageWidth {
  const char* name;
  bool real;
  int bits;  // of the signed integers that it holds exactly
};
// Those that a mixture may become, by width, come first.
constexpr StorageWidth kStorageWidths[] = {
    {"int8", false, 8},     {"int16", false, 16},   {"int32", false, 32},
    {"int64", false, 64},   {"uint8", false, 9},    {"uint16", false, 17},
    {"fpreal16", true, 12}, {"fpreal32", true, 25}, {"fpreal64", true, 54}};

const StorageWidth& width_of(std::string_view storage) {
  return *std::find_if(std::begin(kStorageWidths), std::end(kStorageWidths),
                       [&](const StorageWidth& width) { return storage == width.name; });
}

template <class To, class From>
To number_cast(From from) {
  if constexpr (std::is_same_v<To, From>) {
    return from;
  } else if constexpr (std::is_same_v<From, Half>) {
    return static_cast<To>(to_double(from));
  } else if constexpr (std::is_same_v<To, Half>) {
    return to_half(static_cast<double>(from));
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    // Only defaults get here, and files may hold anything there.
    const double low = static_cast<double>(std::numeric_limits<To>::min());
    const double high = std::ldexp(1.0, std::numeric_limits<To>::digits);
    return from >= low && from < high ? static_cast<To>(from) : To{};
  } else {
    return static_cast<To>(from);
  }
}

template <class Values>
constexpr bool holds_numbers =
    !std::is_same_v<Values, BitArray> && !std::is_same_v<Values, TextArray>;

// What Houdini gives to elements that were not told a value.
std::vector<double> default_tuple(const Attribute& attribute, std::size_t width) {
  std::vector<double> tuple(width, 0.0);
  const JsonValue* block = find_key(attribute.body, "defaults");
  const JsonValue* values = block ? find_key(*block, "values") : nullptr;
  if (!values || !list_size(*values).value_or(0)) return tuple;
  const auto numbers = std::get<std::vector<double>>(values_from(*values, "fpreal64"));
  for (std::size_t c = 0; c < width; ++c)
    if (numbers.size() == 1 || c < numbers.size()) tuple[c] = numbers[numbers.size() == 1 ? 0 : c];
  return tuple;
}

const Attribute& first_of(const std::vector<AttributePart>& parts) {
  return *std::find_if(parts.begin(), parts.end(), [](const AttributePart& part) {
            return part.attribute != nullptr;
          })->attribute;
}

std::int64_t largest_tuple(const std::vector<AttributePart>& parts) {
  std::int64_t size = 0;
  for (const AttributePart& part : parts)
    if (part.attribute) size = std::max(size, part.attribute->data.tuple_size());
  return size;
}

void set_key(JsonValue& object, const char* key, JsonValue value) {
  if (JsonValue* old = find_key(object, key)) *old = std::move(value);
}

// `missing` fills what the part does not have.
template <class T>
void append_numbers(const AttributePart& part, const std::vector<double>& missing,
                    std::vector<T>& to) {
  const std::size_t width = missing.size(), first = to.size();
  const auto count = static_cast<std::size_t>(part.count);
  to.resize(first + count * width);
  for (std::size_t i = first; i < to.size(); ++i)
    to[i] = number_cast<T>(missing[(i - first) % width]);
  if (!part.attribute) return;
  const auto own_width = static_cast<std::size_t>(part.attribute->data.tuple_size());
  std::visit(
      [&](const auto& values) {
        if constexpr (holds_numbers<std::decay_t<decltype(values)>>)
          for (std::size_t i = 0; i < count; ++i)
            for (std::size_t c = 0; c < std::min(width, own_width); ++c)
              to[first + i * width + c] = number_cast<T>(values[i * own_width + c]);
      },
      part.attribute->data.values());
}

NumericData merged_numbers(const std::vector<AttributePart>& parts, const char* storage,
                           const std::vector<double>& missing) {
  UniformArray values = empty_values(storage);
  std::visit(
      [&](auto& to) {
        if constexpr (holds_numbers<std::decay_t<decltype(to)>>)
          for (const AttributePart& part : parts) append_numbers(part, missing, to);
      },
      values);
  return {std::move(values), static_cast<std::int64_t>(missing.size())};
}

std::int64_t merged_tuple(const std::vector<AttributePart>& parts) {
  std::int64_t size = largest_tuple(parts);
  const Attribute& first = first_of(parts);
  // Old files have a fourth component of P, always 1, which new ones would have to make up.
  if (first.owner == ElementClass::kPoint && first.name == "P")
    for (const AttributePart& part : parts)
      if (part.attribute) size = std::min(size, part.attribute->data.tuple_size());
  return size;
}

Attribute merge_numeric(const std::vector<AttributePart>& parts) {
  const std::int64_t size = merged_tuple(parts);
  // Its meaning (a colour, a point) goes with its size.
  Attribute merged = *std::find_if(parts.begin(), parts.end(), [&](const AttributePart& part) {
                        return part.attribute && part.attribute->data.tuple_size() == size;
                      })->attribute;
  const char* storage = merged.data.storage();
  for (const AttributePart& part : parts)
    if (part.attribute) storage = common_storage(storage, part.attribute->data.storage());
  merged.data =
      merged_numbers(parts, storage, default_tuple(merged, static_cast<std::size_t>(size)));
  set_key(merged.body, "size", size);
  set_key(merged.body, "storage", storage);
  return merged;
}

// Indices of one part into its table, as those into the merged table; -1 stays empty.
template <class Number>
std::int32_t renumbered(Number index, const std::vector<std::int32_t>& places) {
  return index < 0 ? -1 : places[static_cast<std::size_t>(index)];
}

std::vector<std::int32_t> merged_indices(const std::vector<AttributePart>& parts,
                                         const std::vector<std::vector<std::int32_t>>& places,
                                         std::size_t width) {
  std::vector<std::int32_t> indices;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const std::size_t first = indices.size(), count = static_cast<std::size_t>(parts[p].count);
    indices.resize(first + count * width, -1);
    if (!parts[p].attribute) continue;
    const NumericData& data = parts[p].attribute->data;
    const auto own_width = static_cast<std::size_t>(data.tuple_size());
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t c = 0; c < own_width; ++c)
        indices[first + i * width + c] = renumbered(data.number(i * own_width + c), places[p]);
  }
  return indices;
}

// Each string once, in order of appearance; places[part][index in the part's table].
struct StringTable {
  std::vector<std::string> strings;
  std::vector<std::vector<std::int32_t>> places;
};

StringTable merge_tables(const std::vector<AttributePart>& parts) {
  StringTable table;
  table.places.resize(parts.size());
  std::map<std::string, std::int32_t, std::less<>> known;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (!parts[p].attribute) continue;
    for (const std::string_view text : strings(*parts[p].attribute)) {
      const auto [place, is_new] =
          known.try_emplace(std::string(text), static_cast<std::int32_t>(table.strings.size()));
      if (is_new) table.strings.emplace_back(text);
      table.places[p].push_back(place->second);
    }
  }
  return table;
}

void set_strings(Attribute& attribute, std::vector<std::string> texts) {
  set_key(attribute.body, "strings", UniformArray(TextArray{std::move(texts), false}));
}

Attribute merge_strings(const std::vector<AttributePart>& parts) {
  Attribute merged = first_of(parts);
  const std::int64_t width = largest_tuple(parts);
  StringTable table = merge_tables(parts);
  merged.data =
      NumericData(merged_indices(parts, table.places, static_cast<std::size_t>(width)), width);
  set_strings(merged, std::move(table.strings));
  set_key(merged.body, "size", width);
  set_key(merged.body, "storage", "int32");
  return merged;
}

Attribute merge_dicts(const std::vector<AttributePart>& parts) {
  Attribute merged = first_of(parts);
  const std::int64_t width = largest_tuple(parts);
  JsonArray table;
  std::vector<std::vector<std::int32_t>> places(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const JsonValue* dicts =
        parts[p].attribute ? find_key(parts[p].attribute->body, "dicts") : nullptr;
    if (!dicts || !dicts->array()) continue;
    for (const JsonValue& dict : *dicts->array()) {
      places[p].push_back(static_cast<std::int32_t>(table.size()));
      table.push_back(dict);
    }
  }
  merged.data = NumericData(merged_indices(parts, places, static_cast<std::size_t>(width)), width);
  set_key(merged.body, "dicts", std::move(table));
  set_key(merged.body, "size", width);
  set_key(merged.body, "storage", "int32");
  return merged;
}

// Null unless it has one list per element under that key.
const JsonArray* lists_of(const AttributePart& part, const char* key) {
  static const JsonArray none;
  const JsonValue* lists = find_key(part.attribute->body, key);
  if (!lists || list_size(*lists) != static_cast<std::size_t>(part.count)) return nullptr;
  return part.count == 0 ? &none : lists->array();
}

std::string_view text_of(const Attribute& attribute, const char* key) {
  const JsonValue* value = find_key(attribute.body, key);
  return value && value->text() ? std::string_view(value->text()->bytes) : std::string_view();
}

std::optional<Attribute> merge_arrays(const std::vector<AttributePart>& parts) {
  Attribute merged = first_of(parts);
  const JsonValue* size = find_key(merged.body, "size");
  std::string storage(text_of(merged, "storage"));
  for (const AttributePart& part : parts) {
    if (!part.attribute) continue;
    const JsonValue* own_size = find_key(part.attribute->body, "size");
    if (!size || !own_size || !same_value(*size, *own_size)) return std::nullopt;
    storage = common_storage(storage, text_of(*part.attribute, "storage"));
  }
  JsonArray all;
  for (const AttributePart& part : parts) {
    const JsonArray* lists = part.attribute ? lists_of(part, "values") : nullptr;
    for (std::int64_t i = 0; i < part.count; ++i)
      all.emplace_back(lists ? values_from((*lists)[static_cast<std::size_t>(i)], storage)
                             : empty_values(storage));
  }
  set_key(merged.body, "values", std::move(all));
  set_key(merged.body, "storage", Text{storage});
  return merged;
}

std::optional<Attribute> merge_string_arrays(const std::vector<AttributePart>& parts) {
  Attribute merged = first_of(parts);
  StringTable table = merge_tables(parts);
  JsonArray all;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const JsonArray* lists = parts[p].attribute ? lists_of(parts[p], "indices") : nullptr;
    if (parts[p].attribute && !lists) return std::nullopt;
    for (std::int64_t i = 0; i < parts[p].count; ++i) {
      std::vector<std::int32_t> indices;
      if (lists) {
        const auto own = integer_list((*lists)[static_cast<std::size_t>(i)]);
        if (!own) return std::nullopt;
        for (const std::int64_t index : *own) {
          if (index >= static_cast<std::int64_t>(table.places[p].size())) return std::nullopt;
          indices.push_back(renumbered(index, table.places[p]));
        }
      }
      all.emplace_back(UniformArray(std::move(indices)));
    }
  }
  set_key(merged.body, "indices", std::move(all));
  set_strings(merged, std::move(table.strings));
  return merged;
}

// The only part with elements may have whatever it likes.
std::optional<Attribute> take_single(const std::vector<AttributePart>& parts) {
  const Attribute* only = nullptr;
  for (const AttributePart& part : parts) {
    if (part.count == 0) continue;
    if (only || !part.attribute) return std::nullopt;
    only = part.attribute;
  }
  if (!only) return std::nullopt;
  return *only;
}

}  // namespace

const char* common_storage(std::string_view a, std::string_view b) {
  const StorageWidth &first = width_of(a), &second = width_of(b);
  if (&first == &second) return first.name;
  const bool real = first.real || second.real;
  const int bits = std::max(first.bits, second.bits);
  for (const StorageWidth& width : kStorageWidths)
    if (width.real == real && width.bits >= bits) return width.name;
  return real ? "fpreal64" : "int64";
}

std::optional<Attribute> merge_attribute(const std::vector<AttributePart>& parts) {
  if (auto single = take_single(parts)) return single;
  const Attribute& first = first_of(parts);
  for (const AttributePart& part : parts)
    if (part.attribute &&
        (part.attribute->kind != first.kind || part.attribute->type != first.type))
      return std::nullopt;
  switch (first.kind) {
    case AttributeKind::kNumeric:
      return merge_numeric(parts);
    case AttributeKind::kString:
      return merge_strings(parts);
    case AttributeKind::kDict:
      return merge_dicts(parts);
    case AttributeKind::kArray:
      return merge_arrays(parts);
    default:
      break;
  }
  if (first.type == "stringarray") return merge_string_arrays(parts);
  return std::nullopt;
}

}  // namespace dashpot
