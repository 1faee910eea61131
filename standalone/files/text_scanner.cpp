#include "standalone/files/text_scanner.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <system_error>

#include "solver/base/error.h"
#include "standalone/files/read_file.h"

namespace dashpot {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool ends_value(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == ',' || c == '\0' || c == '#';
}

std::string quoted(std::string_view word) {
  constexpr std::size_t kShown = 24;
  std::string text = "'";
  for (const char c : word.substr(0, kShown))
    text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return text + (word.size() > kShown ? "…'" : "'");
}

}  // namespace

TextScanner::TextScanner(const std::filesystem::path& path, Layout layout, Commas commas)
    : path_(path),
      text_(read_file(path)),
      at_(text_.c_str()),
      last_(at_),
      layout_(layout),
      commas_(commas) {
  if (text_.compare(0, kByteOrderMark.size(), kByteOrderMark) == 0) at_ += kByteOrderMark.size();
  // A NUL ends every scan below; inside the file it means that this is not text.
  if (const std::size_t nul = text_.find('\0'); nul != std::string::npos) {
    last_ = text_.c_str() + nul;
    fail("binary data where text was expected; save the mesh in its ASCII form");
  }
}

void TextScanner::skip_blanks() {
  for (;; ++at_) {
    if (*at_ == '#')
      while (*at_ != '\n' && *at_ != '\0') ++at_;
    const bool blank = *at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == ',';
    if (!blank && !(*at_ == '\n' && layout_ == Layout::kFree)) return;
  }
}

bool TextScanner::next_line() {
  if (started_)
    while (*at_ != '\n' && *at_ != '\0') ++at_;
  started_ = true;
  for (skip_blanks(); *at_ == '\n'; skip_blanks()) ++at_;
  last_ = at_;
  return *at_ != '\0';
}

void TextScanner::repeat_line() {
  started_ = false;
}

void TextScanner::require_line(const char* expected) {
  if (!next_line()) fail_expecting(expected);
}

bool TextScanner::at_end() {
  skip_blanks();
  return *at_ == '\n' || *at_ == '\0';
}

std::string_view TextScanner::peek() {
  if (at_end()) return {};
  const char* end = at_;
  while (!ends_value(*end)) ++end;
  return {at_, static_cast<std::size_t>(end - at_)};
}

std::string_view TextScanner::word(const char* expected) {
  const std::string_view found = peek();
  if (found.empty()) fail_expecting(expected);
  last_ = at_;
  at_ += found.size();
  return found;
}

std::string_view TextScanner::rest_of_line() {
  skip_blanks();
  const char* begin = at_;
  while (*at_ != '\n' && *at_ != '\0') ++at_;
  const char* end = at_;
  while (end > begin && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

long TextScanner::integer(const char* expected) {
  skip_blanks();
  long value = 0;
  const char* begin = *at_ == '+' ? at_ + 1 : at_;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  if (error != std::errc() || !ends_value(*end)) fail_expecting(expected);
  last_ = at_;
  at_ = end;
  return value;
}

double TextScanner::number(const char* expected) {
  if (at_end()) fail_expecting(expected);  // strtod would go on to the next line
  // std::from_chars for doubles needs GCC 11; nothing here changes the C locale.
  char* end = nullptr;
  const double value = std::strtod(at_, &end);
  if (end == at_ || !ends_value(*end)) fail_expecting(expected);
  last_ = at_;
  at_ = end;
  if (commas_ == Commas::kDecimalSign && *end == ',' && end[1] >= '0' && end[1] <= '9')
    fail("a comma inside " + std::string(expected) +
         "; write decimals with a point, as in 0.5, and export the file again");
  return value;
}

long TextScanner::integer_between(long low, long high, const char* what) {
  const long value = integer(what);
  if (value >= low && value <= high) return value;
  if (low == high)
    fail(std::string(what) + " is " + std::to_string(value) + " where " + std::to_string(low) +
         " was expected; repair the file");
  fail(std::string(what) + " is " + std::to_string(value) + " but must be from " +
       std::to_string(low) + " to " + std::to_string(high) + "; repair the file");
}

int TextScanner::count(const char* what, int bytes_each) {
  const long value = integer(what);
  const auto left = static_cast<long>(text_.data() + text_.size() - at_);
  // The last item need not end with a line feed.
  const long fit = std::min<long>((left + 1) / bytes_each, std::numeric_limits<int>::max() / 8);
  if (value < 0 || value > fit)
    fail(std::string(what) + " is " + std::to_string(value) +
         " but the rest of the file has room for at most " + std::to_string(fit) +
         "; the file is cut short or damaged");
  return static_cast<int>(value);
}

void TextScanner::fail(const std::string& sentence) const {
  const auto line = 1 + std::count(text_.c_str(), last_, '\n');
  throw InputError(path_.string() + ":" + std::to_string(line) + ": " + sentence);
}

void TextScanner::fail_expecting(const char* expected) {
  skip_blanks();
  last_ = at_;
  const std::string wanted = std::string("expected ") + expected;
  if (*at_ == '\0') fail(wanted + " but the file ends; it is cut short, export it again");
  if (*at_ == '\n') fail(wanted + " but the line ends; repair the file or export it again");
  fail(wanted + " but found " + quoted(peek()) + "; repair the file or export it again");
}

}  // namespace dashpot
