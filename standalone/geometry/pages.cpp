#include "standalone/geometry/pages.h"

#include <algorithm>

#include "solver/base/error.h"

namespace dashpot {
namespace {

// Houdini's pages have 1024 tuples.
constexpr std::int64_t kLargestPage = 65536;

[[noreturn]] void fail_pages(const char* what) {
  throw InputError(std::string("its pages are damaged (") + what + "); write the file again");
}

}  // namespace

PageTable PageTable::from(const JsonValue& block, std::size_t count, std::size_t tuple_size) {
  PageTable table;
  table.count = count;
  table.tuple_size = tuple_size;
  const JsonValue* page_size = find_key(block, "pagesize");
  if (!page_size || !page_size->integer() || *page_size->integer() < 1 ||
      *page_size->integer() > kLargestPage)
    fail_pages("their size is wrong");
  table.page_size = static_cast<std::size_t>(*page_size->integer());

  table.widths = {tuple_size};
  if (tuple_size == 0) table.widths.clear();
  const JsonValue* packing = find_key(block, "packing");
  if (packing && list_size(*packing).value_or(0) > 0) {
    const auto widths = integer_list(*packing);
    if (!widths) fail_pages("the packing is no list of numbers");
    std::size_t sum = 0;
    table.widths.clear();
    for (const std::int64_t width : *widths) {
      if (width < 1 || static_cast<std::size_t>(width) > tuple_size - sum)
        fail_pages("the packing does not add up");
      sum += static_cast<std::size_t>(width);
      table.widths.push_back(static_cast<std::size_t>(width));
    }
    if (sum != tuple_size) fail_pages("the packing does not add up");
  }

  if (const JsonValue* flags = find_key(block, "constantpageflags")) {
    if (!flags->array()) fail_pages("its flags are no list");
    for (const JsonValue& list : *flags->array()) {
      auto constant = truth_list(list);
      if (!constant) fail_pages("its flags are no truth values");
      table.constant.push_back(*std::move(constant));
      if (!table.constant.back().empty() && table.constant.back().size() < table.pages())
        fail_pages("there are too few flags");
    }
  }
  return table;
}

bool PageTable::plain() const {
  if (widths.empty()) return true;
  return widths.size() == 1 && std::all_of(constant.begin(), constant.end(), [](const auto& flags) {
           return std::find(flags.begin(), flags.end(), true) == flags.end();
         });
}

std::size_t PageTable::tuples_in(std::size_t page) const {
  return std::min(page_size, count - page * page_size);
}

bool PageTable::stores(std::size_t numbers) const {
  if (plain()) return numbers == count * tuple_size;
  std::size_t needed = 0;
  for (std::size_t page = 0; page < pages() && needed <= numbers; ++page)
    for (std::size_t k = 0; k < widths.size() && needed <= numbers; ++k)
      needed += widths[k] * (is_constant(k, page) ? 1 : tuples_in(page));
  return needed == numbers;
}

}  // namespace dashpot
