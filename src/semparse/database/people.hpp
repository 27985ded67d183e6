// People: tables whose rows are people, by what the lexicon says of their names, and where they live.
#pragma once

#include <string>

#include "semparse/database/domain.hpp"

namespace trustsql::semparse {

// Whether a noun, in its base form, is a word for a person, or for people: "customer", "staff".
bool is_word_for_people(const std::string& noun);

// Whether the rows of a table are people, by its name.
bool are_people(const Domain& domain, TableId table);

// Whether rows of `other` refer to people of `table`, and to no other people.
bool are_only_people_of(const Domain& domain, TableId table, TableId other);

// The only table of people whose rows have names; `nothing` if there is none, or more than one.
TableId people_of(const Domain& domain);

// Whether the column may say where people live, by its name: a place, and not one of birth or of work.
bool is_residence(const DomainColumn& column);

}  // namespace trustsql::semparse
