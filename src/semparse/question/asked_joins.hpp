// Which of several join edges between the same two tables a question speaks of: "flights that arrive in Oslo" follows
// flight.destination to the airport, "flights from Oslo" flight.origin.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

// The edges of the domain that the question chooses among those that join the same two tables, sorted. An edge is
// chosen by the name of its column, or by words of direction before a value of the table that it refers to (or before
// that table's name, or anywhere, if they are verbs). Empty where no tables have several edges, or the question says
// nothing.
std::vector<std::size_t> asked_joins(const QuestionView& view);

// The edges from the same table to the same table, in order, with `edge` itself.
std::vector<std::size_t> parallel_edges(const Domain& domain, std::size_t edge);

// The only one of parallel edges whose column has the direction that the word at `position` says: "from", "arrive".
std::optional<std::size_t> edge_of_direction(const QuestionView& view, const std::vector<std::size_t>& edges,
                                             std::size_t position);

// Whether the word is a verb or noun of direction: "arrive", "departure".
bool says_direction(const Word& word);

}  // namespace trustsql::semparse
