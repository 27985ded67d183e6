// Window functions and the groups that their partitions are.
#pragma once

#include <cstddef>

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

// The columns that the call partitions by, each once; nullopt if it partitions by anything else than columns in
// `inside` under BINARY.
std::optional<std::vector<AttributeId>> partition_of(const WindowCall& call, const AttributeSet& inside);

// Whether there is a window function in `rel`.
bool has_window(const Rel& rel);

// The columns that the call partitions or orders by under BINARY.
AttributeSet columns_of_order(const WindowCall& call);

// Whether the call is COUNT, SUM, AVG, TOTAL, MIN or MAX of all rows of its partition, one of columns in `inside`.
bool is_of_partition(const WindowCall& call, const AttributeSet& inside);

// The same aggregate over a group whose columns are called as `copies` says; nullopt if the function table lacks it.
std::optional<AggregateCall> as_aggregate(WindowCall call, const Renaming& copies);

// Whether the condition keeps the rows in which `rank`, an integer from 1 on, is 1.
bool keeps_first(const Expr& conjunct, AttributeId rank);

// Puts `join`, of the window's input with what its right side says, in the place of the window in `rel`, a filter above
// a window of one call; the value of that is 1 then. Removes the condition with this number, which keeps such rows.
void join_first_rows(Rel& rel, std::ptrdiff_t condition, Join join);

// MAX or MIN, whichever of the values of `key`, a column of `input`, comes first; nullptr if the key is another
// expression or not compared under BINARY, or if NULLs come first.
const SqlFunction* first_in_order(const SortKey& key, const Rel& input, RuleContext& context);

// A call of `function`, MIN or MAX, with the column `copy` of its input as argument and a new attribute like
// `original`.
AggregateCall extreme_call(const SqlFunction& function, AttributeId copy, AttributeId original, Plan& plan);

// A group for each partition of a window, without calls, over a copy of the window's input.
struct PartitionGroups {
  Aggregate groups;
  Renaming copies;  // the columns of the input in the copy
};
// Groups a copy of `input` by the columns `partition` and by `shown`; nullopt if the former do not determine the
// latter.
std::optional<PartitionGroups> group_partition(const Rel& input, const std::vector<AttributeId>& partition,
                                               const AttributeSet& shown, RuleContext& context);

}  // namespace trustsql::plan::rules
