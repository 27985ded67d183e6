// The values that a question names.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "semparse/question/linking.hpp"
#include "semparse/question/question_cues.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t max_value_words = 8;

// Words that say that something is not so, whatever columns hold them.
bool is_negation(std::string_view word) {
  return word == "no" || word == "not" || word == "none" || word == "never" || word == "without";
}

// A superlative, or a comparative in front of "than".
bool is_graded(const Question& question, std::size_t at) {
  return is_superlative_word(question, at) ||
         (at + 1 < question.words.size() && question.words[at + 1].lower == "than");
}

}  // namespace

// What a column holds in other words: the country of "French", and the letter that stands for "female" in a column of
// sexes.
std::vector<ValueIndex::Cell> QuestionLinker::derived_cells(const Word& word) const {
  std::vector<ValueIndex::Cell> cells;
  constexpr std::array<std::string_view, 3> female = {"female", "woman", "girl"};
  constexpr std::array<std::string_view, 3> male = {"male", "man", "boy"};
  const auto is_one_of = [&word](const auto& list) {
    return std::find(list.begin(), list.end(), word.lemma()) != list.end();
  };
  const bool is_female = is_one_of(female);
  if (is_female || is_one_of(male)) {
    for (const std::string_view code : {is_female ? "f" : "m", is_female ? "female" : "male"})
      for (const auto& cell : values_.find(code)) {
        const auto& words = domain_.column(cell.column).all_words;
        const auto says_sex = [](const std::string& each) { return each == "sex" || each == "gender"; };
        if (std::any_of(words.begin(), words.end(), says_sex)) cells.push_back(cell);
      }
    return cells;
  }
  return word.capitalised ? values_.find_meaning(word.lower) : cells;
}

// The values that are the words of `span` with the `marks` words behind it, all of them punctuation: 'O-' where 'O+'
// is another value.
std::vector<ValueIndex::Cell> QuestionLinker::find_marked(const Question& question, WordSpan span,
                                                          std::size_t marks) const {
  const WordSpan marked{span.first, span.last + marks};
  for (auto i = span.last; i < marked.last; ++i) {
    const auto& word = question.words[i];
    if (word.text.size() != 1 || is_word_character(word.text.front()) || word.quoted ||
        word.begin != question.words[i - 1].end)
      return {};
  }
  const auto text = question.text_of(marked);
  auto cells = values_.find(text);
  std::erase_if(cells, [text](const ValueIndex::Cell& cell) { return !equals_ignore_case(cell.text, text); });
  return cells;
}

// "For sale", "on loan", as a column has it.
bool QuestionLinker::is_stored_phrase(const Question& question, WordSpan span) const {
  constexpr std::string_view prepositions[] = {"for", "on", "in", "under", "out", "off", "at", "with"};
  if (!is_listed(prepositions, question.words[span.first].lower)) return false;
  const auto text = question.text_of(span);
  const auto cells = values_.find(text);
  return std::any_of(cells.begin(), cells.end(),
                     [text](const ValueIndex::Cell& cell) { return equals_ignore_case(cell.text, text); });
}

// "May" in "Otto May": a last name, behind what may be the first.
bool QuestionLinker::is_surname(const Question& question, WordSpan span, const Linking& linking) const {
  const auto& word = question.words[span.first];
  if (span.size() != 1 || span.first == 0 || !word.capitalised || word.quoted) return false;
  const auto cells = values_.find(word.text);
  return std::any_of(cells.begin(), cells.end(), [&](const ValueIndex::Cell& cell) {
    const auto& table = domain_.table(domain_.column(cell.column).table);
    return cell.column == table.surname && cell.text == word.text &&
           std::any_of(linking.values.begin(), linking.values.end(), [&](const ValueMention& value) {
             return value.span.last == span.first &&
                    std::any_of(value.cells.begin(), value.cells.end(),
                                [&](const ValueIndex::Cell& first) { return first.column == table.display; });
           });
  });
}

// The longest spans first; a shorter one that overlaps is dropped.
void QuestionLinker::find_values(const Question& question, Linking& linking) const {
  const auto n = question.words.size();
  const auto is_free = [&linking](WordSpan span) {
    return std::none_of(linking.values.begin(), linking.values.end(),
                        [&](const ValueMention& other) { return other.span.overlaps(span); });
  };
  const auto is_name = [&](WordSpan span) {
    const auto same = [&span](const std::vector<Mention>& mentions) {
      return std::any_of(mentions.begin(), mentions.end(),
                         [&](const Mention& mention) { return mention.whole() && mention.span.contains(span); });
    };
    return std::any_of(linking.columns.begin(), linking.columns.end(), same) ||
           std::any_of(linking.tables.begin(), linking.tables.end(), same);
  };
  find_quotations(question, linking);
  const auto is_end = [&question](std::size_t at) {
    return std::all_of(question.words.begin() + static_cast<std::ptrdiff_t>(at), question.words.end(),
                       [](const Word& word) { return word.text.size() == 1 && is_function_word(word); });
  };
  for (std::size_t size = std::min(n, max_value_words); size > 0; --size) {
    for (std::size_t first = 0; first + size <= n; ++first) {
      const WordSpan span{first, first + size};
      const auto& front = question.words[first];
      const auto& back = question.words[span.last - 1];
      const bool whole_question = size > 2 && first == 0 && is_end(span.last);  // in a table of questions
      if (is_free(span) && !whole_question) {
        constexpr std::size_t most_marks = 3;
        std::size_t marks = std::min(most_marks, n - span.last);
        std::vector<ValueIndex::Cell> marked;
        while (marks > 0 && (marked = find_marked(question, span, marks)).empty()) --marks;
        if (!marked.empty()) {
          const WordSpan whole{span.first, span.last + marks};
          linking.values.push_back({whole, std::string(question.text_of(whole)), false, front.capitalised && first > 0,
                                    false, false, std::move(marked)});
          continue;
        }
      }
      const bool edge =
          (is_function_word(back) && !is_surname(question, span, linking)) ||
          (is_function_word(front) && size > 1 && !front.capitalised && !is_stored_phrase(question, span));
      if (edge || !is_free(span) || whole_question) continue;
      if (size == 1 && front.number) continue;  // numbers are looked for in columns of numbers
      if (size == 1 && is_negation(front.lower)) continue;
      auto cells = values_.find(question.text_of(span));
      // "singers" is a value where 'Singer' is one, if nothing else, and "jazz singers" where 'Jazz Singer' is;
      // "oldest" does not name what is called 'Old'.
      if (cells.empty() && back.lemma() != back.lower && !is_graded(question, span.last - 1)) {
        const auto before = size == 1 ? std::string() : std::string(question.text_of({first, span.last - 1})) + " ";
        cells = values_.find(before + back.lemma());
      }
      bool is_derived = false;
      if (cells.empty() && size == 1) {
        cells = derived_cells(front);
        is_derived = true;
      }
      if (cells.empty()) continue;
      const bool capitalised = front.capitalised && first > 0;
      linking.values.push_back(
          {span, std::string(question.text_of(span)), false, capitalised, is_name(span), is_derived, std::move(cells)});
    }
  }
  std::sort(linking.values.begin(), linking.values.end(),
            [](const ValueMention& a, const ValueMention& b) { return a.span.first < b.span.first; });
}

}  // namespace trustsql::semparse
