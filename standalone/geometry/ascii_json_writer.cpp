#include <cmath>
#include <cstdio>
#include <type_traits>

#include "solver/base/error.h"
#include "standalone/geometry/ascii_json.h"

namespace dashpot {
namespace {

constexpr std::size_t kLineWidth = 240;

}  // namespace

void AsciiJsonWriter::new_line() {
  bytes_ += '\n';
  line_start_ = bytes_.size();
  bytes_.append(levels_.size(), '\t');
}

void AsciiJsonWriter::before_item() {
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (level.is_map) return;  // key() did it
  const bool is_value = level.layout == ArrayLayout::kKeyValues && level.items % 2 == 1;
  if (level.items++ > 0) bytes_ += ',';
  const bool full = bytes_.size() - line_start_ > kLineWidth;
  if (level.layout == ArrayLayout::kInline ? full : !is_value) new_line();
}

void AsciiJsonWriter::begin_array(ArrayLayout layout) {
  before_item();
  bytes_ += '[';
  levels_.push_back({false, layout});
}

void AsciiJsonWriter::end_array() {
  close(']');
}

void AsciiJsonWriter::close(char bracket) {
  const Level closed = levels_.back();
  levels_.pop_back();
  if (closed.is_map || closed.layout != ArrayLayout::kInline) new_line();
  bytes_ += bracket;
}

void AsciiJsonWriter::begin_map() {
  before_item();
  bytes_ += '{';
  levels_.push_back({true, ArrayLayout::kItems});
}

void AsciiJsonWriter::key(const Text& text) {
  if (levels_.back().items++ > 0) bytes_ += ',';
  new_line();
  this->text(text.bytes);
  bytes_ += ':';
}

void AsciiJsonWriter::end_map() {
  close('}');
}

void AsciiJsonWriter::text(const std::string& bytes) {
  bytes_ += '"';
  for (const char c : bytes) {
    switch (c) {
      case '"':
        bytes_ += "\\\"";
        break;
      case '\\':
        bytes_ += "\\\\";
        break;
      case '\n':
        bytes_ += "\\n";
        break;
      case '\t':
        bytes_ += "\\t";
        break;
      case '\r':
        bytes_ += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) {
          bytes_ += c;
        } else {
          char escape[8];
          std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
          bytes_ += escape;
        }
    }
  }
  bytes_ += '"';
}

void AsciiJsonWriter::integer(std::int64_t value) {
  bytes_ += std::to_string(value);
}

void AsciiJsonWriter::real(double value, const char* format) {
  if (!std::isfinite(value))
    throw InputError("a value is nan or inf, which a text file cannot hold; write a binary file");
  char digits[32];
  const int size = std::snprintf(digits, sizeof digits, format, value);
  bytes_.append(digits, static_cast<std::size_t>(size));
}

void AsciiJsonWriter::scalar(const JsonValue& value) {
  before_item();
  if (const Text* text = value.text()) {
    this->text(text->bytes);
  } else if (const bool* truth = value.boolean()) {
    bytes_ += *truth ? "true" : "false";
  } else if (const auto number = value.integer()) {
    integer(*number);
  } else if (const auto* small_real = std::get_if<float>(&value.storage())) {
    real(double{*small_real}, "%.9g");
  } else if (const auto number = value.number()) {
    real(*number, "%.17g");
  } else {
    bytes_ += "null";
  }
}

void AsciiJsonWriter::uniform(const UniformArray& array) {
  begin_array(ArrayLayout::kInline);
  std::visit(
      [this](const auto& items) {
        using Items = std::decay_t<decltype(items)>;
        if constexpr (std::is_same_v<Items, BitArray>) {
          for (std::size_t i = 0; i < items.count; ++i) scalar(items[i]);
        } else if constexpr (std::is_same_v<Items, TextArray>) {
          for (const std::string& text : items.texts) scalar(Text{text, TextForm::kToken});
        } else {
          using Item = typename Items::value_type;
          for (const Item& item : items) {
            before_item();
            if constexpr (std::is_integral_v<Item>) integer(item);
            if constexpr (std::is_same_v<Item, Half>) real(to_double(item), "%.9g");
            if constexpr (std::is_same_v<Item, float>) real(double{item}, "%.9g");
            if constexpr (std::is_same_v<Item, double>) real(item, "%.17g");
          }
        }
      },
      array);
  end_array();
}

}  // namespace dashpot
