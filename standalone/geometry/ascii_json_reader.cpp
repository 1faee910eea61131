#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "solver/base/error.h"
#include "standalone/geometry/ascii_json.h"

namespace dashpot {
namespace {

// Longer texts are summaries, which Houdini spells out in its binary files.
constexpr std::size_t kLongestToken = 128;
constexpr std::int64_t kExactInDouble = std::int64_t{1} << 53;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

struct Number {
  bool is_integer;
  std::int64_t integer;
  double real;
};

class TextReader {
 public:
  explicit TextReader(const std::string& text)
      : begin_(text.c_str()), at_(begin_), end_(begin_ + text.size()) {}

  ParsedJson read() {
    JsonValue tree = value(0);
    skip_blanks();
    return {std::move(tree), static_cast<std::size_t>(end_ - at_)};
  }

 private:
  // Houdini writes long lines, often one for the whole file: bytes say more.
  [[noreturn]] void fail(const std::string& what) const {
    const auto byte = std::to_string(at_ - begin_);
    const std::string where = last_name_.empty() ? "" : ", in '" + last_name_ + "'";
    if (at_ >= end_)
      throw InputError("the file ends at byte " + byte + where +
                       ", before it is complete; it was cut short, write it again");
    throw InputError("byte " + byte + " of " + std::to_string(end_ - begin_) + where + ": " + what +
                     "; write the file again");
  }

  // What stands where a value should.
  [[noreturn]] void fail_value() const {
    const char* stop = at_;
    while (stop != end_ && stop - at_ < 16 &&
           (std::isalnum(static_cast<unsigned char>(*stop)) || *stop == '-' || *stop == '+'))
      ++stop;
    if (stop == at_) fail("a value is missing");
    fail("'" + std::string(at_, stop) + "' is no value that geometry can have");
  }

