#include "semparse/question/restatement.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "semparse/question/answer_list.hpp"
#include "semparse/question/asked_order.hpp"
#include "semparse/question/asked_rows.hpp"
#include "semparse/question/date_parts.hpp"
#include "semparse/question/plain_wording.hpp"
#include "semparse/question/question_cues.hpp"
#include "semparse/question/sentence.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::string_view per_words[] = {"per", "by"};
constexpr std::string_view amount_words[] = {"average", "avg", "mean",  "total",   "sum",
                                             "number",  "max", "count", "maximum", "minimum"};

// Places where a list may begin that are tried; a question of many commas has no list that people would read.
constexpr std::size_t max_tries = 24;

class Restatement : private Sentence {
 public:
  using Sentence::Sentence;

  std::optional<std::string> find() {
    if (words_.empty() || end_ == 0) return std::nullopt;
    if (auto text = plain_wording(view_)) return text;
    if (const auto order = asked_order(view_)) return with_order(*order);
    find_repetition();
    for (std::size_t at = 1; at < end_; ++at)
      if (auto text = with_closing_list(at)) return text;
    if (auto text = with_groups()) return text;
    if (auto text = with_implied_groups()) return text;
    if (auto text = with_periods()) return text;
    if (auto text = without_naming()) return text;
    if (!once_) return with_implied_rows(view_);
    const auto first = first_name(end_);
    if (first == end_) return std::nullopt;
    return text_before(first) + "different " + text_of({first, end_});
  }

 private:
  std::string with_order(const AskedOrder& order) const {
    auto text = text_of({0, order.span.first}) + order.text;
    if (order.span.last < words_.size()) {
      const auto rest = text_of({order.span.last, words_.size()});
      text += (is_listed(sentence_ends, rest.substr(0, 1)) || rest.starts_with(',') ? "" : " ") + rest;
    }
    return text;
  }

  // "No duplicates", "each one once" at the end: each row once.
  void find_repetition() {
    constexpr std::string_view repetitions[] = {"duplicates", "duplicate",  "duplication",
                                                "repeats",    "repetition", "repetitions"};
    constexpr std::string_view openings[] = {"each", "one", "only", "every", "just"};
    if (end_ == 0 || words_[end_ - 1].quoted) return;
    auto first = end_ - 1;
    if (at(first) == "once") {
      // But "ordered more than once", "sold only once".
      while (first > 0 && is_listed(openings, at(first - 1))) --first;
      bool of_each = false;
      for (auto i = end_ - 1; i > 0 && !is_listed(sentence_ends, at(i - 1)); --i)
        of_each |= at(i - 1) == "each" || at(i - 1) == "every" || at(i - 1) == "one";
      if (!of_each) return;
    } else if (is_listed(repetitions, at(first)) && first > 0 &&
               (at(first - 1) == "no" || at(first - 1) == "without")) {
      --first;
    } else {
      return;
    }
    once_ = true;
    while (first > 0 && (is_listed(borders_of_lists, at(first - 1)) || is_listed(sentence_ends, at(first - 1))))
      --first;
    end_ = first;
  }

  // Whether words [first, last) say in which order, and nothing else.
  bool is_order(WordSpan words) const {
    constexpr std::string_view order_words[] = {"first",     "last",       "sorted",   "ordered",        "order", "top",
                                                "ascending", "descending", "ordering", "alphabetically", "bottom"};
    constexpr std::size_t most_words = 9;
    if (words.size() == 0 || words.size() > most_words) return false;
    for (auto i = words.first; i < words.last; ++i)
      if (!words_[i].quoted && is_listed(order_words, at(i)) && at(i + 1) != "name" && at(i + 1) != "names")
        return true;
    return false;
  }

  // "Oldest at the top" is "oldest first".
  std::string order_text(WordSpan order) const {
    for (auto i = order.first + 1; i + 2 < order.last; ++i)
      if ((at(i) == "at" || at(i) == "on") && at(i + 1) == "the" && (at(i + 2) == "top" || at(i + 2) == "bottom"))
        return text_of({order.first, i}) + (at(i + 2) == "top" ? " first" : " last");
    return text_of(order);
  }

  struct ClosingList {
    std::vector<AnswerItem> items{};
    WordSpan order{};    // behind it
    std::size_t last{};  // the word behind all that
    bool adds = false;   // to the names of the rows that are asked for
  };

