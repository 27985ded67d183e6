// What several rules need.
#pragma once

#include "plan/evaluate.hpp"
#include "plan/rule.hpp"

namespace trustsql::plan::rules {

// Whether the value is 0, 1 or NULL by the nature of the expression.
bool is_boolean(const Expr& expr);

// Whether `expr` may be evaluated twice, or not at all, instead of once.
bool is_repeatable(const Expr& expr);

// Whether copies of `expr` may be put into the places of a column: repeatable and small.
bool is_copyable(const Expr& expr);

// Whether something small may be put into the places of columns in `expr`: whether it will not grow too high by that.
bool may_grow(const Expr& expr);

// Whether the literal is certainly true; certainly not true (0 or NULL).
bool is_true_literal(const Expr& expr);
bool is_untrue_literal(const Expr& expr);

// Whether `expr` is the integer `wanted`, written out.
bool is_integer_literal(const Expr& expr, std::int64_t wanted);

// Takes the literal out of `x op literal`, mirrored if it stands on the left; nullopt for other comparisons.
struct Bound {
  const Expr* operand = nullptr;
  CompareOp op = CompareOp::equal;
  const Value* value = nullptr;
  Comparison how{};
};
std::optional<Bound> as_bound(const Expr& expr);

// A list of conditions that hold together: the conjuncts of a Filter or an inner Join, the terms of an And.
std::vector<Expr>* conjuncts_of(Rel& rel);

}  // namespace trustsql::plan::rules