  void skip_blanks() {
    while (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r') ++at_;
  }

  bool accept(char c) {
    skip_blanks();
    if (*at_ != c) return false;
    ++at_;
    return true;
  }

  void accept_word(const char* word) {
    const std::size_t size = std::strlen(word);
    if (std::strncmp(at_, word, size) != 0) fail_value();
    at_ += size;
  }

  JsonValue value(int depth) {
    if (depth > kDeepestNesting) fail("the file is nested too deeply");
    skip_blanks();
    switch (*at_) {
      case '[':
        return array(depth);
      case '{':
        return map(depth);
      case '"':
        return text();
      case 't':
        accept_word("true");
        return true;
      case 'f':
        accept_word("false");
        return false;
      case 'n':
        accept_word("null");
        return {};
      default:
        break;
    }
    const Number n = number();
    return n.is_integer ? JsonValue(n.integer) : JsonValue(n.real);
  }

  JsonValue array(int depth) {
    ++at_;
    JsonArray items;
    if (accept(']')) return items;
    if (*at_ == '-' || is_digit(*at_)) return array_of_numbers(depth);
    return rest_of_array(std::move(items), depth);
  }

  JsonValue rest_of_array(JsonArray items, int depth) {
    do items.push_back(value(depth + 1));
    while (accept(','));
    if (!accept(']')) fail("',' or ']' is missing");
    return items;
  }

  // Goes on as a plain array when something else comes.
  JsonValue array_of_numbers(int depth) {
    std::vector<Number> numbers;
    bool integers = true, exact = true;
    for (;;) {
      numbers.push_back(number());
      const Number& n = numbers.back();
      integers = integers && n.is_integer;
      exact =
          exact && !(n.is_integer && (n.integer > kExactInDouble || n.integer < -kExactInDouble));
      if (!accept(',')) break;
      skip_blanks();
      if (*at_ != '-' && !is_digit(*at_)) return rest_of_array(plain(numbers), depth);
    }
    if (!accept(']')) fail("',' or ']' is missing");
    if (integers) return narrowest(numbers);
    if (!exact) return plain(numbers);
    std::vector<double> reals(numbers.size());
    std::transform(numbers.begin(), numbers.end(), reals.begin(),
                   [](const Number& n) { return n.real; });
    return UniformArray(std::move(reals));
  }

  static JsonArray plain(const std::vector<Number>& numbers) {
    JsonArray items;
    items.reserve(numbers.size());
    for (const Number& n : numbers)
      items.push_back(n.is_integer ? JsonValue(n.integer) : JsonValue(n.real));
    return items;
  }

  template <class T>
  static UniformArray cast(const std::vector<Number>& numbers) {
    std::vector<T> integers(numbers.size());
    std::transform(numbers.begin(), numbers.end(), integers.begin(),
                   [](const Number& n) { return static_cast<T>(n.integer); });
    return integers;
  }

  static UniformArray narrowest(const std::vector<Number>& numbers) {
    std::int64_t low = 0, high = 0;
    for (const Number& n : numbers) {
      low = std::min(low, n.integer);
      high = std::max(high, n.integer);
    }
    const auto fits = [&](auto limit) {
      using T = decltype(limit);
      return low >= std::numeric_limits<T>::min() && high <= std::numeric_limits<T>::max();
    };
    if (fits(std::int8_t{})) return cast<std::int8_t>(numbers);
    if (fits(std::int16_t{})) return cast<std::int16_t>(numbers);
    if (fits(std::int32_t{})) return cast<std::int32_t>(numbers);
    return cast<std::int64_t>(numbers);
  }

  // Up to 19 digits and small powers of ten are exact in integer and double arithmetic; the rest
  // is strtod's, whose locale nothing here changes.
  Number number() {
    skip_blanks();
    const char* start = at_;
    const bool negative = *at_ == '-';
    if (negative) ++at_;
    if (!is_digit(*at_)) {
      at_ = start;
      fail_value();
    }
    std::uint64_t mantissa = 0;
    int digits = 0, exponent = 0;
    const auto take_digits = [&] {
      for (; is_digit(*at_); ++at_) {
        if (digits < 19) mantissa = 10 * mantissa + static_cast<std::uint64_t>(*at_ - '0');
        if (mantissa != 0) ++digits;
      }
    };
    take_digits();
    if (*at_ != '.' && *at_ != 'e' && *at_ != 'E')
      return integer(start, mantissa, digits, negative);
    if (*at_ == '.') {
      const char* point = at_++;
      take_digits();
      exponent = -static_cast<int>(std::min<std::ptrdiff_t>(at_ - point - 1, 1000));
    }
    if (*at_ == 'e' || *at_ == 'E') exponent += power();
    if (digits <= 19 && mantissa <= std::uint64_t{1} << 53 && std::abs(exponent) <= 22)
      return {false, 0, scaled(mantissa, exponent, negative)};
    const double real = std::strtod(start, nullptr);
    if (!std::isfinite(real)) fail("a number is too large");
    return {false, 0, real};
  }

  int power() {
    ++at_;
    const bool negative = *at_ == '-';
    if (*at_ == '-' || *at_ == '+') ++at_;
    if (!is_digit(*at_)) fail("this is no number");
    int value = 0;
    for (; is_digit(*at_); ++at_) value = std::min(10 * value + (*at_ - '0'), 10000);
    return negative ? -value : value;
  }

  static double scaled(std::uint64_t mantissa, int exponent, bool negative) {
    constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const auto value = static_cast<double>(mantissa);
    const double size = exponent < 0 ? value / kPowers[-exponent] : value * kPowers[exponent];
    return negative ? -size : size;
  }

  Number integer(const char* start, std::uint64_t mantissa, int digits, bool negative) {
    const std::uint64_t limit = std::uint64_t{1} << 63;
    if (digits > 19 || mantissa >= limit) {
      const double real = std::strtod(start, nullptr);
      if (!std::isfinite(real)) fail("a number is too large");
      return {false, 0, real};
    }
    // "-0" is a real: an integer would lose its sign.
    if (negative && mantissa == 0) return {false, 0, -0.0};
    const auto value = static_cast<std::int64_t>(mantissa);
    const std::int64_t integer = negative ? -value : value;
    return {true, integer, static_cast<double>(integer)};
  }

  Text text() {
    std::string bytes = string();
    if (names_next_) last_name_ = bytes;
    names_next_ = bytes == "name";
    const bool summary = bytes.size() > kLongestToken || bytes.find('\n') != std::string::npos;
    return {std::move(bytes), summary ? TextForm::kRaw : TextForm::kToken};
  }

  std::string string() {
    ++at_;
    std::string bytes;
    for (;;) {
      const char* stop = at_;
      while (*stop != '"' && *stop != '\\' && stop != end_) ++stop;
      bytes.append(at_, stop);
      at_ = stop;
      if (at_ == end_) fail("a text has no end");
      if (*at_++ == '"') return bytes;
      escape(bytes);
    }
  }

  void escape(std::string& bytes) {
    const char c = *at_++;
    switch (c) {
      case 'n':
        bytes += '\n';
        return;
      case 't':
        bytes += '\t';
        return;
      case 'r':
        bytes += '\r';
        return;
      case 'b':
        bytes += '\b';
        return;
      case 'f':
        bytes += '\f';
        return;
      case '"':
      case '\\':
      case '/':
        bytes += c;
        return;
      case 'u':
        utf8(bytes, code_point());
        return;
      default:
        --at_;
        fail("unknown escape in a text");
    }
  }

  unsigned hex4() {
    unsigned value = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = *at_;
      unsigned digit = 0;
      if (is_digit(c))
        digit = static_cast<unsigned>(c - '0');
      else if (c >= 'a' && c <= 'f')
        digit = static_cast<unsigned>(c - 'a') + 10;
      else if (c >= 'A' && c <= 'F')
        digit = static_cast<unsigned>(c - 'A') + 10;
      else
        fail("unknown escape in a text");
      value = 16 * value + digit;
    }
    return value;
  }

  // Also of a pair of UTF-16 surrogates.
  unsigned code_point() {
    const unsigned first = hex4();
    if (first < 0xd800 || first > 0xdbff || at_[0] != '\\' || at_[1] != 'u') return first;
    at_ += 2;
    const unsigned second = hex4();
    if (second < 0xdc00 || second > 0xdfff) fail("unknown escape in a text");
    return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
  }

  static void utf8(std::string& bytes, unsigned code) {
    const auto add = [&](unsigned byte) { bytes += static_cast<char>(byte); };
    if (code < 0x80) return add(code);
    if (code < 0x800) {
      add(0xc0 | code >> 6);
    } else if (code < 0x10000) {
      add(0xe0 | code >> 12);
      add(0x80 | (code >> 6 & 0x3f));
    } else {
      add(0xf0 | code >> 18);
      add(0x80 | (code >> 12 & 0x3f));
      add(0x80 | (code >> 6 & 0x3f));
    }
    add(0x80 | (code & 0x3f));
  }

  JsonValue map(int depth) {
    ++at_;
    JsonMap entries;
    if (accept('}')) return entries;
    do {
      skip_blanks();
      if (*at_ != '"') fail("a map's key is no text");
      Text key = text();
      if (!accept(':')) fail("':' is missing");
      entries.push_back({std::move(key), value(depth + 1)});
    } while (accept(','));
    if (!accept('}')) fail("',' or '}' is missing");
    return entries;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  std::string last_name_;    // of an attribute, for messages
  bool names_next_ = false;  // the text before was "name"
};

}  // namespace

ParsedJson read_ascii_json(const std::string& text) {
  return TextReader(text).read();
}

}  // namespace dashpot
