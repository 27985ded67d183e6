// Composed skeletons: forms that are made of parts which people use, though not all of them together in the questions
// that the parser was trained on.
//
// "The five customers with the greatest total, with that total" has a group, a sum that is returned, the order by that
// sum and a limit. Training questions have each of these parts, and some that have three of them. What a question says
// speaks for parts (fragments_of()), so that the whole can be found once it is among the forms to choose from.
#pragma once

#include <vector>

#include "semparse/tree/skeleton.hpp"

namespace trustsql::semparse {

// Of amounts (count, sum, avg, max, min): those of groups, alone and in pairs; groups by what an amount of them is, or
// how many rows they have; groups, or the first of them, in the order of an amount; pairs of amounts of all rows. Each
// with and without conditions on values. Sorted, none twice.
std::vector<Skeleton> composed_skeletons();

}  // namespace trustsql::semparse
