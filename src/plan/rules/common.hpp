// Functions that several rules need.
#pragma once

#include <map>

#include "plan/evaluate.hpp"
#include "plan/rule.hpp"

namespace trustsql::plan::rules {

// Whether the form of the expression implies that its value is 0, 1 or NULL.
bool is_boolean(const Expr& expr);

// Whether `expr` may be evaluated twice, or not at all, instead of once.
bool is_repeatable(const Expr& expr);

// Whether a second copy of `expr` hardly matters: rules that copy larger expressions would double them again and again.
bool is_short(const Expr& expr);

// Whether copies of `expr` may replace a column: it is repeatable and small.
bool is_copyable(const Expr& expr);

// Whether columns in `expr` may be replaced by small expressions without making it too high.
bool may_grow(const Expr& expr);

// Whether the literal is certainly true, or certainly not true (0 or NULL).
bool is_true_literal(const Expr& expr);
bool is_untrue_literal(const Expr& expr);

// Whether `expr` is the integer literal `wanted`.
bool is_integer_literal(const Expr& expr, std::int64_t wanted);

// The parts of `x op literal`, mirrored if the literal is on the left; nullopt for other expressions.
struct Bound {
  const Expr* operand = nullptr;
  CompareOp op = CompareOp::equal;
  const Value* value = nullptr;
  Comparison how{};
};
std::optional<Bound> as_bound(const Expr& expr);

// The conditions of a Filter, Join or Apply, which must all hold; nullptr for other operators.
std::vector<Expr>* conjuncts_of(Rel& rel);

// Whether the projection computes nothing, but only passes columns on.
bool passes_all_through(const Project& project);

// What is below such projections.
Rel& below_renamings(Rel& rel);
const Rel& below_renamings(const Rel& rel);

// Whether the condition tests or compares columns as they are: for values that are equal but not identical, such as 1
// and 1.0, it is the same.
bool compares_columns(const Expr& condition, const Plan& plan);

// The columns in which the rows of a group agree under BINARY, ignoring the key `without`.
AttributeSet agreed_columns(const Aggregate& aggregate, const GroupKey* without = nullptr);

// Whether the rows of `rel` are those of the query, below operators that only shape them.
bool is_result(const Rel& rel, const Plan& plan);

// The condition whose values, 0 and 1, the call adds up over the rows of `input`; nullopt if its argument is something
// else. Precondition: the call has one argument.
std::optional<Expr> summed_condition(const AggregateCall& call, const Rel& input, RuleContext& context);

// substr(text, first, length); nullopt if SQLite has no such function.
std::optional<Expr> part_of_text(Expr text, std::int64_t first, std::int64_t length);

// Puts a projection above `rel` that has the columns `ids`: those in `calculated` are calculated, the others passed on.
void project_above(Rel& rel, const std::vector<AttributeId>& ids, const std::map<AttributeId, Expr>& calculated);

// The prefix that LIKE 'prefix%' or GLOB 'prefix*' asks for; nullopt if it asks for something else, or if letter case
// might matter to LIKE.
std::optional<std::string> prefix_of_pattern(const Like& like);

// The column that the condition fixes, and its value: of a column of integers an integer, and so on; or NULL. nullopt
// for another condition.
std::optional<std::pair<AttributeId, Expr>> pinned_by(const Expr& condition, const Plan& plan);

// A new call of count(*), with the attribute `like` as its model; nullopt if SQLite has no such function.
std::optional<AggregateCall> count_of_rows(AttributeId like, Plan& plan);

// The conditions that the FILTERs of all calls have, except random ones.
std::vector<Expr> common_filters(const std::vector<AggregateCall>& calls);
// Removes these conditions from the FILTERs of all calls.
void drop_filters(std::vector<AggregateCall>& calls, const std::vector<Expr>& conditions);

// The call of the aggregate function `name`, without DISTINCT, whose result the expression is; nullptr if it is none.
const AggregateCall* call_in(const Aggregate& aggregate, const Expr& expr, std::string_view name);

// Whether it is SQLite's COALESCE or IFNULL.
bool is_coalesce(const Function& function);

// The groups whose columns `rel`, a Project or Filter, reads, perhaps through conditions on them; nullptr if it reads
// something else.
Aggregate* groups_below(Rel& rel);

// Whether the condition on groups is not true if all calls, which are basic, have the results that they have over no
// rows.
bool is_untrue_over_no_rows(const Expr& conjunct, const std::vector<AggregateCall>& calls, const Plan& plan);

}  // namespace trustsql::plan::rules
