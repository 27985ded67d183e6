// Random queries of the forms that rules look for, over a schema with keys, foreign keys and columns of all kinds.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace trustsql::testing_support {

class TriggerQueries {
 public:
  // The tables that the queries are about: statements for an empty database.
  static const char* schema();
  // The rules that have forms of their own here.
  static std::vector<std::string> rules();

  explicit TriggerQueries(std::uint64_t seed) : random_(seed) {}

  // A query that `rule` should have something to do on.
  std::string query(const std::string& rule);

 private:
  // Forms: [a|b|c] is one of a, b and c; {name} is one of the macro's forms. Both may be nested.
  std::string expand(std::string_view form);

  std::mt19937_64 random_;
  int depth_ = 0;
};

}  // namespace trustsql::testing_support
