// The words of a question for what states it in another form (restatement.hpp, named_rows.hpp): their text, what they
// name, the rows that they ask for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "semparse/question/answer_list.hpp"
#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

inline constexpr std::string_view sentence_ends[] = {".", "?", "!"};
inline constexpr std::string_view borders_of_lists[] = {":", ";", "-", "\u2013", "\u2014", "(", ","};
inline constexpr std::string_view copulas[] = {"is", "are", "was", "were", "'s"};

class Sentence {
 public:
  // `view` must outlive the sentence.
  explicit Sentence(const QuestionView& view);

 protected:
  // The table that words ask for the rows of, the first word of its name and the word behind it.
  struct Asked {
    TableId table = nothing;
    std::size_t first = 0;
    std::size_t behind = 0;
  };

  // Word `i` in small letters; empty behind the last.
  std::string_view at(std::size_t i) const { return i < words_.size() ? words_[i].lower : std::string_view(); }
  // The words as they were written, with the quotation marks of a quotation that begins or ends there.
  std::string text_of(WordSpan span) const;
  // The words before `i` and a space; empty if there are none.
  std::string text_before(std::size_t i) const { return i == 0 ? std::string() : text_of({0, i}) + " "; }

  // The mention of a table whose whole name begins at word `first`, and the table; nullptr if there is none.
  const Mention* table_at(std::size_t first, TableId& table) const;
  // The first word before `last` that names a table or a column; `last` if none does.
  std::size_t first_name(std::size_t last) const;
  // Whether the words are the name of a table.
  bool is_rows(WordSpan words) const;
  // Whether all of the words that carry content name something.
  bool is_name(WordSpan words) const;

  // The rows that the words before `last` ask for; nullopt if they ask for something else.
  std::optional<Asked> asked_rows(std::size_t last) const;
  // The words before `last`, which ask for `asked`, as what "of" may stand before: "the authors that were born"; empty
  // if they are no such words. Without `asked`: of "who was hired in 2015", the rows of the only table that has a name
  // and all `items`.
  std::string rows_text(std::size_t last, const std::optional<Asked>& asked,
                        const std::vector<AnswerItem>& items) const;

  const QuestionView& view_;
  const std::vector<Word>& words_;
  std::size_t end_;  // the word behind the last, without what closes the question: "please"

 private:
  bool is_closing_word(std::size_t i) const;
  std::string people_text(std::size_t last, const std::vector<AnswerItem>& items) const;
  bool begins_clause(std::size_t i, std::size_t last) const;
};

// The name of a column in words.
std::string name_in_words(const DomainColumn& column);
// The same without the name of its table.
std::string short_name_in_words(const DomainColumn& column);

}  // namespace trustsql::semparse
