// The schema that a question implies, derived without a language model: the substitute for CRUSH4SQL's hallucination
// (3.1) if none is configured.
//
// Phrases of content words become tables and columns: plural phrases, phrases after "of", "for" or "in", and possessors
// are tables; the others are columns of the nearest table. Values are generalised by their form: to a year, a date, a
// name. Question words determine the kind of column that is asked for.
//
//   "What are the names of all stations with a latitude smaller than 37.5?"  stations(name, latitude)
//   "Who directed the films of 2010?"                                        films(directed, year, name)
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trustsql::link {

// Returns relations in the form for probes_of(); empty for a question without content words. Reads at most the first
// 4,096 bytes.
std::vector<std::string> schema_of_question(std::string_view question);

}  // namespace trustsql::link
