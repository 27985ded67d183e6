// Named people: "who" in the words of a question for the only people who have what is asked for.
//
//   Who has the highest hourly rate?    Which technician has the highest hourly rate?
//   Who was hired before 2016?          Which technicians were hired before 2016?
//   Who teaches Everyday Spanish?       Which teacher teaches Everyday Spanish?
#pragma once

#include <vector>

#include "semparse/question/edits.hpp"
#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

// What to replace for the question to name the people, in order and without overlap; empty unless it asks who, and its
// verb is what people of one table do, or it names no table and the first column that it names is one of people alone.
std::vector<Edit> people_edits(const QuestionView& view);

}  // namespace trustsql::semparse
