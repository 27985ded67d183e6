// What a question leaves open.
//
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

// Unclear places: "employees in Leeds" live there, or work in a branch there. Two columns that hold the value, the
// first used by the reading, the second of rows that those of the first refer to, or are related to by a table between
// them; nullopt if there are none, or the question names one of the two.
std::optional<std::pair<ColumnId, ColumnId>> unclear_place(const QuestionView& view, const Candidate& candidate);

// Unclear denials: "uninsured students" are those of whom a column says no, and perhaps those of whom it says nothing.
// The column; nullopt if the reading denies no such column.
std::optional<ColumnId> unclear_denial(const QuestionView& view, const Candidate& candidate);

// Unclear people: "the voice of Hughes", where there is a first name as well. The last name by which alone the reading
// picks the rows of one table; nullopt if it does not. Several rows of it are several people then.
std::optional<std::string> last_name_alone(const QuestionView& view, const Candidate& candidate);

// Unclear rows: "judges", where there is a table of judges, and where judge is also a kind of rows of another table.
// The column of that kind; nullopt unless the reading returns or counts all rows of the first table.
std::optional<ColumnId> unclear_rows(const QuestionView& view, const Candidate& candidate);

}  // namespace trustsql::semparse
