// Light verbs: a question in which a verb says no more than that rows of two tables belong together, in the words of
// one that says that these have those; and without verbs and adverbs that say nothing beside their place.
//
//   Which films won at least two awards?        Which films have at least two awards?
//   venues that have not hosted a single show   venues that have no shows
//   How many tests did Ada Moe carry out?       How many tests does Ada Moe have?
//   How many farms keep goats?                  How many farms have goats?
//   How many hives do we have?                  How many hives are there?
//   plays that were produced more than once     plays that have more than one production
//   Which slopes are closed at the moment?      Which slopes are closed?
#pragma once

#include <vector>

#include "semparse/question/edits.hpp"
#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

// What to replace for the question to say so, in order and without overlap; empty if there is no such verb, or if the
// two tables are related in more than one way, or in a role that the verb need not mean.
std::vector<Edit> light_verb_edits(const QuestionView& view);

}  // namespace trustsql::semparse
