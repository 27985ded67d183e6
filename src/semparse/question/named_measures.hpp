// Named measures: a question in which adjectives, amounts and verbs stand for columns, in the words of one that names
// these columns. It means the same where only one column can be meant.
//
//   the most expensive room type          the room type with the highest base price
//   Which film is the longest?            Which film has the highest runtime?
//   the exhibition with most visitors     the exhibition with the highest visitor count
//   When was Ada Moe hired?               What is Ada Moe's hire date?
//   guests who have never booked          guests who have no bookings
#pragma once

#include <vector>

#include "semparse/question/edits.hpp"
#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

// What to replace for the question to call columns by their whole names, in order and without overlap: "unit price" for
// the price, where only one column can be meant.
std::vector<Edit> column_edits(const QuestionView& view);

// What to replace for the question to name the columns that it measures by, in order and without overlap; empty if
// there is none of which the column is beyond doubt.
std::vector<Edit> measure_edits(const QuestionView& view);

}  // namespace trustsql::semparse
