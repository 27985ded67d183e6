#include "semparse/question/correction.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "link/lexicon/lexicon.hpp"
#include "semparse/words/spelling.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t most_corrections = 5;
constexpr std::size_t most_positions = 10;
constexpr std::size_t most_joined_words = 4;   // that are looked for together
constexpr std::size_t most_offered = 3;        // things that may be meant
constexpr std::size_t most_columns_shown = 2;  // that hold a part
constexpr std::size_t words_of_name = 4;       // a longer value is prose: that an English word is in it says little
constexpr std::size_t longest_shown = 60;      // bytes of a word or value
constexpr std::size_t longest_question = 400;  // bytes of one that is suggested

std::string plain_for_message(std::string_view text, std::size_t limit) {
  const auto quoted = quote_for_message(text, limit);
  return quoted.substr(1, quoted.size() - 2);
}

// Whether a message shows the text as it is.
bool is_printable(std::string_view text, std::size_t limit) { return plain_for_message(text, limit) == text; }

std::string name_for_message(const Domain& domain, ColumnId id) {
  const auto& column = domain.column(id);
  return plain_for_message(domain.table(column.table).name, longest_shown) + "." +
         plain_for_message(column.name, longest_shown);
}

std::string offer(const std::vector<std::string>& offered) {
  return offered.empty() ? "" : "did you mean " + join(offered, " or ") + "?";
}

std::string value_for_offer(const Domain& domain, const NearValue& value) {
  return quote_for_message(value.cell.text, longest_shown) + " (" + name_for_message(domain, value.cell.column) + ")";
}

// Those that were found as well as the first.
std::vector<NearValue> equally_near(const std::vector<NearValue>& near) {
  std::vector<NearValue> best;
  for (const auto& value : near)
    if (value.how == near.front().how && value.edits == near.front().edits) best.push_back(value);
  return best;
}

class Corrector {
 public:
  Corrector(const QuestionView& view, const ValueIndex& values, const std::vector<std::size_t>& positions)
      : view_(view), words_(view.question().words), values_(values), positions_(positions) {}

  std::vector<Correction> run() {
    for (const auto& value : view_.linking().values)
      if (value.quoted && value.cells.empty()) correct_quotation(value);
    std::size_t looked_at = 0;
    for (const auto position : positions_) {
      if (++looked_at > most_positions) break;
      const bool done = std::any_of(done_.begin(), done_.end(),
                                    [&](WordSpan span) { return span.first <= position && position < span.last; });
      if (!done && corrections_.size() < most_corrections) correct_word(position);
    }
    return std::move(corrections_);
  }

 private:
  const Domain& domain() const { return view_.domain(); }

  void correct_quotation(const ValueMention& quotation) {
    if (corrections_.size() == most_corrections) return;
    if (const auto near = find_near(values_, quotation.text); !near.empty())
      add(quotation.span, quotation.text, true, equally_near(near));
  }

  void correct_word(std::size_t position) {
    for (auto size = most_joined_words; size > 1; --size) {
      for (std::size_t first = position + 1 > size ? position + 1 - size : 0;
           first <= position && first + size <= words_.size(); ++first) {
        const WordSpan span{first, first + size};
        if (!may_be_name(span)) continue;
        if (const auto near = find_near(values_, view_.question().text_of(span)); !near.empty()) {
          add(span, view_.question().text_of(span), false, equally_near(near));
          return;
        }
      }
    }
    correct_single(position);
  }

  void correct_single(std::size_t position) {
    const WordSpan span{position, position + 1};
    const auto& word = words_[position];
    auto near = find_near(values_, word.text);
    if (!near.empty()) near = equally_near(near);
    const bool is_english = is_common(position);
    if (!near.empty() && near.front().how == Nearness::part) {
      if (is_english) {
        near.erase(std::remove_if(near.begin(), near.end(), [](const NearValue& value) { return is_prose(value); }),
                   near.end());
      }
      if (!near.empty()) add(span, word.text, false, near);
      return;
    }
    if (is_english) return;
    const auto [names, edits] = names_like(word);
    const bool values_are_nearer = !near.empty() && (names.empty() || near.front().edits < edits);
    if (values_are_nearer) {
      add(span, word.text, false, near);
    } else if (!names.empty()) {
      corrections_.push_back({.words = {word.text}, .detail = {}, .suggestion = offer(names)});
      done_.push_back(span);
    }
  }

