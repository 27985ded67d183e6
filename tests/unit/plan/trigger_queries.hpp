// Random queries of the forms that rules look for, over a schema with keys, foreign keys and columns of all kinds. The
// forms are in trigger_queries.txt, which describes its format.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace trustsql::testing_support {

// What trigger_queries.txt holds.
struct TriggerForms {
  using Sections = std::map<std::string, std::vector<std::string>, std::less<>>;  // the texts of each, by name

  std::string schema{};
  Sections macros{};
  Sections rules{};
};

// Errors (invalid_argument), with the number of the line: a line outside of a section, an unknown kind of section, a
// section twice or without texts, brackets without a counterpart, an unknown macro.
Result<TriggerForms> parse_trigger_forms(std::string_view text);

// Throws std::runtime_error if the file with the forms is missing or malformed.
class TriggerQueries {
 public:
  // The tables that the queries are about: statements for an empty database.
  static const char* schema();
  // The rules that have forms of their own here.
  static std::vector<std::string> rules();

  explicit TriggerQueries(std::uint64_t seed) : random_(seed) {}

  // A query that `rule` should have something to do on. Precondition: the rule is one of rules().
  std::string query(const std::string& rule);

 private:
  // A random one of the queries of a form, which the format describes.
  std::string expand(std::string_view form);

  std::mt19937_64 random_;
  int depth_ = 0;
};

}  // namespace trustsql::testing_support
