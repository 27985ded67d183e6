// In which order a query reads its tables, as far as the query decides it.
#pragma once

#include <optional>
#include <string>

#include "plan/plan.hpp"

namespace trustsql::equiv {

// The tables and subqueries in the order in which the query writes them, with the operators that combine them, and the
// columns of the terms of an OR that are looked up in indexes. SQLite reads the left side of a LEFT JOIN first,
// whichever table is smaller, and so on; so the rows of two queries with the same joins and equal texts come in the
// same order. Filters, columns and sorts are left out. nullopt if the text would not tell: where a table is read twice,
// or rows are written out. `plan`: as built from the query.
std::optional<std::string> reading_order(const plan::Plan& plan);

// By which columns the query groups its rows and divides them for window functions, in the order in which it writes
// them: SQLite sorts by these, and groups come in this order, or against it where ORDER BY has as many terms. Two
// queries with equal texts have their groups in the same order; nullopt if that is not known, since a term is no column
// of a table, or a table is read twice. `plan`: as built from the query.
std::optional<std::string> grouping_order(const plan::Plan& plan);

// Whether SQLite may look two terms of an OR up in indexes, in the order in which the query writes them.
bool is_looked_up(const plan::Or& choice, const plan::Plan& plan);

}  // namespace trustsql::equiv
