// Other requests: a question that asks for the same in another form.
//
//   Show the names of all singers.      find, give, show the names of all singers; what are the names of all singers
//   number of flights                   what is the number of flights
//   How many parts have no price?       find the number of parts that have no price
//   Which teams have no players?        Which teams do not have any players?
//   teams with more than two players    teams that have more than two players
#pragma once

#include <string>
#include <vector>

#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

// Questions of the same meaning, at most seven; empty if the form of this one is not known.
std::vector<std::string> other_requests(const QuestionView& view);

}  // namespace trustsql::semparse
