// The laws of the normaliser's rules about operators, implemented again: for each rule by name, whether the
// replacement of an operator has the same rows in its place. A law looks only at the two trees, not at how the rule
// got from one to the other or what it checked.
#pragma once

#include <span>
#include <string_view>

#include "equiv/checker/knowledge.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

// What the operators above a relation use of its rows.
struct Demand {
  enum class Order : std::uint8_t { none, shown, used };

  plan::AttributeSet needed{};  // columns that are used
  bool places = true;           // columns are identified by position
  bool repeats = true;          // the number of duplicates of a row matters
  Order order = Order::used;    // whether the order of rows shows in the result, or decides which rows there are
};

// The demand on `input`, an input of `rel`.
Demand demand_of_input(const plan::Rel& rel, const plan::Rel& input, const Demand& demand);
// The demand on the relation in the subquery `expr`.
Demand demand_of_subquery(const plan::Expr& expr);

// A rewrite of an operator.
struct Change {
  const plan::Rel& before;
  const plan::Rel& after;
  const Given& given;
  const Demand& demand;
  const plan::Renaming& renaming;  // applied to the whole tree afterwards
};

struct Law {
  std::string_view rule;
  bool (*holds)(const Change& change);
};

// One list for each file.
std::span<const Law> laws_of_filters();            // filters, projections, sets
std::span<const Law> laws_of_joins();              // joins that become other joins
std::span<const Law> laws_of_redundant_joins();    // joins that are removed
std::span<const Law> laws_of_groups();             // aggregates
std::span<const Law> laws_of_having();             // conditions on groups
std::span<const Law> laws_of_asked_rows();         // conditions and counts that ask for rows
std::span<const Law> laws_of_counts();             // counts and existence
std::span<const Law> laws_of_merging();            // aggregates over aggregates and joins
std::span<const Law> laws_of_joined_aggregates();  // aggregates over joins of partial aggregates
std::span<const Law> laws_of_single_rows();        // relations of one row, groups by the same keys
std::span<const Law> laws_of_orders();             // sorting, duplicates
std::span<const Law> laws_of_windows();            // windows
std::span<const Law> laws_of_row_numbers();        // windows over rows that keys tell apart
std::span<const Law> laws_of_limits();             // limits
std::span<const Law> laws_of_subqueries();         // Apply operators
std::span<const Law> laws_of_ignored_rows();       // rows that aggregates do not use
std::span<const Law> laws_of_unions();             // inputs of UNION ALL
std::span<const Law> laws_of_null_tests();         // tests for NULL that other conditions make superfluous
std::span<const Law> laws_of_calculations();       // calculations with the results of aggregates

// The renaming under which `a` produces the same attributes as `b` in the same positions; nullopt if the operators
// differ.
std::optional<plan::Renaming> renaming_of_copy(const plan::Rel& a, const plan::Rel& b);

// The elements of `all` that are not in `some`; nullopt if `some` has more.
std::optional<std::vector<plan::Expr>> difference(const std::vector<plan::Expr>& all,
                                                  const std::vector<plan::Expr>& some);

// The conditions of a Filter (none for another operator), and the input of a Filter (the relation itself otherwise).
const std::vector<plan::Expr>& conditions_of(const plan::Rel& rel);
const plan::Rel& unfiltered(const plan::Rel& rel);

// The expression of the column `id` of a Project; nullptr if it has no such column.
const plan::Expr* item_of(const plan::Project& project, plan::AttributeId id);

// Whether `after`, an aggregate that has a row of NULLs where `before` has no row, is the same as a scalar value.
bool is_same_scalar(const plan::Rel& before, const plan::Rel& after, const Given& given);

// Whether `after`, an existence test, says the same as `before`, which compares a count.
bool is_same_count_test(const plan::Expr& before, const plan::Expr& after, const Given& given);

// Whether `after` has the same value as `before`, given which of the relations in its existence tests show that another
// has rows.
bool is_same_absence(const plan::Expr& before, const plan::Expr& after, bool truth_only, const Given& given);

// Whether `after` says the same as `before`, which tests the existence of rows of a union or of alternatives.
bool is_same_existence_of_union(const plan::Expr& before, const plan::Expr& after);

// The laws of rules that rewrite subqueries in expressions: whether `after` has the same value as `before`, or with
// `truth_only` is true for the same rows.
bool is_same_subquery(std::string_view rule, const plan::Expr& before, const plan::Expr& after, bool truth_only,
                      const plan::AttributeSet& non_null, const Given& given);

// Whether the expressions of two operators are equal but for parts that may replace each other: `replaced(a, b)` says
// whether `b` may stand for `a`; nullopt: if the operands of `b` may stand for those of `a`.
bool same_expressions(const plan::Rel& a, const plan::Rel& b,
                      FunctionRef<std::optional<bool>(const plan::Expr&, const plan::Expr&)> replaced);

// Whether `expr` has the same value each time it is evaluated, and reads no table.
bool is_fixed(const plan::Expr& expr);

}  // namespace trustsql::equiv::checker