  std::optional<ClosingList> closing_list(std::size_t border) const {
    ClosingList list;
    auto first = border + 1;
    list.adds = at(border) == "with" || at(border) == "and";
    constexpr std::string_view no_requests[] = {"and", "with", "the", "a", "an", "all", "also", "please"};
    bool requests = false;
    while (first < end_ && (is_request_word(view_, first) || at(first) == "and" || at(first) == "with")) {
      list.adds |= at(first) == "with";
      requests |= !is_listed(no_requests, at(first));
      ++first;
    }
    // "Show the clients, the city and the industry", and not "the clients in London, give the city".
    list.adds |= at(border) == "," && !requests;
    auto last = end_;
    if (at(border) == "(")
      for (last = first; last < end_ && at(last) != ")";) ++last;
    list.last = at(border) == "(" ? std::min(last + 1, end_) : last;
    if (first >= last) return std::nullopt;
    const bool by_name = is_listed(sentence_ends, at(border));
    if (auto items = read_answer_items(view_, {first, last}, by_name)) {
      list.items = std::move(*items);
      return list;
    }
    for (auto i = last - 1; i > first; --i) {
      const bool border_word = is_listed(borders_of_lists, at(i)) || is_listed(sentence_ends, at(i));
      const WordSpan order{border_word ? i + 1 : i, last};
      if (!border_word && at(i) != "in" && at(i) != "sorted" && at(i) != "ordered") continue;
      if (!is_order(order)) continue;
      auto items = read_answer_items(view_, {first, i}, by_name);
      if (!items) continue;
      list.items = std::move(*items);
      list.order = order;
      return list;
    }
    return std::nullopt;
  }

  // Whether a list may stand behind word `i`.
  bool is_border(std::size_t i) const {
    if (words_[i].quoted) return false;
    if (is_listed(sentence_ends, at(i))) return true;
    if (at(i) == "with" || at(i) == "and") {
      if (at(i + 1) == "their" || at(i + 1) == "its") return true;
      return at(i) == "with" && adds_columns({i + 1, end_});
    }
    if (!is_listed(borders_of_lists, at(i))) return false;
    return at(i) != "-" || words_[i - 1].end != words_[i].begin || i + 1 == words_.size() ||
           words_[i].end != words_[i + 1].begin;
  }

  // "The 3 cheapest parts with price": columns that all rows have a value in, so that they say nothing of the rows.
  bool adds_columns(WordSpan words) const {
    constexpr std::string_view tests[] = {"a", "an", "any", "no", "the", "some", "only"};
    if (words.size() == 0 || is_listed(tests, at(words.first))) return false;
    const auto items = read_answer_items(view_, words);
    return items && std::all_of(items->begin(), items->end(), [this](const AnswerItem& item) {
             return !item.columns.empty() && item.aggregate == Aggregate::none &&
                    std::none_of(item.columns.begin(), item.columns.end(), [this](ColumnId id) {
                      const auto& column = view_.domain().column(id);
                      return column.has_nulls || column.has_blanks || column.is_binary ||
                             column.kind == DataKind::boolean;
                    });
           });
  }

  std::optional<std::string> with_closing_list(std::size_t border) {
    if (!is_border(border)) return std::nullopt;
    const auto asked = asked_rows(border);
    const bool asks_who = at(0) == "who" && is_listed(sentence_ends, at(border)) && first_name(border) < border;
    if (!asked && !asks_who) return std::nullopt;
    if (tries_left_ == 0) return std::nullopt;
    --tries_left_;
    auto list = closing_list(border);
    if (!list) return std::nullopt;
    std::vector<std::string> items;
    if (list->adds) {
      const auto display = asked ? view_.domain().table(asked->table).display : nothing;
      if (display == nothing) return std::nullopt;
      const bool listed = std::any_of(list->items.begin(), list->items.end(),
                                      [display](const AnswerItem& item) { return is_listed_column(item, display); });
      if (!listed) items.push_back(name_in_words(view_.domain().column(display)));
    }
    for (const auto& item : list->items)
      items.push_back(item.is_table ? name_in_words(view_.domain().column(item.columns.front())) : text_of(item.span));
    bool once = once_;
    for (auto i = border; i < list->last; ++i) once |= at(i) == "different" || at(i) == "distinct" || at(i) == "unique";
    std::string text = once ? "show the different " : "show the ";
    for (std::size_t i = 0; i < items.size(); ++i)
      text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
    auto rows = rows_text(border, asked, list->items);
    if (rows.empty()) return std::nullopt;
    text += rows.starts_with("for each") ? " " + rows : " of " + rows;
    if (list->last < end_) text += " " + text_of({list->last, end_});
    if (list->order.size() > 0) text += ", " + order_text(list->order);
    return text;
  }

