// QueryParts: the tokens of a query, with its literals and its conditions on time: what a template is made from.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sql_token.hpp"

namespace trustsql::semparse {

// A text or number that stands where a question's value may: compared with something, in a list, behind LIMIT, or a
// number with a unit such as '+2 month'.
struct QueryLiteral {
  std::size_t token = 0;
  std::string value{};             // without quotation marks, and without `before` and `after`
  std::optional<double> number{};  // if it is one
  bool quoted = false;
  bool compared = false;  // stands at a comparison with a column
  bool equality = false;  // at = or IN
  std::string before{};
  std::string after{};
  bool pattern = false;       // of LIKE
  std::size_t low_bound = 0;  // of BETWEEN x AND y, for y: the token of x; 0: none
  std::string column{};       // "table.column" or "column" in lower case; "limit" for LIMIT; empty if none
  int slot = -1;
};

// A condition that compares one column with times: literals, date functions, the current time. Conditions on the same
// column that stand side by side are one.
struct TimeCondition {
  std::size_t first = 0;  // tokens [first, last)
  std::size_t last = 0;
  std::vector<std::size_t> columns{};  // tokens that are the column's name
  int number = -1;                     // of the time expression that it stands for

  bool is_column(std::size_t token) const;
};

struct QueryParts {
  std::vector<Token> tokens{};
  std::vector<QueryLiteral> literals{};
  std::vector<TimeCondition> times{};

  // The condition that begins at `token`, and whether it lies in one that stands for a time expression.
  const TimeCondition* time_at(std::size_t token) const;
  bool in_time(std::size_t token) const;
};

// Whether the token compares two values: = < LIKE BETWEEN ...
bool is_comparison(const Token& token);

// Leaves out OFFSET 0, which says nothing. `tokens`: of `sql`.
void drop_zero_offsets(std::string_view sql, std::vector<Token>& tokens);

// nullopt if `sql` is not one SELECT by its tokens, or has more than 1,000 of them.
std::optional<QueryParts> parts_of_query(std::string_view sql);

}  // namespace trustsql::semparse
