#include "semparse/question/linked_question.hpp"

#include <utility>

#include "semparse/question/date_parts.hpp"
#include "semparse/question/restatement.hpp"
#include "semparse/question/roles.hpp"

namespace trustsql::semparse {

LinkedQuestion::LinkedQuestion(std::string_view text, QuestionLinker& linker, const Vocabulary& vocabulary)
    : vocabulary_(vocabulary) {
  link(text, linker);
  std::optional<QuestionLinker> with_parts;
  if (const auto parts = asked_date_parts(*view_); !parts.empty()) {
    extended_ = linker.domain().with_date_parts(parts);
    link(text, with_parts.emplace(*extended_, linker.values()));
  }
  // One thing after the other.
  constexpr int most_restatements = 4;
  for (int i = 0; i < most_restatements; ++i) {
    auto restated = restate(*view_);
    if (!restated) break;
    restated_ = std::move(*restated);
    text = restated_;
    link(text, with_parts ? *with_parts : linker);
  }
  const auto roles = asked_roles(*view_);
  if (!roles) return;
  auto with_roles = view_->domain().with_roles(roles->edges);
  view_.reset();
  extended_ = std::move(with_roles);
  question_ = read_question(text);
  linking_ = QuestionLinker(*extended_, linker.values()).link(question_);
  place_roles(*roles, *extended_, linking_);
  view_.emplace(*extended_, question_, linking_, vocabulary_);
}

void LinkedQuestion::link(std::string_view text, QuestionLinker& linker) {
  view_.reset();
  question_ = read_question(text);
  linking_ = linker.link(question_);
  view_.emplace(linker.domain(), question_, linking_, vocabulary_);
}

}  // namespace trustsql::semparse
