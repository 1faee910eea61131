#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace dashpot {

// 64-bit FNV-1a over 8-byte words: fast, stable over machines of one byte order. Identifies states
// and scenes; not a defence against anybody.
class Hash {
 public:
  void add(const void* data, std::size_t bytes) {
    const auto* p = static_cast<const unsigned char*>(data);
    for (; bytes >= 8; p += 8, bytes -= 8) {
      std::uint64_t word;
      std::memcpy(&word, p, 8);
      mix(word);
    }
    std::uint64_t tail = bytes;
    for (std::size_t i = 0; i < bytes; ++i) tail = (tail << 8) | p[i];
    mix(tail);
  }
  template <class T>
  void add_value(const T& value) {
    add(&value, sizeof(T));
  }
  std::uint64_t value() const { return hash_; }

 private:
  void mix(std::uint64_t word) {
    hash_ = (hash_ ^ word) * 0x100000001b3ull;
    hash_ ^= hash_ >> 29;
  }
  std::uint64_t hash_ = 0xcbf29ce484222325ull;
};

}  // namespace dashpot
