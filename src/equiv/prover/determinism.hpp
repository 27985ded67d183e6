// Whether the rows of the tables alone determine the result of a query, up to what counts as equal: the precondition
// for proving anything about it.
#pragma once

#include <optional>
#include <vector>

#include "equiv/prover.hpp"
#include "plan/normaliser.hpp"

namespace trustsql::equiv {

// Why a query has no reliable result, whatever the rules do with it: it has a form that SQLite gets wrong
// (sqlite_bugs.hpp), merges equal values and then distinguishes them (merged_values.hpp), or depends on whether a value
// is still known to be JSON (json_subtypes.hpp). nullopt if there is no reason. `plan`: as built from the query.
// Assumptions from `assume` that rule a reason out are added to `assumptions`.
std::optional<ProofGap> find_unreliable_form(const plan::Plan& plan, const plan::Assume& assume,
                                             std::vector<plan::Assumption>& assumptions);

// Why the result of the query, in normal form, is not determined; nullopt if it is. Assumptions from `assume` that it
// relies on are added to `assumptions`.
//
// This is stricter than plan::order_dependence() if values that are equal but not identical (1 and 1.0) are merged
// and then distinguished. It is less strict if such values only reach the result, for ties at a LIMIT between rows
// that do not differ in the columns used, and for window functions that ties do not affect. Under Assume::ties, what
// ties leave open is taken as determined, unless rows are taken in an order that they have from further below
// (has_ties_of_ordered_rows() says so of the query as it was written). `same_reading`: both queries have the same
// reading_order().
std::optional<ProofGap> find_open_result(const plan::Normalised& normalised, const plan::Assume& assume,
                                         bool same_reading, std::vector<plan::Assumption>& assumptions);

// Whether a query takes the first of tied rows from rows that already have an order, which a subquery asked for or an
// outer join gives them, unless both queries have the same reading_order(), or which they have as groups or from a
// window, unless both have the same grouping_order(): the assumption about ties does not hold for those, whatever the
// rules do with the sort, the join or the groups. `plan`: as built from the query.
bool has_ties_of_ordered_rows(const plan::Plan& plan, bool same_reading, bool same_groups);

// Where it is open how a column compares, or what it holds: a compound query has columns of different affinities, or
// one for which Attribute::is_open says so; nullopt if nowhere. `plan`: as built from the query. That both queries have
// the same plan does not help: it does not tell where a unary plus, COLLATE or a row value stood, and SQLite does.
std::optional<ProofGap> find_undefined_types(const plan::Plan& plan);

}  // namespace trustsql::equiv
