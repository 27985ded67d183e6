// Checks: what speaks against the chosen reading beside the evidence that it was chosen by: the rules of grounding that
// its query breaks, and where the words stand that it leaves unexplained.
#pragma once

#include <vector>

#include "semparse/candidates/candidates.hpp"
#include "semparse/database/value_index.hpp"
#include "semparse/grounding/grounding.hpp"
#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

// Trees name a check by its number: what changes them changes model_file_version too.
inline constexpr std::size_t word_checks = 9;
inline constexpr std::size_t confidence_check_count = grounding_rules + 3 + word_checks;

// The checks of a candidate; `values` are those of the database of `view`. The first one says whether the first noun
// that names something is a plural: 1 or 0, -1 if there is none.
std::vector<float> confidence_checks(const QuestionView& view, const ValueIndex& values, const Candidate& candidate);

}  // namespace trustsql::semparse
