// Other wordings: a question in other words of the same meaning. A reading of one that has the same answer is as good.
#pragma once

#include <string>
#include <vector>

#include "semparse/question/linking.hpp"
#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

struct Wordings {
  // Name more than the question, the one that names most first: the columns of its values and measures, the people that
  // it asks who of, what verbs relate (light_verbs.hpp) and, of a question whose words all have a place, the names of
  // the rows or groups that it asks for.
  std::vector<std::string> naming{};
  std::vector<std::string> requests{};  // ask for the same in another form (other_requests.hpp)
};

// The wordings in which the question may be read again. `explains_all`: no word of it is without a place in its first
// reading.
Wordings other_wordings(const QuestionView& view, QuestionLinker& linker, const Vocabulary& vocabulary,
                        bool explains_all);

}  // namespace trustsql::semparse
