#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

namespace dashpot {

// What an option accepts, with sentences of our own for what it does not.
CLI::Validator number_between(double low, double high);
CLI::Validator number_above_zero();
CLI::Validator one_of(const std::vector<std::string>& words);

// The same, for an option whose values have names.
template <class Value>
CLI::Validator one_of(const std::map<std::string, Value>& values) {
  std::vector<std::string> words;
  words.reserve(values.size());
  for (const auto& [word, value] : values) words.push_back(word);
  const CLI::Validator check = one_of(words);
  return CLI::Validator(
      [check, values](std::string& word) {
        std::string complaint = check(word);
        if (complaint.empty()) word = std::to_string(static_cast<int>(values.at(word)));
        return complaint;
      },
      "");
}

// One sentence for what CLI11 found wrong.
std::string parse_complaint(CLI::App& app, const CLI::ParseError& error);

}  // namespace dashpot
