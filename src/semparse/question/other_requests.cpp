#include "semparse/question/other_requests.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "semparse/question/edits.hpp"
#include "semparse/question/sentence.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

class OtherRequests : private Sentence {
 public:
  using Sentence::Sentence;

  std::vector<std::string> find() {
    if (end_ == 0) return {};
    if (auto groups = requested_groups()) {
      texts_.push_back(std::move(*groups));
    } else if (auto things = requested_things()) {
      add_count(*things);
      for (const std::string_view verb : {"find", "give", "show"})
        if (at(0) != verb) texts_.push_back(std::string(verb) + " " + *things);
      if (at(0) != "what") texts_.push_back((asks_for_many_ ? "what are " : "what is ") + *things);
    } else if (auto number = requested_number()) {
      texts_.push_back("find the number of " + *number);
      texts_.push_back("what is the number of " + *number);
    }
    reword_negation();
    reword_possession();
    return std::move(texts_);
  }

 private:
  // Whether word `i` may begin what a question asks for without a request in front of it: "flights to Oslo".
  bool begins_things(std::size_t i) const {
    constexpr std::string_view amounts[] = {"number", "average", "total", "maximum", "minimum", "the", "all"};
    if (i >= end_ || words_[i].quoted) return false;
    return view_.kind(i) == Symbol::table || view_.kind(i) == Symbol::column || view_.kind(i) == Symbol::part ||
           is_listed(amounts, at(i));
  }

  // "The names of all singers" of "what are the names of all singers".
  std::optional<std::string> requested_things() {
    constexpr std::string_view verbs[] = {"show", "list", "find", "give", "return", "display", "get", "provide"};
    constexpr std::string_view determiners[] = {"the", "all", "each", "every", "our", "any", "those"};
    std::size_t first = 0;
    if (at(0) == "what" && is_listed(copulas, at(1))) {
      first = 2;
    } else if (is_listed(verbs, at(0)) && !words_[0].quoted) {
      first = at(1) == "me" || at(1) == "us" ? 2 : 1;
    } else if (!begins_things(0)) {
      return std::nullopt;
    }
    if (!begins_things(first) && !begins_things(first + 1)) return std::nullopt;
    auto noun = is_listed(determiners, at(first)) ? first + 1 : first;
    while (noun + 1 < end_ && begins_things(noun + 1) && !at(noun + 1).ends_with("ed")) ++noun;
    asks_for_many_ = noun < end_ && words_[noun].lower != words_[noun].lemma();
    return (is_listed(determiners, at(first)) ? "" : "the ") + text_of({first, end_});
  }

  // "How many cars have more than 150 horsepower" for "the number of the cars that have ...".
  void add_count(std::string_view things) {
    constexpr std::string_view number = "the number of ";
    if (!things.starts_with(number)) return;
    auto rows = things.substr(number.size());
    for (const std::string_view determiner : {"the ", "all ", "all the "})
      if (rows.starts_with(determiner)) rows.remove_prefix(determiner.size());
    for (const std::string_view relative : {" that ", " who ", " which "})
      if (const auto at = rows.find(relative); at != std::string_view::npos) {
        texts_.push_back("how many " + std::string(rows.substr(0, at)) + " " +
                         std::string(rows.substr(at + relative.size())));
        return;
      }
    texts_.push_back("how many " + std::string(rows) + " are there");
  }

  // "Show the country and the number of singers for each country" of "for each country, how many singers are there".
  std::optional<std::string> requested_groups() const {
    if (at(0) != "for" || (at(1) != "each" && at(1) != "every")) return std::nullopt;
    std::size_t how = 2;
    while (how < end_ && at(how) != "how") ++how;
    if (at(how + 1) != "many" || how < 3) return std::nullopt;
    const auto group = text_of({2, at(how - 1) == "," ? how - 1 : how});
    std::size_t last = how + 2;
    for (auto end = last + 1; end <= end_ && end <= how + 5; ++end)
      if (is_rows({how + 2, end})) last = end;
    const bool plain =
        last > how + 2 && (at(last) == "are" || at(last) == "were") && at(last + 1) == "there" && last + 2 == end_;
    if (!plain) return std::nullopt;
    return "show the " + group + " and the number of " + text_of({how + 2, last}) + " for each " + group;
  }

  // "Parts that have no price" of "how many parts have no price".
  std::optional<std::string> requested_number() const {
    constexpr std::string_view verbs[] = {"have", "has", "are", "were", "is", "was"};
    constexpr std::size_t longest_name = 3;
    if (at(0) != "how" || at(1) != "many") return std::nullopt;
    std::size_t last = 2;
    for (auto end = last + 1; end <= end_ && end <= 2 + longest_name; ++end)
      if (is_rows({2, end})) last = end;
    if (last == 2 || !is_listed(verbs, at(last))) return std::nullopt;
    const auto rows = text_of({2, last});
    if (at(last + 1) == "there") return last + 2 < end_ ? rows + " " + text_of({last + 2, end_}) : rows;
    return rows + " that " + text_of({last, end_});
  }

  void add(Edit edit) { texts_.push_back(edited(view_.question(), {std::move(edit)})); }

  // "Have no players": do not have any.
  void reword_negation() {
    for (std::size_t i = 1; i + 2 < end_; ++i)
      if ((at(i) == "have" || at(i) == "has") && at(i + 1) == "no" && !words_[i].quoted && !words_[i + 1].quoted)
        return add({{i, i + 2}, at(i) == "has" ? "does not have any" : "do not have any"});
    for (std::size_t i = 1; i + 1 < end_; ++i) {
      if (at(i) != "without" || words_[i].quoted || view_.kind(i - 1) != Symbol::table) continue;
      const auto first = at(i + 1) == "a" || at(i + 1) == "an" || at(i + 1) == "any" ? i + 2 : i + 1;
      if (first < end_ && view_.kind(first) == Symbol::table)
        return add({{i, first}, words_[i - 1].lower == words_[i - 1].lemma() ? "that has no" : "that have no"});
    }
  }

  // "Teams with more than two players": that have.
  void reword_possession() {
    constexpr std::string_view amounts[] = {"more", "less", "fewer", "at", "exactly", "over"};
    for (std::size_t i = 1; i + 2 < end_; ++i)
      if (at(i) == "with" && !words_[i].quoted && view_.kind(i - 1) == Symbol::table &&
          (is_listed(amounts, at(i + 1)) || words_[i + 1].number))
        return add({{i, i + 1}, words_[i - 1].lower == words_[i - 1].lemma() ? "that has" : "that have"});
  }

  std::vector<std::string> texts_{};
  bool asks_for_many_ = false;
};

}  // namespace

std::vector<std::string> other_requests(const QuestionView& view) { return OtherRequests(view).find(); }

}  // namespace trustsql::semparse
