// The order-free form of a query: what may stand in any order is put in order, and what may have any name is numbered.
// Queries that differ only in spelling have the same form; people write down one meaning in many ways.
//
// Conjuncts, disjuncts, lists of literals, the operands of = and the tables of an inner join are put in order; ON
// becomes WHERE, > becomes <, and aliases become numbers, given by how the tables are used (colour refinement). No
// schema is needed, so equal forms are the same query, but the same query may have two forms.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trustsql::semparse {

struct OrderFreeForm {
  std::string text{};
  std::vector<std::uint32_t> literals{};  // where they stand in the query, in the order in which `text` has them
};

// nullopt if `sql` is not a query, or has a WITH clause.
std::optional<OrderFreeForm> order_free_form(std::string_view sql);

// Tells which queries are a given one, order and names apart.
class QueryMatcher {
 public:
  explicit QueryMatcher(std::string_view sql);
  // Quick for most queries that are another.
  bool matches(std::string_view other) const;

 private:
  std::string sql_;
  std::string tokens_;
  std::uint64_t sum_;
  mutable std::optional<std::string> form_{};  // empty if the query has none
};

}  // namespace trustsql::semparse
