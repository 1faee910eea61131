#pragma once

#include <cstddef>
#include <vector>

#include "standalone/geometry/json_value.h"

namespace dashpot {

// How Houdini cuts `count` tuples into pages, each tuple into sub-vectors, and which sub-vectors
// of which pages are constant and stored once.
struct PageTable {
  std::size_t count = 0, tuple_size = 1, page_size = 1024;
  std::vector<std::size_t> widths;          // of the sub-vectors; their sum is the tuple size
  std::vector<std::vector<bool>> constant;  // [sub-vector][page]; empty means never

  // From the block of an attribute. Throws InputError if it contradicts itself.
  static PageTable from(const JsonValue& block, std::size_t count, std::size_t tuple_size);

  bool plain() const;  // the stored numbers are the tuples in order
  bool is_constant(std::size_t sub_vector, std::size_t page) const {
    return sub_vector < constant.size() && !constant[sub_vector].empty() &&
           constant[sub_vector][page];
  }
  std::size_t pages() const { return (count + page_size - 1) / page_size; }
  std::size_t tuples_in(std::size_t page) const;
  // True if exactly this many numbers are stored.
  bool stores(std::size_t numbers) const;
};

// All tuples, from what is stored: table.stores(stored.size()).
template <class T>
std::vector<T> expand_pages(const PageTable& table, const std::vector<T>& stored) {
  std::vector<T> values(table.count * table.tuple_size);
  const T* from = stored.data();
  for (std::size_t page = 0; page < table.pages(); ++page) {
    T* column = values.data() + page * table.page_size * table.tuple_size;
    for (std::size_t k = 0; k < table.widths.size(); ++k) {
      const std::size_t width = table.widths[k], tuples = table.tuples_in(page);
      const bool constant = table.is_constant(k, page);
      for (std::size_t i = 0; i < tuples; ++i)
        for (std::size_t c = 0; c < width; ++c)
          column[i * table.tuple_size + c] = from[(constant ? 0 : i * width) + c];
      from += constant ? width : tuples * width;
      column += width;
    }
  }
  return values;
}

// The reverse.
template <class T>
std::vector<T> collapse_pages(const PageTable& table, const std::vector<T>& values) {
  std::vector<T> stored;
  for (std::size_t page = 0; page < table.pages(); ++page) {
    const T* column = values.data() + page * table.page_size * table.tuple_size;
    for (std::size_t k = 0; k < table.widths.size(); ++k) {
      const std::size_t width = table.widths[k];
      const std::size_t tuples = table.is_constant(k, page) ? 1 : table.tuples_in(page);
      for (std::size_t i = 0; i < tuples; ++i)
        stored.insert(stored.end(), column + i * table.tuple_size,
                      column + i * table.tuple_size + width);
      column += width;
    }
  }
  return stored;
}

}  // namespace dashpot
