#include "standalone/cli/option_checks.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "solver/base/words.h"

namespace dashpot {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

CLI::Validator number_check(double low, double high, const std::string& range) {
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        if (end == text.c_str() || *end != '\0' || !std::isfinite(value))
          return "'" + text + "' is not a number; use " + range;
        return value >= low && value <= high ? "" : text + " is out of range; use " + range;
      },
      "");
}

const CLI::App& chosen_command(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.front();
}

std::string command_words(const CLI::App& app) {
  return chosen_command(app).get_name();
}

std::string help_words(const CLI::App& app) {
  const bool has_command = &chosen_command(app) != &app;
  return "; dashpot " + (has_command ? command_words(app) + " " : "") + "--help lists options.";
}

// The option that CLI11's message begins with, or names; nullptr if there is none.
const CLI::Option* option_in(const CLI::App& app, const std::string& message) {
  const CLI::Option* found = nullptr;
  std::size_t longest = 0;
  for (const CLI::Option* option : chosen_command(app).get_options()) {
    const std::string name = option->get_name();
    if (name.size() > longest && message.find(name) != std::string::npos) {
      found = option;
      longest = name.size();
    }
  }
  return found;
}

std::string unexpected_complaint(CLI::App& app) {
  std::string word;
  for (const std::string& left : app.remaining(true))
    if (word.empty() || (left[0] == '-' && word[0] != '-')) word = left;
  if (word.empty() || word[0] != '-')
    return "'" + word + "' is one word too many for " + command_words(app) + help_words(app);
  std::vector<std::string> names;
  for (const CLI::Option* option : chosen_command(app).get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::string name = word.substr(0, word.find('='));
  return command_words(app) + " has no option " + name +
         (nearest_word(name, names).empty() ? help_words(app) : did_you_mean(name, names));
}

// "Threads; the result does not depend on it" -> "threads"
std::string meaning_of(const CLI::Option& option) {
  std::string text = option.get_description();
  text.erase(std::min(text.find_first_of(";:"), text.size()));
  if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])))
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

// All that CLI11's message mentions.
std::vector<std::string> options_in(const std::string& message) {
  std::vector<std::string> names;
  for (std::size_t at = message.find("--"); at != std::string::npos;
       at = message.find("--", at + 2))
    names.push_back(message.substr(at, message.find_first_of(" ,]{", at) - at));
  return names;
}

std::string missing_complaint(const CLI::App& app, const std::string& message) {
  if (&chosen_command(app) == &app) return "say what to do; dashpot --help lists the commands.";
  const std::vector<std::string> names = options_in(message);
  if (names.size() > 1)
    return command_words(app) + " takes only one of " + listed(names) + "; leave the others out.";
  const CLI::Option* option = option_in(app, message);
  if (!option) return command_words(app) + " is not complete" + help_words(app);
  return command_words(app) + " needs " + option->get_name() + ": " + meaning_of(*option) + ".";
}

std::string count_complaint(const CLI::App& app, const std::string& message) {
  const CLI::Option* option = option_in(app, message);
  if (!option) return "an option of " + command_words(app) + " has no value" + help_words(app);
  const std::string name = option->get_name();
  if (option->get_items_expected_max() == 0) return name + " takes no value; leave it out.";
  if (option->get_items_expected_min() > 1)
    return name + " needs " + std::to_string(option->get_items_expected_min()) +
           " values: " + meaning_of(*option) + ".";
  return name + " needs a value, and only one: " + meaning_of(*option) + ".";
}

std::string conversion_complaint(const CLI::App& app, const std::string& message) {
  const CLI::Option* option = option_in(app, message);
  const std::string name = option ? option->get_name() : command_words(app);
  const std::size_t equals = message.find(" = ");
  if (equals == std::string::npos || (option && option->get_items_expected_max() == 0))
    return name + " takes no value; leave it out.";
  const std::string text = message.substr(equals + 3);
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  if (*end == '\0') return name + ": '" + text + "' is not a whole number, or too large for one.";
  const bool several = text.find(',') != std::string::npos;
  return name + ": '" + text + (several ? "' are not all numbers." : "' is not a number.");
}

}  // namespace

CLI::Validator number_between(double low, double high) {
  return number_check(low, high, exact(low) + " to " + exact(high));
}

CLI::Validator number_above_zero() {
  return number_check(std::numeric_limits<double>::denorm_min(), kUnbounded, "a number above 0");
}

CLI::Validator one_of(const std::vector<std::string>& words) {
  return CLI::Validator(
      [words](std::string& word) -> std::string {
        if (std::find(words.begin(), words.end(), word) != words.end()) return "";
        std::string ending = did_you_mean(word, words);
        if (ending.back() == '.') ending.pop_back();
        return "there is no choice '" + word + "'" + ending;
      },
      "");
}

std::string parse_complaint(CLI::App& app, const CLI::ParseError& error) {
  const auto kind = static_cast<CLI::ExitCodes>(error.get_exit_code());
  const std::string message = error.what();
  if (kind == CLI::ExitCodes::ExtrasError) return unexpected_complaint(app);
  if (kind == CLI::ExitCodes::RequiredError) return missing_complaint(app, message);
  if (kind == CLI::ExitCodes::ArgumentMismatch) return count_complaint(app, message);
  if (kind == CLI::ExitCodes::ConversionError) return conversion_complaint(app, message);
  if (kind == CLI::ExitCodes::ValidationError)  // of the checks above
    return message + (message.back() == '?' ? "" : ".");
  const bool excludes = kind == CLI::ExitCodes::ExcludesError;
  if (excludes || kind == CLI::ExitCodes::RequiresError) {
    const std::string word = excludes ? " excludes " : " requires ";
    const std::size_t at = message.find(word);
    if (at != std::string::npos)
      return message.substr(0, at) + (excludes ? " cannot be given together with " : " needs ") +
             message.substr(at + word.size()) + (excludes ? "; leave one out." : "; add it.");
  }
  return "these arguments cannot be understood" + help_words(app);
}

}  // namespace dashpot
