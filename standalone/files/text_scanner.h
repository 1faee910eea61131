#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace dashpot {

// Walks through a text file of numbers and words separated by blanks or commas; '#' starts a
// comment, and a byte order mark in front is passed over. Whatever does not fit throws InputError
// with the file, the line, and what was expected.
class TextScanner {
 public:
  // kLines: a value that is missing at the end of its line is an error, and next_line() goes on.
  // kFree: line ends are blanks.
  enum class Layout { kLines, kFree };

  // Where a format does not separate its numbers by commas, 1,5 is a number that another language's
  // decimal sign has slipped into: as two it would shift all that follow.
  enum class Commas { kDecimalSign, kSeparate };

  TextScanner(const std::filesystem::path& path, Layout layout,
              Commas commas = Commas::kDecimalSign);

  // kLines: to the first value of the next line that has one; false at the end of the file.
  bool next_line();
  // The following next_line() stays on this line, of which nothing must have been read.
  void repeat_line();
  // As next_line(), where `expected` says what must follow.
  void require_line(const char* expected);

  // True if no value is left (kLines: on this line).
  bool at_end();

  std::string_view peek();  // the next word; empty at the end
  std::string_view word(const char* expected);
  std::string_view rest_of_line();  // trimmed; the scanner then stands at the line's end
  long integer(const char* expected);
  double number(const char* expected);
  // An integer in [low, high]. `what` names it in the message.
  long integer_between(long low, long high, const char* what);
  // How many items follow. Refused if they could not fit into the rest of the file, at
  // `bytes_each` for the shortest possible item: no allocation follows from a bogus count.
  int count(const char* what, int bytes_each);

  [[noreturn]] void fail(const std::string& sentence) const;

 private:
  void skip_blanks();
  [[noreturn]] void fail_expecting(const char* expected);

  std::filesystem::path path_;
  std::string text_;
  const char* at_;    // next character to read
  const char* last_;  // start of the value last read, for messages
  Layout layout_;
  Commas commas_;
  bool started_ = false;  // next_line() leaves the current line first
};

}  // namespace dashpot
