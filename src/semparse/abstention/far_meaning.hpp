// Far meanings: a word that the reading takes for something that it need not mean. "Surgeons" are doctors, but not all
// doctors; a "rating" is no market value.
#pragma once

#include <optional>
#include <string>

#include "semparse/candidates/ranking.hpp"

namespace trustsql::semparse {

struct FarMeaning {
  std::size_t word = 0;  // its place in the question
  std::string name{};    // what the reading takes it for, in words
};

// The first word of the question that the reading takes for a name of a broader meaning, or for a part of a name that
// only its synonyms share with it, where nothing else in the reading stands for the word. nullopt if there is none.
std::optional<FarMeaning> far_meaning(const QuestionView& view, const Explanation& explanation);

}  // namespace trustsql::semparse
