// EM, exact set match: whether two queries have the same parts, as Spider's official evaluator judges it (Yu et al.
// 2018, https://yale-lily.github.io/spider).
//
// Both queries are read by the evaluator's own small grammar (set_match/reader.hpp). Before they are compared,
//   - values in conditions are dropped (subqueries are kept), and so are DISTINCT and the number after LIMIT;
//   - columns that foreign keys equate become the same column, if their table is in the outermost FROM.
// Subqueries in conditions keep DISTINCT and their columns; subqueries in FROM keep everything. The comparison covers
// the components below and the tables of FROM as a bag. Of ON, only the keywords are compared.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "score/set_match/schema.hpp"

namespace trustsql {

// The components that are counted, in the evaluator's order.
enum class SetComponent : std::size_t {
  select,                // items, as a bag
  select_no_aggregates,  // the same, without the aggregate of a whole item
  where,                 // conditions, as a bag
  where_no_operators,    // their left sides alone
  group_by_no_having,    // columns without their tables, as a bag
  group_by,              // one item if there is GROUP BY: columns in order, and HAVING
  order_by,              // one item if there is ORDER BY: terms in order, direction, whether there is LIMIT
  connectives,           // AND and OR of WHERE, as a set
  set_operations,        // INTERSECT, UNION, EXCEPT, with the query after them
  keywords,              // where group having order asc desc limit except union intersect or not in like, as a set
};
inline constexpr std::array<std::string_view, 10> set_component_names = {
    "select", "select_no_agg", "where",  "where_no_op", "group_no_having",
    "group",  "order",         "and_or", "iuen",        "keywords"};

struct ComponentMatch {
  std::size_t gold = 0;     // number of items in the gold query
  std::size_t pred = 0;     // in the prediction
  std::size_t matched = 0;  // in both

  // The evaluator's score of one question, its "partial F1": 1 if all match. (Its accuracy is the mean of that over the
  // questions where pred > 0, its recall where gold > 0, its F1 their harmonic mean.)
  bool score() const { return gold == pred && matched == pred; }
  friend bool operator==(const ComponentMatch&, const ComponentMatch&) = default;
};

struct SetMatch {
  bool exact = false;
  std::array<ComponentMatch, set_component_names.size()> components = {};
  // Why the prediction could not be read; it then counts as an empty query.
  std::optional<std::string> unreadable = {};

  const ComponentMatch& operator[](SetComponent component) const {
    return components[static_cast<std::size_t>(component)];
  }
};

// Errors: invalid_argument if the gold query is beyond the evaluator's grammar.
Result<SetMatch> exact_set_match(std::string_view gold, std::string_view prediction, const set_match::Schema& schema);

}  // namespace trustsql
