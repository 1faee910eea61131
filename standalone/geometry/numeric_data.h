#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "standalone/geometry/json_value.h"
#include "standalone/geometry/json_writer.h"

namespace dashpot {

// Pages in which all tuples are equal are stored once, so that a small file can mean a lot of
// memory. What a file may expand to is limited, generously, in relation to its size.
class ExpansionBudget {
 public:
  explicit ExpansionBudget(std::size_t payload_bytes);
  void spend(std::size_t bytes);  // throws InputError beyond the limit

 private:
  std::size_t left_;
};

// The numbers of an attribute, tuple after tuple; or the indices into its table of strings.
class NumericData {
 public:
  NumericData() : values_(std::vector<float>()) {}
  // `values` holds numbers; their count must be a multiple of the tuple size.
  NumericData(UniformArray values, std::int64_t tuple_size);

  // `block` is a file's ["size", …, "storage", …, payload] for `count` elements, which must fit.
  // Throws InputError; see known_storage().
  static NumericData decode(JsonValue block, std::size_t count, ExpansionBudget& budget);

  std::int64_t tuple_size() const { return tuple_size_; }
  // Of the type that the storage says, e.g. std::vector<float> for fpreal32.
  const UniformArray& values() const { return values_; }
  const char* storage() const;  // "fpreal32", …
  std::size_t value_count() const;
  double number(std::size_t i) const;  // value i, tuples interleaved

  // As Houdini would: pages in binary files, tuples or columns in text files. Data that came in
  // pages goes back into the same pages.
  void write(JsonWriter& writer) const;

 private:
  template <class T>
  std::vector<T> take_pages(JsonValue block, std::size_t count, ExpansionBudget& budget);
  void write_tuples(JsonWriter& writer) const;
  void write_pages(JsonWriter& writer) const;

  UniformArray values_;
  std::int64_t tuple_size_ = 1;
  // How a binary file stored it: the block without its payload, and the payload itself if it was
  // not what `values_` gives (older writers store floats as doubles).
  JsonValue block_, payload_;
};

bool known_storage(std::string_view name);
// No values yet, of the type that the storage means. `name` must be known.
UniformArray empty_values(std::string_view name);
// A list of numbers as that type. Throws InputError if one does not fit.
UniformArray values_from(const JsonValue& list, std::string_view storage);

}  // namespace dashpot
