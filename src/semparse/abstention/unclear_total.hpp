// Unclear totals: "hives that gave less than 3 kg" may be those with such a harvest, or those whose harvests come to
// less than that together.
#pragma once

#include <optional>

#include "semparse/candidates/ranking.hpp"

namespace trustsql::semparse {

// An amount by which the reading picks or orders rows that other rows refer to, one by one, though the question does
// not speak of these: harvest.kg of hives. nullopt if there is none.
std::optional<ColumnId> unclear_total(const QuestionView& view, const Candidate& candidate);

// "The dog that walked the most" did so most often, or longest: an amount of the rows that the reading counts, where
// the question ends so. nullopt if there is none.
std::optional<ColumnId> unclear_most(const QuestionView& view, const Candidate& candidate);

}  // namespace trustsql::semparse
