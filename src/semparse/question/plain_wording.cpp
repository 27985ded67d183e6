#include "semparse/question/plain_wording.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "semparse/database/people.hpp"
#include "semparse/question/answer_list.hpp"
#include "semparse/question/converted_units.hpp"
#include "semparse/question/cues.hpp"
#include "semparse/question/edits.hpp"
#include "semparse/question/question_cues.hpp"
#include "semparse/question/set_phrases.hpp"
#include "semparse/tree/description.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::string_view ends[] = {".", "?", "!"};
constexpr std::string_view questions[] = {"how", "what", "which", "who", "where", "when", "whose"};

class PlainWording {
 public:
  explicit PlainWording(const QuestionView& view) : view_(view), words_(view.question().words) {}

  std::optional<std::string> rewrite() {
    if (auto text = of_existing_values()) return text;
    if (auto text = of_all_rows()) return text;
    edits_ = set_phrase_edits(view_);
    for (auto& edit : unit_edits(view_)) edits_.push_back(std::move(edit));
    replace_request();
    replace_people();
    replace_owning();
    replace_recording();
    replace_sizes();
    drop_padding();
    constexpr std::string_view amounts[] = {"average", "avg",   "mean",    "total",   "sum", "number",
                                            "many",    "count", "maximum", "minimum", "max", "min"};
    bool of_amount = false;  // "members per plan" is restated by itself
    for (std::size_t i = 0; i < words_.size(); ++i) {
      of_amount |= is_listed(amounts, at(i));
      if (words_[i].quoted || is_name(i)) continue;
      const bool is_shortened = at(i) == "avg" && at(i + 1) == "." && i + 2 < words_.size();
      if (at(i) == "mean" || at(i) == "avg") replace({i, is_shortened ? i + 2 : i + 1}, "average");
      if (at(i) == "per" && of_amount && i + 1 < words_.size() && is_name(i + 1)) replace({i, i + 1}, "for each");
    }
    if (edits_.empty()) return std::nullopt;
    return edited(view_.question(), in_order(std::move(edits_)));
  }

 private:
  std::string_view at(std::size_t i) const { return i < words_.size() ? words_[i].lower : std::string_view(); }
  bool is_end(std::size_t i) const { return i >= words_.size() || is_listed(ends, at(i)); }
  bool is_name(std::size_t i) const { return view_.is_name(i); }

  void replace(WordSpan span, std::string_view text) { edits_.push_back({span, std::string(text)}); }

  // The word behind `pattern`, alternatives of which are separated by '|', and which an empty one makes optional.
  std::size_t behind(std::size_t i, std::initializer_list<std::string_view> pattern) const {
    for (const auto alternatives : pattern) {
      bool found = false;
      for (const auto alternative : split(alternatives, '|')) {
        if (alternative.empty()) {
          found = true;
        } else if (at(i) == alternative && !words_[i].quoted) {
          found = true;
          ++i;
          break;
        }
      }
      if (!found) return 0;
    }
    return i;
  }

  // "I would like to see", "we want to know".
  void replace_request() {
    auto first = behind(0, {"please|", "i|we", "'|", "would|'d|d|", "also|", "like|want|need", "to|"});
    if (first == 0) first = behind(0, {"please|", "let", "me|us"});
    if (first == 0) return;
    const auto seen = behind(first, {"see|know|have|get|view|find"});
    const auto last = seen == 0 ? first : seen;
    const bool verb = at(last - 1) == "to" || at(last - 1) == "me" || at(last - 1) == "us";
    if (verb || is_end(last)) return;
    replace({0, last}, is_listed(questions, at(last)) ? "" : "show");
  }

