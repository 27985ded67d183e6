#include "semparse/question/linked_question.hpp"

#include <utility>

#include "semparse/question/restatement.hpp"
#include "semparse/question/roles.hpp"

namespace trustsql::semparse {

LinkedQuestion::LinkedQuestion(std::string_view text, QuestionLinker& linker, const Vocabulary& vocabulary)
    : question_(read_question(text)), linking_(linker.link(question_)) {
  view_.emplace(linker.domain(), question_, linking_, vocabulary);
  if (auto restated = restate(*view_)) {
    view_.reset();
    restated_ = std::move(*restated);
    text = restated_;
    question_ = read_question(text);
    linking_ = linker.link(question_);
    view_.emplace(linker.domain(), question_, linking_, vocabulary);
  }
  const auto roles = asked_roles(*view_);
  if (!roles) return;
  view_.reset();
  with_roles_ = linker.domain().with_roles(roles->edges);
  question_ = read_question(text);
  linking_ = QuestionLinker(*with_roles_, linker.values()).link(question_);
  place_roles(*roles, *with_roles_, linking_);
  view_.emplace(*with_roles_, question_, linking_, vocabulary);
}

}  // namespace trustsql::semparse
