#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "standalone/geometry/binary_json.h"
#include "standalone/geometry/json_writer.h"

namespace dashpot {

// Houdini's text spelling. Arrays of numbers become uniform arrays: of the narrowest integer type
// that holds them, or real64 if one of them has a point or an exponent.
// `text` must be followed by a NUL. Throws InputError with the line.
ParsedJson read_ascii_json(const std::string& text);

// One key and value per line, tabs, %.9g for single precision and %.17g for double.
class AsciiJsonWriter : public JsonWriter {
 public:
  AsciiJsonWriter() = default;

  bool binary() const override { return false; }
  void begin_array(ArrayLayout layout) override;
  void end_array() override;
  void begin_map() override;
  void key(const Text& text) override;
  void end_map() override;
  // Throws InputError for nan and inf, which a text file cannot say.
  void scalar(const JsonValue& value) override;
  void uniform(const UniformArray& array) override;

  std::string take_bytes() { return std::move(bytes_) + "\n"; }

 private:
  struct Level {
    bool is_map;
    ArrayLayout layout;
    std::size_t items = 0;
  };

  void before_item();
  void new_line();
  void close(char bracket);
  void text(const std::string& bytes);
  void integer(std::int64_t value);
  void real(double value, const char* format);

  std::string bytes_;
  std::size_t line_start_ = 0;
  std::vector<Level> levels_;
};

}  // namespace dashpot
