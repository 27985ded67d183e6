// Set phrases: what people say out of habit, in the words of a question that says it plainly.
//
//   Hi, which rooms are free?                    Which rooms are free?
//   Who is our youngest member?                  Who is the youngest member?
//   the oldest station that we've got            the oldest station
//   members who live in either Leeds or York     members who live in Leeds or York
//   trainers without any class                   trainers without classes
//   number of bookings through each channel      number of bookings for each channel
//   players in the league                        players (where the database knows of no league)
//   rooms on the second floor                    rooms on floor 2
//   How much has been donated since 2020?        What is the total amount of the donations since 2020?
#pragma once

#include <vector>

#include "semparse/question/edits.hpp"
#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

// What to replace, in order and without overlap; empty if there is no such phrase.
std::vector<Edit> set_phrase_edits(const QuestionView& view);

}  // namespace trustsql::semparse
