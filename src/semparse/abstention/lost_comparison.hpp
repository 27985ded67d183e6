// Lost comparisons: words that compare rows with each other, or say when, where the reading takes the row that they
// compare with for a condition, or leaves the time out.
#pragma once

#include <cstddef>
#include <optional>

#include "semparse/candidates/ranking.hpp"

namespace trustsql::semparse {

// The place of such a word; nullopt if there is none:
//
//   "younger than Ada Moe"              `than` in front of a value that a column is compared with
//   "another trainer than Ada Moe",
//   "a different town from Ada Moe"     `different` where the row is a condition
//   "recorded in 2020 but aired later"  `but` that denies nothing, read as EXCEPT
//   "planted in summer"                 a season, where something else is called so
//   "which team did he play for before" `before` at the end
//   "which team did he play for first"  `first` where the reading takes the first of nothing
//   "which team will he play for"       `will`
//   "travellers from Dover"             a place, read as a person's name
//   "which field had the biggest
//    harvest"                           `biggest` of harvests, where the reading takes the biggest field
//   "no phone but an email"             `but`, where the reading returns the email
//   "who does Ada Moe coach"            a value that the reading returns as it is
//   "who leads Ada Moe"                 `who`, where the reading returns no people
std::optional<std::size_t> lost_comparison(const QuestionView& view, const Candidate& candidate);

}  // namespace trustsql::semparse
