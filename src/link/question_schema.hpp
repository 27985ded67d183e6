// The schema that a question implies, by embedded means: what takes the place of CRUSH4SQL's hallucination (3.1) where
// there is no language model.
//
// Phrases of content words become tables and columns: those that name things in the plural, and what follows "of",
// "for", "in" or owns something, are tables; the others are columns of the table that they stand near. What is only
// mentioned by value is generalised as far as its form tells: a year, a date, a name. Question words say what kind of
// column is asked for.
//
//   "What are the names of all stations with a latitude smaller than 37.5?"  stations(name, latitude)
//   "Who directed the films of 2010?"                                        films(directed, year, name)
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trustsql::link {

// Relations as probes_of() takes them; empty for a question without a word of content. Reads at most its first 4,096
// bytes.
std::vector<std::string> schema_of_question(std::string_view question);

}  // namespace trustsql::link
