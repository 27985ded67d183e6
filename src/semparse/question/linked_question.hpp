// LinkedQuestion: a question that is read, restated where it is asked in an unusual form, linked to a domain, and
// viewed; where it asks for years or months of dates, or needs rows of one table twice, to the domain with these date
// parts and roles.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

class LinkedQuestion {
 public:
  // The domain and the values of `linker`, and `vocabulary`, must outlive this object.
  LinkedQuestion(std::string_view text, QuestionLinker& linker, const Vocabulary& vocabulary);
  LinkedQuestion(const LinkedQuestion&) = delete;  // the view refers to the other members
  LinkedQuestion& operator=(const LinkedQuestion&) = delete;

  const QuestionView& view() const { return *view_; }
  // The question in the form in which it is read (restatement.hpp); empty if that is the one in which it was asked.
  const std::string& restated() const { return restated_; }

 private:
  void link(std::string_view text, QuestionLinker& linker);

  const Vocabulary& vocabulary_;
  Question question_;
  Linking linking_;
  std::string restated_{};
  std::optional<Domain> extended_{};  // with date parts and roles
  std::optional<QuestionView> view_{};
};

}  // namespace trustsql::semparse
