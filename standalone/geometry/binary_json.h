#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "standalone/geometry/json_writer.h"

namespace dashpot {

// Houdini's binary JSON, little-endian, which starts with 7f 4e 53 4a 62.
struct ParsedJson {
  JsonValue tree;
  std::size_t unread_bytes = 0;  // after the tree's end
};

// Throws InputError with the byte offset. Lengths are checked against the remaining bytes before
// anything is allocated; what token references repeat may not exceed a multiple of the file.
ParsedJson read_binary_json(std::string_view bytes);

class BinaryJsonWriter : public JsonWriter {
 public:
  explicit BinaryJsonWriter(std::size_t expected_bytes);

  bool binary() const override { return true; }
  void begin_array(ArrayLayout layout) override;
  void end_array() override;
  void begin_map() override;
  void key(const Text& text) override;
  void end_map() override;
  void scalar(const JsonValue& value) override;
  void uniform(const UniformArray& array) override;

  std::string take_bytes() { return std::move(bytes_); }

 private:
  void byte(unsigned value) { bytes_.push_back(static_cast<char>(value)); }
  template <class T>
  void raw(T value);
  void length(std::uint64_t value);
  void text(const Text& text);
  void integer(std::int64_t value);
  void texts(const TextArray& array);
  std::size_t token_id(const std::string& token);

  std::string bytes_;
  std::unordered_map<std::string, std::size_t> token_ids_;
};

}  // namespace dashpot
