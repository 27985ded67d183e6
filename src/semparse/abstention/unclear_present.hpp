// Unclear presents: the workers "we have" may be all that are in the table, or those of whom it does not say that they
// have left.
#pragma once

#include <optional>

#include "semparse/candidates/ranking.hpp"

namespace trustsql::semparse {

// The column that says when rows end, some of which have none, where the question speaks of what there is now: of rows
// that "we have", or that are related now by rows that end ("who rents this flat"). nullopt if there is none, or the
// reading uses it.
std::optional<ColumnId> unclear_present(const QuestionView& view, const Candidate& candidate);

// "How many stations were there in 2019": the date at which rows begin or end, by which the reading picks those of that
// year, though others were there as well. nullopt if there is none: exams were there when they took place.
std::optional<ColumnId> unclear_then(const QuestionView& view, const Candidate& candidate);

}  // namespace trustsql::semparse
