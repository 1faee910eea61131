#pragma once

#include <string>
#include <vector>

namespace dashpot {

// Numbers, nouns and suggestions as sentences for people have them.

// "1 tet", "3 tets"; `many` where an s is not all.
std::string counted(long count, const std::string& one, const std::string& many = "");
// "a grid", "an unknown grid"
std::string with_article(const std::string& noun);
// "a, b and c", or "a, b or c"
std::string listed(const std::vector<std::string>& words, const char* last = "and");

// Two digits that count: "7.9", "0.012", "170".
std::string rounded(double value);
// As few digits as give back the number.
std::string exact(double value);
// 0.14 -> "14 %"
std::string percent(double share);

// The candidate nearest to `word` by edit distance, or one that it is a part of, or "" if none is
// near. Capitals, hyphens and underscores do not count.
std::string nearest_word(const std::string& word, const std::vector<std::string>& candidates);

// The end of a sentence: "; did you mean 'near'?", or "; use a, b or c." if there is none near and
// there are few, or ".".
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace dashpot
