// Converted units: an amount of a question in the unit of the only column that it may be compared with.
//
//   films longer than two hours        films longer than 120 minutes, where lengths are in minutes alone
//   parcels heavier than 1.5 kg        parcels heavier than 1500 grams
//   classes that last over an hour     classes that last over 60 minutes
//   products over 5 dollars            products over 500 cents
#pragma once

#include <vector>

#include "semparse/question/edits.hpp"
#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

// What to replace, in order and without overlap. None for a unit that a column has, or where columns have several that
// it could become.
std::vector<Edit> unit_edits(const QuestionView& view);

}  // namespace trustsql::semparse