  // "Who earns the most" asks for an employee where these are the only people, and "how many people" for employees.
  void replace_people() {
    const auto people = people_of(view_.domain());
    if (people == nothing) return;
    for (const auto& mentions : view_.linking().tables)  // "Who hosts ...", where hosts are known
      for (const auto& mention : mentions)
        if (mention.span.first == 1 && mention.span.last == 2) return;
    const auto noun = noun_of(view_.domain(), people);
    if (at(0) == "who") {
      constexpr std::string_view no_verbs[] = {"is", "are", "was", "were", "'s", "'", "else", "all"};
      const bool is_said = !is_listed(no_verbs, at(1)) || at(2) == "born" || at(2) == "older" || at(2) == "younger";
      if (!is_said || is_end(1)) return;
      bool one = false;
      for (std::size_t i = 1; i < words_.size(); ++i) one |= is_superlative_word(view_.question(), i);
      const std::string_view verb = at(1) == "has" ? "have" : at(1) == "was" ? "were" : std::string_view();
      const auto many = noun == "person" ? std::string("persons") : plural_of(noun);  // as the table is called
      if (one || verb.empty())
        replace({0, 1}, "which " + (one ? noun : many));
      else
        replace({0, 2}, "which " + many + " " + std::string(verb));
      return;
    }
    constexpr std::string_view words[] = {"everybody", "everyone", "people"};
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (!is_listed(words, at(i)) || words_[i].quoted || is_name(i)) continue;
      const bool counted = i > 0 && at(i - 1) == "many";
      if (at(i) == "people" && !counted) continue;
      replace({i, i + 1}, (counted ? "" : "the ") + plural_of(noun));
      return;
    }
  }

  // "How many e-bikes are registered?": are there.
  void replace_recording() {
    constexpr std::string_view verbs[] = {"registered", "recorded", "listed", "stored"};
    if (at(0) != "how" || at(1) != "many") return;
    for (std::size_t i = 3; i < words_.size(); ++i)
      if (is_listed(verbs, at(i)) && !is_name(i) && !words_[i].quoted && (at(i - 1) == "are" || at(i - 1) == "is") &&
          is_end(i + 1))
        replace({i, i + 1}, "there");
  }

  // "How many paintings do we own?"
  void replace_owning() {
    constexpr std::string_view verbs[] = {"own", "keep", "hold", "stock", "carry"};
    constexpr std::string_view followers[] = {"of", "for", "per", "with", "from"};
    for (std::size_t i = 2; i < words_.size(); ++i)
      if (is_listed(verbs, at(i)) && !is_name(i) && at(i - 2) == "do" && (at(i - 1) == "we" || at(i - 1) == "you") &&
          (is_end(i + 1) || is_listed(followers, at(i + 1))))
        replace({i, i + 1}, "have");
  }

  // "The biggest budget" is the highest: of numbers that are no sizes.
  void replace_sizes() {
    constexpr std::string_view great[] = {"biggest", "largest", "greatest"};
    for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
      const bool is_great = is_listed(great, at(i));
      if (words_[i].quoted || is_name(i) || (!is_great && at(i) != "smallest")) continue;
      if (names_amount(i + 1)) replace({i, i + 1}, is_great ? "highest" : "lowest");
    }
  }
  // Whether the name of a column of numbers begins at word `i`, and no other name.
  bool names_amount(std::size_t i) const {
    bool any = false;
    for (ColumnId id = 0; id < static_cast<ColumnId>(view_.domain().columns().size()); ++id)
      for (const auto& mention : view_.linking().columns[static_cast<std::size_t>(id)]) {
        if (mention.span.first != i || mention.coverage < 0.45F) continue;
        const auto& column = view_.domain().column(id);
        if (column.kind != DataKind::number || column.is_id) return false;
        any = true;
      }
    return any && view_.kind(i) != Symbol::table;
  }

  // "On record", "in our database", "at all": said of all rows, and so of none.
  void drop_padding() {
    const std::initializer_list<std::string_view> places[] = {
        {"in|on", "our|the", "database|system|records|books|list|files|collection|catalogue|catalog|inventory"},
        {"on", "record|file"},
        {"at", "all"},
        {"with", "us"},
        {"here|altogether|overall"},
    };
    for (std::size_t i = 1; i < words_.size(); ++i) {
      if (is_name(i) || words_[i].quoted) continue;
      for (const auto& place : places) {
        const auto last = behind(i, place);
        if (last == 0 || !is_end(last) || is_name(last - 1)) continue;
        replace({i, last}, "");
        return;
      }
    }
  }

  // Whether the words are the whole name of a table; of a column some of whose values repeat.
  bool names_table(WordSpan words) const {
    return std::any_of(view_.linking().tables.begin(), view_.linking().tables.end(), [words](const auto& mentions) {
      return std::any_of(mentions.begin(), mentions.end(),
                         [words](const Mention& mention) { return mention.span == words && mention.spelled_out(); });
    });
  }
  bool names_repeated_column(WordSpan words) const {
    for (ColumnId id = 0; id < static_cast<ColumnId>(view_.domain().columns().size()); ++id)
      for (const auto& mention : view_.linking().columns[static_cast<std::size_t>(id)])
        if (mention.span == words && mention.spelled_out() && view_.domain().column(id).shared) return true;
    return false;
  }

  // "Count the customers", "number of customers": of all rows.
  std::optional<std::string> of_all_rows() const {
    auto first = behind(0, {"please|", "count", "the|all|", "the|", "number|", "of|"});
    if (first == 0)
      first = behind(0, {"what|find|show|give|", "me|is|'s|", "the|", "total|", "number", "of", "the|all|"});
    if (first == 0) return std::nullopt;
    auto last = first;
    while (!is_end(last)) ++last;
    const WordSpan rows{first, last};
    if (rows.size() == 0 || !names_table(rows)) return std::nullopt;
    return "how many " + std::string(view_.question().text_of(rows)) + " are there?";
  }

  // "Which genres are there?", "what different genres do we have?"
  std::optional<std::string> of_existing_values() const {
    const auto first = behind(0, {"what|which", "different|distinct|unique|"});
    if (first == 0) return std::nullopt;
    for (auto last = first + 1; last < words_.size(); ++last) {
      auto end = behind(last, {"do", "we|you", "have"});
      if (end == 0) end = behind(last, {"are", "there"});
      if (end == 0) end = behind(last, {"exist"});
      if (end == 0) continue;
      const WordSpan name{first, last};
      if (!is_end(end) || names_table(name) || !names_repeated_column(name)) return std::nullopt;
      return "show the different " + std::string(view_.question().text_of(name));
    }
    return std::nullopt;
  }

  const QuestionView& view_;
  const std::vector<Word>& words_;
  std::vector<Edit> edits_{};
};

