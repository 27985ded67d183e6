// The `opts` argument that many functions take last: a JSON object with a fixed set of keys.
//
// A function declares its keys as a table of OptionSpec; parsing checks the text against that table, so that a
// misspelt key, a value of the wrong type or one out of range is an error that names what is allowed. The same
// tables print the options in docs/api.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/value.hpp"

namespace trustsql {

enum class OptionType {
  boolean,  // true or false; 0 and 1 are accepted as well, since SQLite's json_object() writes those
  integer,
  real,  // any JSON number
  text,
  scalar,  // a number or a text
  list,    // an array of numbers and texts; a single one stands for an array of one
};

struct OptionSpec {
  std::string_view key;
  OptionType type = OptionType::text;
  std::string_view description;   // one sentence for the documentation, with the default
  std::string_view choices = {};  // for texts: the allowed ones, separated by '|'; empty: any
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
};

// The rows of two option tables, one after the other.
template <std::size_t n, std::size_t m>
constexpr std::array<OptionSpec, n + m> joined(const std::array<OptionSpec, n>& first,
                                               const std::array<OptionSpec, m>& second) {
  std::array<OptionSpec, n + m> all{};
  for (std::size_t i = 0; i < n; ++i) all[i] = first[i];
  for (std::size_t i = 0; i < m; ++i) all[n + i] = second[i];
  return all;
}

// Parsed options. Getters take a key that the table lists with that type; a key that was not given, or was given as
// null, yields nullopt.
class Options {
 public:
  static constexpr std::size_t max_bytes = 1 << 20;

  // No options given.
  Options() = default;

  // Parses `json`, an object. Errors (invalid_argument): not JSON, not an object, longer than max_bytes, an
  // unknown key (the message lists the known ones), a value of the wrong type or range.
  static Result<Options> parse(std::string_view json, std::span<const OptionSpec> known);

  bool has(std::string_view key) const { return values_.find(key) != values_.end(); }
  std::optional<bool> boolean(std::string_view key) const;
  std::optional<std::int64_t> integer(std::string_view key) const;
  std::optional<double> real(std::string_view key) const;
  std::optional<std::string> text(std::string_view key) const;
  std::optional<Value> scalar(std::string_view key) const;
  std::optional<std::vector<Value>> list(std::string_view key) const;
  // The entries of list() as texts; those that are not are formatted as text.
  std::optional<std::vector<std::string>> texts(std::string_view key) const;

 private:
  std::map<std::string, std::vector<Value>, std::less<>> values_;
};

// The keys of `known`, as messages list them: "a, b, c".
std::string option_names(std::span<const OptionSpec> known);

}  // namespace trustsql
