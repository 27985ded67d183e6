// Aggregate calls and keys, for the laws of aggregates.
#pragma once

#include <initializer_list>
#include <string_view>

#include "equiv/checker/knowledge.hpp"
#include "plan/rel.hpp"

namespace trustsql::equiv::checker {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names);

// Whether the call ignores NULLs and the order of the rows.
bool skips_nulls(const plan::AggregateCall& call);
// The result of such a call over no rows.
Value value_over_no_rows(const plan::AggregateCall& call);

// What a row contributes to the call: its argument, or NULL if its filter excludes the row.
plan::Expr contribution(const plan::AggregateCall& call);

// Whether the call is COUNT without DISTINCT.
bool is_plain_count(const plan::AggregateCall* call);
// 1 for a row that the count counts, otherwise 0.
plan::Expr counted_by(const plan::AggregateCall& count);

// Whether a row in which all of `nulls` are NULL adds nothing to the call, which ignores NULLs.
bool ignores_row_of_nulls(const plan::AggregateCall& call, const plan::AttributeSet& nulls, const Given& given);

// The groups below conditions on them; nullptr if there is another relation.
const plan::Aggregate* groups_under(const plan::Rel& rel);
// Whether `after` is `before`, groups under conditions, with more calls.
bool adds_calls(const plan::Rel& before, const plan::Rel& after);

// The key or call that produces `id`; nullptr if there is none.
const plan::GroupKey* key_of(const plan::Aggregate& aggregate, plan::AttributeId id);
const plan::AggregateCall* call_of(const plan::Aggregate& aggregate, plan::AttributeId id);

}  // namespace trustsql::equiv::checker
