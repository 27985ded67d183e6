// Unclear references: where one table refers to another by several columns, a question has to say which of them it
// means. "The sales of Chen Wu" may be those in which Wu buys or sells.
#pragma once

#include <optional>
#include <utility>

#include "semparse/candidates/ranking.hpp"

namespace trustsql::semparse {

// Two columns, the first used by the reading to join two tables, the second as good as that by what the question says.
// nullopt if there are none.
std::optional<std::pair<ColumnId, ColumnId>> unclear_reference(const QuestionView& view, const Candidate& candidate);

}  // namespace trustsql::semparse
