// Whether the rows of the tables alone decide what a query gives, up to what counts as equal: the condition for proving
// anything of it.
#pragma once

#include <optional>
#include <vector>

#include "equiv/prover.hpp"

namespace trustsql::equiv {

// What in a query, of a plan as built from it, has no result to rely on, whatever rules make of it: a form that SQLite
// gets wrong (sqlite_bugs.hpp), or equal values that are merged and then told apart (merged_values.hpp). nullopt if
// there is nothing.
std::optional<ProofGap> find_unreliable_form(const plan::Plan& plan);

// Why it is not decided; nullopt if it is. What rests on `assume` is added to `assumptions`.
//
// Stricter than plan::order_dependence() where values that are equal but not the same are merged (1 and 1.0) and then
// told apart, less strict where such values only reach the result, for ties at a LIMIT between rows that do not differ
// in what is used of them, and for window functions that ties do not matter to.
std::optional<ProofGap> find_open_result(const plan::Plan& plan, const plan::Assume& assume,
                                         std::vector<plan::Assumption>& assumptions);

// Where a compound query, of a plan as built from it, has columns of different affinities, whose comparison SQLite
// leaves open; nullopt if nowhere. `only_values`: only in VALUES, of whose terms a plan does not say whether a unary
// plus has taken their affinity.
std::optional<ProofGap> find_undefined_types(const plan::Plan& plan, bool only_values);

}  // namespace trustsql::equiv
