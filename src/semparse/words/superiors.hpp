// Superiors: the words for the person that someone reports to, whatever the database calls the column.
#pragma once

#include <string_view>

#include "semparse/words/words.hpp"

namespace trustsql::semparse {

// Whether a column with this word as its role (Domain::role_words()) says to whom someone reports: "manager",
// "report" of reports_to.
bool is_superior_role(std::string_view word);
// "Boss", "managers".
bool names_superior(const Word& word);
// "Managed", "supervises".
bool says_superior(const Word& word);
// "Subordinates".
bool names_subordinate(const Word& word);

}  // namespace trustsql::semparse