  bool is_unknown(std::size_t position) const {
    return std::find(positions_.begin(), positions_.end(), position) != positions_.end();
  }

  // Whether the words may be a name: unknown or capitalised ones, with function words between.
  bool may_be_name(WordSpan span) const {
    for (auto i = span.first; i < span.last; ++i) {
      const bool inside = i > span.first && i + 1 < span.last;
      const bool is_value = view_.kind(i) == Symbol::value || view_.kind(i) == Symbol::number;
      const bool may_be = is_function_word(words_[i]) ? inside && words_[i].lower.size() > 1
                                                      : is_unknown(i) || (is_written_as_name(view_.question(), i) &&
                                                                          !is_value && !words_[i].quoted);
      if (!may_be) return false;
    }
    return true;
  }

  // Whether it is an English word, and not written as a name: then it is not misspelt.
  bool is_common(std::size_t position) const {
    const auto& word = words_[position];
    if (is_written_as_name(view_.question(), position)) return false;
    return link::lexicon::find(word.lower) ||
           std::any_of(word.lemmas.begin(), word.lemmas.end(),
                       [](const std::string& lemma) { return link::lexicon::find(lemma).has_value(); });
  }

  static bool is_prose(const NearValue& value) {
    const auto words = value_words(value.cell.text);
    return static_cast<std::size_t>(std::count(words.begin(), words.end(), ' ')) >= words_of_name;
  }

  // The tables and columns with a word in their names that the question's word may be a misspelling of, and the number
  // of edits.
  std::pair<std::vector<std::string>, std::size_t> names_like(const Word& word) const {
    std::vector<std::string> names;
    std::size_t fewest = 0;
    const auto compare = [&](const std::vector<std::string>& name, const auto& text) {
      std::optional<std::size_t> edits;
      const auto take = [&](std::string_view typed) {
        for (const auto& part : name)
          if (const auto found = edits_between(typed, part); found && (!edits || *found < *edits)) edits = found;
      };
      take(word.lower);
      for (const auto& lemma : word.lemmas)
        if (lemma != word.lower) take(lemma);
      if (!edits || (!names.empty() && *edits > fewest)) return;
      if (names.empty() || *edits < fewest) names.clear();
      fewest = *edits;
      if (names.size() < most_offered) names.push_back(text());
    };
    for (const auto& table : domain().tables())
      compare(table.words, [&] { return "table " + plain_for_message(table.name, longest_shown); });
    // "customer" is the table before it is the column customer_id of another one.
    for (const bool is_id : {false, true})
      for (ColumnId id = 0; id < static_cast<ColumnId>(domain().columns().size()); ++id)
        if (domain().column(id).is_id == is_id && (!is_id || names.empty()))
          compare(domain().column(id).words, [&] { return "column " + name_for_message(domain(), id); });
    return {std::move(names), fewest};
  }

  // A correction of a span by values that were found in the same way.
  void add(WordSpan span, std::string_view text, bool quoted, const std::vector<NearValue>& near) {
    Correction correction{.quoted = quoted};
    if (quoted)
      correction.words.emplace_back(text);
    else
      for (auto i = span.first; i < span.last; ++i) correction.words.push_back(words_[i].text);
    const auto how = near.front().how;
    if (how == Nearness::part || how == Nearness::beginning) {
      correction.detail = quote_for_message(text, longest_shown) + " is part of " + holders(near);
      correction.suggestion = question_with(span, quoted, near);
    } else {
      correction.suggestion = did_you_mean(domain(), near);
    }
    corrections_.push_back(std::move(correction));
    done_.push_back(span);
  }

  // "a value of customer.name: 'John Smith', 'Anna Smith'; of staff.name: 'Joe Smith'"
  std::string holders(const std::vector<NearValue>& near) const {
    std::vector<ColumnId> columns;
    for (const auto& value : near)
      if (std::find(columns.begin(), columns.end(), value.cell.column) == columns.end())
        columns.push_back(value.cell.column);
    std::string text = "a value";
    for (std::size_t i = 0; i < columns.size() && i < most_columns_shown; ++i) {
      std::vector<std::string> shown;
      for (const auto& value : near)
        if (value.cell.column == columns[i] && shown.size() < most_offered)
          shown.push_back(quote_for_message(value.cell.text, longest_shown));
      text += (i == 0 ? " of " : "; of ") + name_for_message(domain(), columns[i]) + ": " + join(shown, ", ");
    }
    return text;
  }

