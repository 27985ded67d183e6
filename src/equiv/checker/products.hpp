// What the laws of aggregates over joins share: inner joins and filters as products.
#pragma once

#include <vector>

#include "equiv/checker/knowledge.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv::checker {

// Splits `rel` into the relations that inner joins multiply and the conditions of joins and filters; adds to both.
void split_product(const plan::Rel& rel, std::vector<const plan::Rel*>& leaves, std::vector<plan::Expr>& conditions);
// The product of `leaves`, at least one, filtered.
plan::Rel product(const std::vector<const plan::Rel*>& leaves, std::vector<plan::Expr> conditions);

// Whether both lists have equal relations in the same order.
bool are_equal(const std::vector<const plan::Rel*>& a, const std::vector<const plan::Rel*>& b);

// What is below projections that only pass columns on.
const plan::Rel& below_renamings(const plan::Rel& rel);

// Whether the call is one of COUNT, SUM, AVG, TOTAL, MIN and MAX.
bool is_basic_call(const plan::AggregateCall& call);

// Whether conditions of `rel` fix the column to the constant `value`.
bool is_pinned(plan::AttributeId id, const plan::Expr& value, const plan::Rel& rel, const Given& given);

}  // namespace trustsql::equiv::checker
