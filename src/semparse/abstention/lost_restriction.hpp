// Lost restrictions: a word that says which rows are meant, where the reading takes all of them: "the available
// trucks", read as the trucks.
#pragma once

#include <cstddef>
#include <optional>

#include "semparse/candidates/ranking.hpp"

namespace trustsql::semparse {

// The place of such a word: it stands in front of a table that the reading uses, or behind it and "are", and nothing in
// the reading stands for it. The vocabulary knows such words as idle, since questions of training say "all available
// products" and mean all. nullopt if there is none.
std::optional<std::size_t> lost_restriction(const QuestionView& view, const Explanation& explanation);

}  // namespace trustsql::semparse
