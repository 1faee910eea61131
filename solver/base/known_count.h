#pragma once

#include <type_traits>

namespace dashpot {

// body(count) with the count known to the compiler, so that it unrolls loops over vectors and reads
// each of them once. From 1 to Most.
template <int Most, class Body>
void with_count(int count, const Body& body) {
  if (count == Most)
    body(std::integral_constant<int, Most>());
  else if constexpr (Most > 1)
    with_count<Most - 1>(count, body);
}

}  // namespace dashpot
