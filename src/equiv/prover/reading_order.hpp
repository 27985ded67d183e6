// In which order a query reads its tables, as far as the query decides it.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace trustsql::equiv {

// The tables and subqueries in the order in which the query writes them, with the operators that combine them. SQLite
// reads the left side of a LEFT JOIN first, whichever table is smaller, and so on; so the rows of two queries with the
// same outer joins and equal texts come in the same order. Filters, columns and sorts are left out. `plan`: as built
// from the query.
std::string reading_order(const plan::Plan& plan);

}  // namespace trustsql::equiv
