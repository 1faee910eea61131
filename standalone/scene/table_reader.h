#pragma once

#include <toml++/toml.h>
#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "solver/base/types.h"

namespace dashpot {

// "scene.toml:12", or the --set argument that the value came from.
std::string place_of(const toml::source_region& source);

// One table of a scene file, read key by key. Whatever it finds wrong is an InputError that names
// the place, the owner of the table and the key.
class TableReader {
 public:
  // `owner` is what messages call the table: "[simulation]", "body 'jelly'". A key that is not
  // among `known` is refused at once, with the nearest known one as a suggestion.
  TableReader(const toml::table& table, std::string owner, const std::vector<std::string>& known);

  const std::string& owner() const { return owner_; }
  bool has(const std::string& key) const { return table_.contains(key); }
  // nullptr if the key is absent.
  const toml::node* find(const std::string& key) const { return table_.get(key); }
  const toml::node& require(const std::string& key) const;

  // Absent keys give no value; numbers are finite.
  std::optional<double> number(const std::string& key) const;
  std::optional<double> positive_number(const std::string& key) const;
  std::optional<int> whole_number(const std::string& key) const;
  // true and false as 1 and 0; of numbers these are meant too, and others left to be refused.
  std::optional<double> on_or_off(const std::string& key) const;
  std::optional<std::string> text(const std::string& key) const;
  // An array of texts; `meaning` completes "must be …".
  std::optional<std::vector<std::string>> texts(const std::string& key,
                                                const std::string& meaning) const;
  std::optional<Vec3> vector(const std::string& key) const;
  std::optional<Mat3> matrix(const std::string& key) const;  // three rows
  // `count` numbers; `meaning` completes "must be …", e.g. "three numbers [x, y, z]".
  std::optional<std::vector<double>> numbers(const std::string& key, std::size_t count,
                                             const std::string& meaning) const;
  // The table below `key`, or nullptr.
  const toml::table* table(const std::string& key, const std::string& meaning) const;

  // "scene.toml:12: body 'jelly'"
  std::string where(const std::string& key) const;
  // Throws "<where>: <key> <complaint>."
  [[noreturn]] void fail(const std::string& key, const std::string& complaint) const;
  // The same, ending in the nearest of the choices.
  [[noreturn]] void fail_choice(const std::string& key, const std::string& complaint,
                                const std::string& word,
                                const std::vector<std::string>& choices) const;
  // Throws "<where>: <key> must be <meaning>, not <what it is>."
  [[noreturn]] void fail_type(const std::string& key, const std::string& meaning) const;

 private:
  const toml::table& table_;
  std::string owner_;
};

}  // namespace dashpot
