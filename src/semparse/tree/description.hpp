// Description: a tree in words, so that people can check how their question was understood.
//
//   SELECT name FROM singer WHERE country = 'France' ORDER BY age DESC LIMIT 1
//   the name of the singer whose country is 'France', with the highest age
#pragma once

#include <string>

#include "semparse/database/domain.hpp"
#include "semparse/tree/tree.hpp"

namespace trustsql::semparse {

// An English phrase. Precondition: `tree` is a tree of `domain`.
std::string describe(const Domain& domain, const Tree& tree);

// Whether there is a noun for the rows of a table; not so for the role of a column such as ReportsTo.
bool has_noun(const Domain& domain, TableId table);

// What the rows of a table are called: "order item", or "'ReportsTo' employee" where there is no noun. The plural of a
// noun.
std::string noun_of(const Domain& domain, TableId table);
std::string plural_of(std::string noun);

}  // namespace trustsql::semparse
