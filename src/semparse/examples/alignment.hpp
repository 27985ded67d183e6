// Alignment of a question with the pattern of an example: which words of the question fill the pattern's slots, and
// which words one has and the other has not.
#pragma once

#include <optional>
#include <vector>

#include "semparse/examples/question_form.hpp"

namespace trustsql::semparse {

struct Alignment {
  float cost = 0;
  std::vector<WordSpan> slots{};     // for each slot: words of the question; empty if the pattern lacks the slot
  std::vector<std::size_t> extra{};  // words of the question that the pattern lacks
  std::vector<int> missing{};        // words of the pattern, by number, that the question lacks
};

// The cheapest alignment of reading `reading` with `items`; nullopt if a slot cannot be filled. A slot that stands
// twice in the pattern is filled by its first place, and the others must have the same words. `slots`: of the template.
std::optional<Alignment> align(const QuestionForm& question, std::size_t reading, const std::vector<int>& items,
                               const std::vector<TemplateSlot>& slots);

}  // namespace trustsql::semparse