  // The question with the one value that is near in the place of its words.
  std::string question_with(WordSpan span, bool quoted, const std::vector<NearValue>& near) const {
    std::vector<std::string> texts;
    for (const auto& other : near) {
      auto shown = quote_for_message(other.cell.text, longest_shown);
      if (std::find(texts.begin(), texts.end(), shown) == texts.end()) texts.push_back(std::move(shown));
    }
    if (texts.size() > 1) {
      texts.resize(std::min(texts.size(), most_offered));
      return "name one of them in quotation marks: " + join(texts, " or ");
    }
    const auto value = near.front().cell.text;
    const auto& question = view_.question();
    const std::string_view mark = value.find('\'') == std::string_view::npos ? "'" : "\"";
    auto begin = words_[span.first].begin;
    auto end = words_[span.last - 1].end;
    // The marks of a quotation are replaced with it.
    if (quoted && begin > 0 && end < question.text.size() && question.text[begin - 1] == question.text[end]) {
      --begin;
      ++end;
    }
    std::string asked;
    if (question.text.size() <= longest_question)
      asked = question.text.substr(0, begin) + std::string(mark) + std::string(value) + std::string(mark) +
              question.text.substr(end);
    const bool can_be_asked = !asked.empty() && value.find(mark) == std::string_view::npos &&
                              is_printable(value, longest_shown) && is_printable(asked, longest_question);
    return can_be_asked ? "ask: " + asked : did_you_mean(domain(), near);
  }

  const QuestionView& view_;
  const std::vector<Word>& words_;
  const ValueIndex& values_;
  const std::vector<std::size_t>& positions_;
  std::vector<Correction> corrections_{};
  std::vector<WordSpan> done_{};
};

}  // namespace

bool Correction::concerns(std::string_view word) const {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_written_as_name(const Question& question, std::size_t position) {
  if (position == 0 || !question.words[position].capitalised) return false;
  const auto& before = question.words[position - 1].text;
  return before != "." && before != "?" && before != "!" && before != ":";
}

std::vector<Correction> corrections_of(const QuestionView& view, const ValueIndex& values,
                                       const std::vector<std::size_t>& positions) {
  return Corrector(view, values, positions).run();
}

std::string unknown_text(const std::vector<std::string>& unknown, const std::vector<Correction>& corrections,
                         std::string_view reason) {
  std::vector<std::string> details;
  std::vector<std::string> missing;
  for (const auto& word : unknown) {
    const auto part = std::find_if(corrections.begin(), corrections.end(), [&](const Correction& correction) {
      return !correction.detail.empty() && correction.concerns(word);
    });
    auto& list = part == corrections.end() ? missing : details;
    auto text = part == corrections.end() ? quote_for_message(word, longest_shown) : part->detail;
    if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
  }
  if (!missing.empty()) details.push_back(std::string(reason) + " " + join(missing, ", "));
  return join(details, "; ");
}

std::string suggestion_for(const std::vector<std::string>& unknown, const std::vector<Correction>& corrections) {
  std::vector<std::string> suggestions;
  for (const auto& correction : corrections) {
    const bool asked_for =
        std::any_of(unknown.begin(), unknown.end(), [&](const std::string& word) { return correction.concerns(word); });
    const bool is_new = std::find(suggestions.begin(), suggestions.end(), correction.suggestion) == suggestions.end();
    if (asked_for && is_new && suggestions.size() < most_offered) suggestions.push_back(correction.suggestion);
  }
  return join(suggestions, "; ");
}

std::string did_you_mean(const Domain& domain, const std::vector<NearValue>& near) {
  std::vector<std::string> offered;
  for (const auto& value : near)
    if (offered.size() < most_offered) offered.push_back(value_for_offer(domain, value));
  return offer(offered);
}

}  // namespace trustsql::semparse
