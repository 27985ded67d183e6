// Aggregate calls and keys, for the laws of aggregates.
#pragma once

#include <initializer_list>
#include <string_view>

#include "plan/rel.hpp"

namespace trustsql::equiv::checker {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names);

// Whether the call ignores NULLs and the order of the rows.
bool skips_nulls(const plan::AggregateCall& call);
// The result of such a call over no rows.
Value value_over_no_rows(const plan::AggregateCall& call);

// What a row contributes to the call: its argument, or NULL if its filter excludes the row.
plan::Expr contribution(const plan::AggregateCall& call);

// The key or call that produces `id`; nullptr if there is none.
const plan::GroupKey* key_of(const plan::Aggregate& aggregate, plan::AttributeId id);
const plan::AggregateCall* call_of(const plan::Aggregate& aggregate, plan::AttributeId id);

}  // namespace trustsql::equiv::checker
