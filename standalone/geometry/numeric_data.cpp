#include "standalone/geometry/numeric_data.h"

#include <cmath>
#include <limits>
#include <type_traits>

#include "solver/base/error.h"
#include "standalone/geometry/pages.h"

namespace dashpot {
namespace {

// In the order of UniformArray's alternatives; those without a name are no storage.
constexpr const char* kStorageNames[] = {nullptr,    "int8",     "int16",  "int32",
                                         "int64",    "uint8",    "uint16", "fpreal16",
                                         "fpreal32", "fpreal64", nullptr};
static_assert(std::size(kStorageNames) == std::variant_size_v<UniformArray>);

constexpr std::size_t kFreeExpansion = std::size_t{1} << 28, kMaxExpansion = 64;
// Matrices have 16 components; capture weights a few hundred.
constexpr std::int64_t kLargestTuple = 1 << 20;

template <class Array>
constexpr bool is_numeric = !std::is_same_v<Array, BitArray> && !std::is_same_v<Array, TextArray>;

template <class T, class From>
T converted(From from) {
  if constexpr (std::is_same_v<T, From>) {
    return from;
  } else if constexpr (std::is_same_v<From, Half>) {
    return converted<T>(to_double(from));
  } else if constexpr (std::is_same_v<T, Half>) {
    return to_half(static_cast<double>(from));
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(from);
  } else if constexpr (std::is_floating_point_v<From>) {
    // The largest integer may not be a double; the power of two above it is.
    const double low = static_cast<double>(std::numeric_limits<T>::min());
    const double high = std::ldexp(1.0, std::numeric_limits<T>::digits);
    if (!(from >= low && from < high))
      throw InputError("a number does not fit its storage; write the file again");
    if (std::trunc(from) != from)
      throw InputError("a number is not whole, as its storage demands; write the file again");
    return static_cast<T>(from);
  } else {
    const std::int64_t wide{from};
    if (wide < static_cast<std::int64_t>(std::numeric_limits<T>::min()) ||
        wide > static_cast<std::int64_t>(std::numeric_limits<T>::max()))
      throw InputError("a number does not fit its storage; write the file again");
    return static_cast<T>(from);
  }
}

template <class T>
void append_converted(const JsonValue& list, std::vector<T>& out) {
  if (const JsonArray* array = list.array()) {
    for (const JsonValue& item : *array) {
      if (const auto integer = item.integer()) {
        out.push_back(converted<T>(*integer));
      } else if (const auto number = item.number()) {
        out.push_back(converted<T>(*number));
      } else {
        throw InputError("a value is no number; write the file again");
      }
    }
    return;
  }
  if (!list.uniform()) throw InputError("its values are no list; write the file again");
  std::visit(
      [&](const auto& items) {
        using Items = std::decay_t<decltype(items)>;
        if constexpr (std::is_same_v<Items, BitArray>) {
          for (std::size_t i = 0; i < items.count; ++i)
            out.push_back(converted<T>(std::int64_t{items[i] ? 1 : 0}));
        } else if constexpr (std::is_same_v<Items, TextArray>) {
          throw InputError("its values are texts; write the file again");
        } else {
          for (const auto item : items) out.push_back(converted<T>(item));
        }
      },
      *list.uniform());
}

// The lists' numbers, row after row; each row must have `width`.
template <class T>
std::vector<T> rows(const JsonValue& lists, std::size_t height, std::size_t width) {
  if (list_size(lists) != height || (height > 0 && !lists.array()))
    throw InputError("it has " + std::to_string(list_size(lists).value_or(0)) +
                     " rows instead of " + std::to_string(height) + "; write the file again");
  std::vector<T> values;
  for (std::size_t i = 0; i < height; ++i) {
    const JsonValue& row = (*lists.array())[i];
    if (list_size(row) != width)
      throw InputError("row " + std::to_string(i) + " does not have " + std::to_string(width) +
                       " values; write the file again");
    try {
      append_converted(row, values);
    } catch (const InputError& error) {
      throw InputError("row " + std::to_string(i) + ": " + error.what());
    }
  }
  return values;
}

template <class T>
std::vector<T> transposed(const std::vector<T>& values, std::size_t height, std::size_t width) {
  if (height <= 1 || width <= 1) return values;
  std::vector<T> result(values.size());
  for (std::size_t i = 0; i < height; ++i)
    for (std::size_t j = 0; j < width; ++j) result[j * height + i] = values[i * width + j];
  return result;
}

}  // namespace

ExpansionBudget::ExpansionBudget(std::size_t payload_bytes)
    : left_(kFreeExpansion + kMaxExpansion * payload_bytes) {}

void ExpansionBudget::spend(std::size_t bytes) {
  if (bytes > left_)
    throw InputError(
        "its constant pages would take more memory than a file of this size should; write the "
        "file again");
  left_ -= bytes;
}

bool known_storage(std::string_view name) {
  for (const char* known : kStorageNames)
    if (known && name == known) return true;
  return false;
}

UniformArray empty_values(std::string_view name) {
  if (name == "int8") return std::vector<std::int8_t>();
  if (name == "int16") return std::vector<std::int16_t>();
  if (name == "int32") return std::vector<std::int32_t>();
  if (name == "int64") return std::vector<std::int64_t>();
  if (name == "uint8") return std::vector<std::uint8_t>();
  if (name == "uint16") return std::vector<std::uint16_t>();
  if (name == "fpreal16") return std::vector<Half>();
  if (name == "fpreal32") return std::vector<float>();
  return std::vector<double>();
}

UniformArray values_from(const JsonValue& list, std::string_view storage) {
  UniformArray values = empty_values(storage);
  std::visit(
      [&](auto& items) {
        if constexpr (is_numeric<std::decay_t<decltype(items)>>) append_converted(list, items);
      },
      values);
  return values;
}

NumericData::NumericData(UniformArray values, std::int64_t tuple_size)
    : values_(std::move(values)), tuple_size_(tuple_size) {}

NumericData NumericData::decode(JsonValue block, std::size_t count, ExpansionBudget& budget) {
  const JsonValue* size = find_key(block, "size");
  const JsonValue* storage = find_key(block, "storage");
  if (!storage || !storage->text() || !known_storage(storage->text()->bytes))
    throw InputError("the storage of its values is unknown; write the file again");
  NumericData data;
  data.values_ = empty_values(storage->text()->bytes);
  data.tuple_size_ = size ? size->integer().value_or(-1) : 1;
  if (data.tuple_size_ < 0 || data.tuple_size_ > kLargestTuple)
    throw InputError("its tuple size is wrong; write the file again");
  std::visit(
      [&](auto& values) {
        using Values = std::decay_t<decltype(values)>;
        if constexpr (is_numeric<Values>) {
          using T = typename Values::value_type;
          const auto width = static_cast<std::size_t>(data.tuple_size_);
          if (const JsonValue* tuples = find_key(block, "tuples")) {
            values = rows<T>(*tuples, count, width);
          } else if (const JsonValue* columns = find_key(block, "arrays")) {
            values = transposed(rows<T>(*columns, width, count), width, count);
          } else {
            values = data.take_pages<T>(std::move(block), count, budget);
          }
        }
      },
      data.values_);
  return data;
}

template <class T>
std::vector<T> NumericData::take_pages(JsonValue block, std::size_t count,
                                       ExpansionBudget& budget) {
  JsonValue* paged = find_key(block, "rawpagedata");
  if (!paged) throw InputError("its values are stored in an unknown way; write the file again");
  const PageTable table = PageTable::from(block, count, static_cast<std::size_t>(tuple_size_));
  if (!list_size(*paged) || !table.stores(*list_size(*paged)))
    throw InputError("its pages hold too few or too many values; write the file again");
  std::vector<T> stored;
  if (auto* same = paged->uniform() ? std::get_if<std::vector<T>>(paged->uniform()) : nullptr) {
    stored = std::move(*same);
    *paged = JsonValue();
  } else {
    append_converted(*paged, stored);
    payload_ = std::exchange(*paged, JsonValue());
  }
  block_ = std::move(block);
  if (table.plain()) return stored;
  budget.spend(table.count * table.tuple_size * sizeof(T));
  return expand_pages(table, stored);
}

const char* NumericData::storage() const {
  return kStorageNames[values_.index()];
}

std::size_t NumericData::value_count() const {
  return std::visit(
      [](const auto& values) -> std::size_t {
        if constexpr (is_numeric<std::decay_t<decltype(values)>>) return values.size();
        return 0;
      },
      values_);
}

double NumericData::number(std::size_t i) const {
  return std::visit(
      [i](const auto& values) -> double {
        if constexpr (is_numeric<std::decay_t<decltype(values)>>)
          return converted<double>(values[i]);
        return 0;
      },
      values_);
}

void NumericData::write(JsonWriter& writer) const {
  writer.binary() ? write_pages(writer) : write_tuples(writer);
}

void NumericData::write_pages(JsonWriter& writer) const {
  if (block_.is_null()) {
    writer.begin_array(ArrayLayout::kKeyValues);
    for (const JsonValue& item :
         {JsonValue("size"), JsonValue(tuple_size_), JsonValue("storage"), JsonValue(storage()),
          JsonValue("pagesize"), JsonValue(1024), JsonValue("rawpagedata")})
      writer.scalar(item);
    writer.uniform(values_);
    writer.end_array();
    return;
  }
  writer.value_around(block_, find_key(block_, "rawpagedata"), [&] {
    if (!payload_.is_null()) return writer.value(payload_);
    const auto width = static_cast<std::size_t>(tuple_size_);
    const std::size_t count = width == 0 ? 0 : value_count() / width;
    const PageTable table = PageTable::from(block_, count, width);
    if (table.plain()) return writer.uniform(values_);
    std::visit(
        [&](const auto& values) {
          if constexpr (is_numeric<std::decay_t<decltype(values)>>)
            writer.uniform(collapse_pages(table, values));
        },
        values_);
  });
}

void NumericData::write_tuples(JsonWriter& writer) const {
  const auto width = static_cast<std::size_t>(tuple_size_);
  writer.begin_array(ArrayLayout::kKeyValues);
  for (const JsonValue& item : {JsonValue("size"), JsonValue(tuple_size_), JsonValue("storage"),
                                JsonValue(storage()), JsonValue(width > 1 ? "tuples" : "arrays")})
    writer.scalar(item);
  writer.begin_array(ArrayLayout::kInline);
  if (width == 1) writer.uniform(values_);
  std::visit(
      [&](const auto& values) {
        using Values = std::decay_t<decltype(values)>;
        if constexpr (is_numeric<Values>) {
          UniformArray tuple = Values();
          for (std::size_t i = 0; width > 1 && i < values.size(); i += width) {
            std::get<Values>(tuple).assign(values.begin() + static_cast<std::ptrdiff_t>(i),
                                           values.begin() + static_cast<std::ptrdiff_t>(i + width));
            writer.uniform(tuple);
          }
        }
      },
      values_);
  writer.end_array();
  writer.end_array();
}

}  // namespace dashpot