// Whether a word has no part in the question: it names nothing, does not ask, and is no cue.
bool has_idle_words(const QuestionView& view) {
  const auto& question = view.question();
  const auto cues = find_cues(question);
  for (std::size_t i = 0; i < question.words.size(); ++i) {
    if (view.kind(i) != Symbol::word && view.kind(i) != Symbol::unknown) continue;
    const bool is_cue = std::any_of(cues.begin(), cues.end(), [i](const CueMention& cue) {
      return cue.span.contains({i, i + 1});
    });
    if (!is_cue && !is_function_word(question.words[i]) && !is_request_word(view, i) &&
        !is_superlative_word(question, i))
      return true;
  }
  return false;
}

// The tables that have a column of which the words are the whole name.
std::vector<TableId> owners_of(const QuestionView& view, WordSpan words) {
  std::vector<TableId> owners;
  for (ColumnId id = 0; id < static_cast<ColumnId>(view.domain().columns().size()); ++id)
    for (const auto& mention : view.linking().columns[static_cast<std::size_t>(id)])
      if (mention.span == words && mention.spelled_out()) owners.push_back(view.domain().column(id).table);
  return owners;
}

}  // namespace

std::optional<std::string> plain_wording(const QuestionView& view) { return PlainWording(view).rewrite(); }

std::optional<std::string> with_implied_rows(const QuestionView& view) {
  const auto& words = view.question().words;
  const auto& domain = view.domain();
  for (std::size_t i = 0; i < words.size(); ++i)
    if (view.kind(i) == Symbol::table) return std::nullopt;
  if (has_idle_words(view)) return std::nullopt;
  std::optional<std::vector<TableId>> owners;
  std::size_t behind = 0;  // the columns that are named first
  for (std::size_t i = 0; i < words.size();) {
    if (view.kind(i) != Symbol::column && view.kind(i) != Symbol::part) {
      ++i;
      continue;
    }
    // The longest name that begins here.
    WordSpan name{i, i};
    for (const auto& mentions : view.linking().columns)
      for (const auto& mention : mentions)
        if (mention.span.first == i && mention.spelled_out() && mention.span.last > name.last) name = mention.span;
    if (name.size() == 0) return std::nullopt;
    const auto of_name = owners_of(view, name);
    if (!owners) owners = of_name;
    std::erase_if(*owners, [&of_name](TableId table) {
      return std::find(of_name.begin(), of_name.end(), table) == of_name.end();
    });
    const bool continues =
        behind > 0 && behind < i && i - behind <= 2 && (words[behind].lower == "and" || words[behind].lower == ",");
    if (behind == 0 || continues) behind = name.last;
    i = name.last;
  }
  if (!owners || owners->size() != 1 || domain.table(owners->front()).words.empty()) return std::nullopt;
  const auto& table = domain.table(owners->front());
  if (table.role_of != nothing) return std::nullopt;
  if (words.front().lower == "who" && are_people(domain, owners->front())) return std::nullopt;  // named_people.hpp
  if (behind < words.size() && (words[behind].lower == "of" || words[behind].lower == "'s")) return std::nullopt;
  const auto& text = view.question().text;
  const auto place = words[behind - 1].end;
  return text.substr(0, place) + " of " + plural_of(noun_of(domain, owners->front())) + text.substr(place);
}

}  // namespace trustsql::semparse
