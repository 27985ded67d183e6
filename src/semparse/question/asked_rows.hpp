// Asked rows: whether a question asks for the rows of a table, and not for a column of it: "which doctors ...",
// "appointments with a fee over 100". The answer is then what names these rows.
#pragma once

#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

// The table whose whole name comes first in the question; `nothing` if there is none.
TableId asked_table(const QuestionView& view);

// Whether the question asks for rows of `table`: it names the table before any column, and not as the owner of one
// ("the doctor's name") or as what is counted.
bool asks_for_rows(const QuestionView& view, TableId table);

}  // namespace trustsql::semparse
