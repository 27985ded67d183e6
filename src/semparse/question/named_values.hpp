// Named values: a question in which values and dates stand without the names of their columns, in the words of one that
// names them. It means the same where a value can be of one column only.
//
//   the average budget of the dramas    the average budget of the films whose genre is 'drama'
//   names of the French producers       names of the producers whose country is 'France'
//   List the directors from Mexico.     List the directors whose country is 'Mexico'.
//   Which guests are writers?           Which guests whose occupation is 'writer'?
//   How many visits in May 2024?        How many visits whose date is in May 2024?
//   Who owns Rex?                       Who owns the dog Rex?
//   How many private lessons are there? how many lessons are private
#pragma once

#include <vector>

#include "semparse/question/edits.hpp"
#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

// What to replace for the question to name the columns of its values, in order and without overlap; empty if there is
// none of which the column is beyond doubt.
std::vector<Edit> value_edits(const QuestionView& view);

}  // namespace trustsql::semparse
