// Functions that several rules need.
#pragma once

#include "plan/evaluate.hpp"
#include "plan/rule.hpp"

namespace trustsql::plan::rules {

// Whether the form of the expression implies that its value is 0, 1 or NULL.
bool is_boolean(const Expr& expr);

// Whether `expr` may be evaluated twice, or not at all, instead of once.
bool is_repeatable(const Expr& expr);

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

// What is below projections that only pass columns on.
Rel& below_renamings(Rel& rel);
const Rel& below_renamings(const Rel& rel);

// The columns in which the rows of a group agree under BINARY, ignoring the key `without`.
AttributeSet agreed_columns(const Aggregate& aggregate, const GroupKey* without = nullptr);

}  // namespace trustsql::plan::rules
