// Graded columns: which columns "the cheapest", "older than" or "longest first" may be about.
#pragma once

#include <cstddef>
#include <vector>

#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

// The columns that the adjective of the superlative or comparative at `at` may be about: of the tables that the
// question names, if they have any; for words of time those of all tables. None if that is not known.
std::vector<ColumnId> graded_columns(const QuestionView& view, std::size_t at);

}  // namespace trustsql::semparse
