// Lost relations: a word that relates a row which the question names to another one, where the reading takes the two
// for one: "the boss of Robert King", read as Robert King.
#pragma once

#include <cstddef>
#include <optional>

#include "semparse/candidates/candidates.hpp"
#include "semparse/candidates/ranking.hpp"

namespace trustsql::semparse {

// The place of such a word: the candidate asks for rows of a table that a value names, and leaves out a word between
// them ("boss of", "'s boss", "managed by"). nullopt if there is none. `explanation` is that of the candidate.
std::optional<std::size_t> lost_relation(const QuestionView& view, const Candidate& candidate,
                                         const Explanation& explanation);

}  // namespace trustsql::semparse
