// What a question leaves open.
//
// Unclear references: where one table refers to another by several columns, a question has to say which of them it
// means. "The sales of Chen Wu" may be those in which Wu buys or sells.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "semparse/candidates/ranking.hpp"

namespace trustsql::semparse {

// Two columns, the first used by the reading to join two tables, the second as good as that by what the question says.
// nullopt if there are none.
std::optional<std::pair<ColumnId, ColumnId>> unclear_reference(const QuestionView& view, const Candidate& candidate);

// Unclear roles: "the residents in the choir" may be its members, whom another table relates to it, rather than the one
// of club.president_id. A column that refers to rows in a role which the question does not name, by which the reading
// joins, compares or tests, and one that relates the same two tables otherwise; nullopt if there are none.
std::optional<std::pair<ColumnId, ColumnId>> unclear_role(const QuestionView& view, const Candidate& candidate);

// Unclear doers: "guests who were never reviewed" are no authors of reviews, "recruiters who never applied" have no
// applications of their own. The place of such a verb, and the table of what it does, where the reading takes the rows
// that have none; nullopt if people of one table alone do it.
std::optional<std::pair<std::size_t, TableId>> unclear_doers(const QuestionView& view, const Candidate& candidate);

// Unclear numbers: "how many hives do we have", where there is a table of hives, and where apiary.hives is a number of
// them. That column; nullopt unless the reading counts rows, or asks whether there are any.
std::optional<ColumnId> unclear_number(const QuestionView& view, const Candidate& candidate);

// Unclear dates: the visits of Dr Ash "in 2023" were then, whenever she began. A date or year by which the reading
// picks other rows than those that are asked for, though these have a date of their own, and that date; nullopt if
// there are none, or the question names the first.
std::optional<std::pair<ColumnId, ColumnId>> unclear_date(const QuestionView& view, const Candidate& candidate);

// Unclear places: "employees in Leeds" live there, or work in a branch there. Two columns that hold the value, the
// first used by the reading, the second of rows that those of the first refer to, or are related to by a table between
// them; nullopt if there are none, or the question names one of the two.
std::optional<std::pair<ColumnId, ColumnId>> unclear_place(const QuestionView& view, const Candidate& candidate);

// Unclear denials: "uninsured students" are those of whom a column says no, and perhaps those of whom it says nothing,
// and so are "guests who do not have the gold level". The column; nullopt if the reading denies no such column.
std::optional<ColumnId> unclear_denial(const QuestionView& view, const Candidate& candidate);

// Unclear rows: "judges", where there is a table of judges, and where judge is also a kind of rows of another table.
// The column of that kind; nullopt unless the reading returns or counts all rows of the first table.
std::optional<ColumnId> unclear_rows(const QuestionView& view, const Candidate& candidate);

}  // namespace trustsql::semparse