  // "Members per plan", "average price by colour".
  std::optional<std::string> with_groups() const {
    std::size_t first = 0;
    while (first < end_ && is_request_word(view_, first)) ++first;
    for (auto by = first + 1; by + 1 < end_; ++by) {
      if (!is_listed(per_words, at(by)) || words_[by].quoted) continue;
      auto last = by + 1;
      while (last < end_ && !is_listed(borders_of_lists, at(last))) ++last;
      const auto group = read_answer_items(view_, {by + 1, last});
      if (!group || group->size() != 1 || group->front().columns.empty()) return std::nullopt;
      const auto rest = last < end_ ? text_of({last, end_}) : std::string();
      const auto of_each = " for each " + text_of(group->front().span) + rest;
      if (is_rows({first, by})) {
        const auto number = std::string("the number of ").append(text_of({first, by})).append(of_each);
        if (at(by) != "by") return number;
        // "List the flats by size" asks for flats; by what kind they are told apart is open: "show the bands by genre".
        const auto column = group->front().columns.front();
        const auto kind = view_.domain().column(column).kind;
        const bool sorts = kind == DataKind::number || kind == DataKind::date;
        if (first == 0 && !sorts) return number;
        if (first == 0 || !sorts) return std::nullopt;
        return text_of({0, by}) + " sorted by " + text_of(group->front().span) + rest;
      }
      const bool is_amount = is_listed(amount_words, at(first)) && at(by) == "by" && is_name({first + 1, by});
      if (!is_amount) return std::nullopt;
      auto text = text_before(first);
      text += at(first) == "avg" ? "average " + text_of({first + 1, by}) : text_of({first, by});
      text += of_each;
      return text;
    }
    return std::nullopt;
  }

  // "Monthly number of orders": the number for each month.
  std::optional<std::string> with_periods() const {
    const auto& columns = view_.domain().columns();
    if (columns.empty() || columns.back().part_of.date == nothing) return std::nullopt;
    for (std::size_t i = 0; i + 1 < end_; ++i)
      if (const auto unit = period_of_amount(view_.question(), i))
        return text_before(i) + text_of({i + 1, end_}) + " for each " + (*unit == DateUnit::year ? "year" : "month");
    return std::nullopt;
  }

  // "City and number of members": the number for each city.
  std::optional<std::string> with_implied_groups() const {
    constexpr std::string_view group_words[] = {"each", "every", "per", "by", "for", "different", "distinct"};
    std::size_t first = 0;
    while (first < end_ && is_request_word(view_, first)) ++first;
    for (auto i = first; i < end_; ++i)
      if (words_[i].quoted || is_listed(group_words, at(i))) return std::nullopt;
    const auto items = read_answer_items(view_, {first, end_});
    if (!items || items->size() < 2 || items->front().aggregate != Aggregate::none || items->front().columns.empty() ||
        std::any_of(items->begin() + 1, items->end(),
                    [](const AnswerItem& item) { return item.aggregate == Aggregate::none; }))
      return std::nullopt;
    return text_of({0, end_}) + " for each " + text_of(items->front().span);
  }

  // "Name the jurors who ..." asks for jurors.
  std::optional<std::string> without_naming() const {
    constexpr std::string_view determiners[] = {"the", "all", "every", "each", "any", "those"};
    if (at(0) != "name" || words_[0].quoted || !is_listed(determiners, at(1))) return std::nullopt;
    for (auto last = std::size_t{3}; last <= end_ && last < 6; ++last)
      if (is_rows({2, last})) return "list " + text_of({1, end_});
    return std::nullopt;
  }

  bool once_ = false;  // "no duplicates"
  std::size_t tries_left_ = max_tries;
};

}  // namespace

std::optional<std::string> restate(const QuestionView& view) { return Restatement(view).find(); }

}  // namespace trustsql::semparse
