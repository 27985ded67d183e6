// The laws of the normaliser's rules about operators, read again: for each rule by name whether what it put in the
// place of an operator has the same rows there. Each looks at the two trees alone; how the rule came from one to the
// other, and what it asked before, is no concern of it.
#pragma once

#include <span>
#include <string_view>

#include "equiv/checker/knowledge.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

// What is made of the rows of a relation above it.
struct Demand {
  enum class Order : std::uint8_t { none, shown, used };

  plan::AttributeSet needed{};  // columns that something looks at
  bool places = true;           // columns go by their place
  bool repeats = true;          // how often a row is there matters
  Order order = Order::used;    // whether their order shows in the result, or decides which rows there are
};

// That of `input`, which stands in `rel`.
Demand demand_of_input(const plan::Rel& rel, const plan::Rel& input, const Demand& demand);
// That of the relation in a subquery `expr`.
Demand demand_of_subquery(const plan::Expr& expr);

// A rewriting of an operator.
struct Change {
  const plan::Rel& before;
  const plan::Rel& after;
  const Given& given;
  const Demand& demand;
  const plan::Renaming& renaming;  // made in the whole tree afterwards
};

struct Law {
  std::string_view rule;
  bool (*holds)(const Change& change);
};

// One list for each file.
std::span<const Law> laws_of_filters();          // filters, projections, sets
std::span<const Law> laws_of_joins();            // joins that become other joins
std::span<const Law> laws_of_redundant_joins();  // joins that go
std::span<const Law> laws_of_groups();           // aggregates
std::span<const Law> laws_of_having();           // conditions on groups
std::span<const Law> laws_of_merging();          // aggregates over aggregates and joins
std::span<const Law> laws_of_orders();           // sorting, limits, duplicates
std::span<const Law> laws_of_subqueries();       // Applies

// `a`, renamed so that it produces the attributes that `b` produces in the same places; nullopt if it has other
// operators.
std::optional<plan::Renaming> renaming_of_copy(const plan::Rel& a, const plan::Rel& b);

// What is in `all`, but not in `some`; nullopt if `some` has more.
std::optional<std::vector<plan::Expr>> difference(const std::vector<plan::Expr>& all,
                                                  const std::vector<plan::Expr>& some);

// The conditions of a Filter, none of another operator; and what it filters.
const std::vector<plan::Expr>& conditions_of(const plan::Rel& rel);
const plan::Rel& unfiltered(const plan::Rel& rel);

// The columns that a Project hands on or computes; nullptr if `id` is none of its columns.
const plan::Expr* item_of(const plan::Project& project, plan::AttributeId id);

// Whether `after`, an aggregate that has a row of NULLs where `before` has none, is the same as a value.
bool is_same_scalar(const plan::Rel& before, const plan::Rel& after, const Given& given);

// The laws of rules that rewrite subqueries in expressions: whether `after` is the same value as `before`, or with
// `truth_only` true of the same rows.
bool is_same_subquery(std::string_view rule, const plan::Expr& before, const plan::Expr& after, bool truth_only,
                      const plan::AttributeSet& non_null, const Given& given);

// Whether `expr` gives the same each time it is evaluated, and reads no table.
bool is_fixed(const plan::Expr& expr);

}  // namespace trustsql::equiv::checker
