#include "solver/base/words.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace dashpot {
namespace {

std::string formatted(int digits, char how, double value) {
  char text[64];
  const char format[] = {'%', '.', '*', how, '\0'};
  std::snprintf(text, sizeof text, format, digits, value);
  return text;
}

int edit_distance(const std::string& a, const std::string& b) {
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

// Letters and digits only, small ones.
std::string plain(const std::string& word) {
  std::string letters;
  for (const char c : word)
    if (std::isalnum(static_cast<unsigned char>(c)))
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return letters;
}

// How far from what was meant; a word that is a part of the other is near.
int word_distance(const std::string& word, const std::string& candidate) {
  constexpr std::size_t kShortestPart = 4;
  const int distance = edit_distance(word, candidate);
  const std::string& part = word.size() < candidate.size() ? word : candidate;
  const std::string& whole = word.size() < candidate.size() ? candidate : word;
  const bool is_part = part.size() >= kShortestPart && whole.find(part) != std::string::npos;
  return is_part ? std::min(distance, 1) : distance;
}

}  // namespace

std::string counted(long count, const std::string& one, const std::string& many) {
  const std::string several = many.empty() ? one + "s" : many;
  return std::to_string(count) + " " + (count == 1 ? one : several);
}

std::string with_article(const std::string& noun) {
  const bool vowel = !noun.empty() && std::string("aeiouAEIOU").find(noun[0]) != std::string::npos;
  return (vowel ? "an " : "a ") + noun;
}

std::string listed(const std::vector<std::string>& words, const char* last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 < words.size() ? ", " : std::string(" ") + last + " ";
    text += words[i];
  }
  return text;
}

std::string rounded(double value) {
  const double size = std::abs(value);
  if (!(size >= 10 && size < 1e5)) return formatted(2, 'g', value);
  const double unit = std::pow(10.0, std::floor(std::log10(size)) - 1);
  return formatted(0, 'f', std::round(value / unit) * unit);
}

std::string exact(double value) {
  constexpr int kAll = 17;
  if (std::abs(value) < 1e7 && value == std::floor(value)) return formatted(0, 'f', value);
  for (int digits = 6; digits < kAll; ++digits) {
    std::string text = formatted(digits, 'g', value);
    if (std::strtod(text.c_str(), nullptr) == value) return text;
  }
  return formatted(kAll, 'g', value);
}

std::string percent(double share) {
  const double value = 100 * share;
  if (value < 0.01) return "nothing";
  return (value < 1 ? formatted(1, 'g', value) : rounded(value)) + " %";
}

std::string nearest_word(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string wanted = plain(word);
  std::string best;
  const int length = static_cast<int>(wanted.size());
  int best_distance = std::min(length / 3 + 2, std::max(1, length));
  for (const std::string& candidate : candidates) {
    const int distance = word_distance(wanted, plain(candidate));
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kFew = 12;
  const std::string near = nearest_word(word, candidates);
  if (!near.empty()) return "; did you mean '" + near + "'?";
  if (candidates.empty() || candidates.size() > kFew) return ".";
  return "; use " + listed(candidates, "or") + ".";
}

}  // namespace dashpot
