#include "semparse/question/asked_order.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "semparse/question/answer_list.hpp"
#include "semparse/question/asked_rows.hpp"
#include "semparse/question/extremes.hpp"
#include "semparse/question/graded_columns.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::string_view marks[] = {",", ";", ":", "-", "\u2013", "\u2014"};
constexpr std::string_view great_words[] = {"high", "highest", "large", "largest",
                                            "big",  "biggest", "most",  "greatest"};
constexpr std::string_view small_words[] = {"low", "lowest", "small", "smallest", "least", "fewest"};

class OrderFinder {
 public:
  explicit OrderFinder(const QuestionView& view) : view_(view), words_(view.question().words) {}

  std::optional<AskedOrder> find() const {
    for (std::size_t i = 1; i < words_.size(); ++i) {
      if (words_[i].quoted) continue;
      if (is_order_superlative(view_.question(), i)) return first_or_last(i);
      if (at(i) == "from")
        if (auto order = range(i)) return order;
      if (auto order = direction(i)) return order;
    }
    return std::nullopt;
  }

 private:
  // What rows are sorted by.
  struct Key {
    ColumnId column = nothing;  // `nothing`: an amount
    std::string text{};
    std::size_t first = 0;  // where the words that say it begin, if they belong to the order; else 0
  };

  std::string_view at(std::size_t i) const { return i < words_.size() ? words_[i].lower : std::string_view(); }

  bool is_recent(std::size_t i) const { return at(i) == "most" && (at(i + 1) == "recent" || at(i + 1) == "recently"); }

  // "[, the] cheapest [noun] first".
  std::optional<AskedOrder> first_or_last(std::size_t superlative) const {
    auto end = superlative + 1;
    while (at(end) != "first" && at(end) != "last") ++end;
    auto noun = superlative + 1;
    const bool of_two = at(superlative) == "most" || at(superlative) == "least";
    if (of_two && noun < end) ++noun;
    const auto begin = before_opening(superlative);
    auto key = by_column(begin);
    if (!key && noun < end && !names_rows({noun, end})) {
      key = named({noun, end});
      if (!key) return std::nullopt;
    }
    if (!key) key = implied(superlative, begin);
    if (!key) return std::nullopt;
    auto extreme = end_of(superlative, *key);
    if (extreme == Extreme::unknown) return std::nullopt;
    const bool descending = (extreme == Extreme::greatest) == (at(end) == "first");
    return order_of(*key, {begin, end + 1}, descending);
  }

  // "From highest to lowest", "from oldest to newest".
  std::optional<AskedOrder> range(std::size_t from) const {
    constexpr std::size_t reach = 4;
    const auto first = from + (at(from + 1) == "the" ? 2 : 1);
    auto to = first + 1;
    while (to < std::min(words_.size(), first + reach) && at(to) != "to") ++to;
    if (at(to) != "to" || first >= words_.size()) return std::nullopt;
    auto last = to + (at(to + 1) == "the" ? 2 : 1);
    const auto other = last;
    if (at(last) == "most" || at(last) == "least") ++last;
    if (last >= words_.size()) return std::nullopt;
    const bool of_amounts = (is_listed(great_words, at(first)) && is_listed(small_words, at(other))) ||
                            (is_listed(small_words, at(first)) && is_listed(great_words, at(other)));
    const auto begin = before_opening(from);
    auto key = by_column(begin);
    if (!key && !of_amounts) key = graded(first);
    if (!key) return std::nullopt;
    if (of_amounts && to == first + 1) return order_of(*key, {begin, last + 1}, is_listed(great_words, at(first)));
    const auto extreme = end_of(first, *key);
    if (extreme == Extreme::unknown || end_of(other, *key) == extreme) return std::nullopt;
    return order_of(*key, {begin, last + 1}, extreme == Extreme::greatest);
  }

  // "By price descending", "sorted by price, desc".
  std::optional<AskedOrder> direction(std::size_t i) const {
    constexpr std::string_view down[] = {"descending", "desc", "descendingly"};
    constexpr std::string_view up[] = {"ascending", "asc", "ascendingly"};
    const bool descending = is_listed(down, at(i));
    if ((!descending && !is_listed(up, at(i))) || at(i - 1) == "in" || at(i + 1) == "order") return std::nullopt;
    const auto key = by_column(i);
    if (!key) return std::nullopt;
    return order_of(*key, {i, i + 1}, descending);
  }

  AskedOrder order_of(const Key& key, WordSpan span, bool descending) const {
    if (key.first > 0) span.first = key.first;
    while (span.first > 1 && is_listed(marks, at(span.first - 1))) --span.first;
    return {span, (descending ? " in descending order of " : ", sorted by ") + key.text};
  }

  // The word behind what is in front of the order, without words that only lead to it: "starting with the".
  std::size_t before_opening(std::size_t i) const {
    constexpr std::string_view openings[] = {"the", "with", "starting", "beginning", "in", "order", "going", "running"};
    while (i > 1 && !words_[i - 1].quoted && is_listed(openings, at(i - 1))) --i;
    return i;
  }

  // "By price", "sorted by price", "in order of price", before word `end` and the mark in front of it.
  std::optional<Key> by_column(std::size_t end) const {
    constexpr std::string_view sorting[] = {"sorted",   "ordered", "ranked", "arranged", "sort",
                                            "ordering", "arrange", "rank",   "listed",   "order"};
    constexpr std::size_t reach = 6;
    while (end > 1 && is_listed(marks, at(end - 1))) --end;
    for (auto by = end; by-- > std::max<std::size_t>(1, end > reach ? end - reach : 0);) {
      if (words_[by].quoted || (at(by) != "by" && !(at(by) == "of" && at(by - 1) == "order"))) continue;
      const auto name = by + (at(by + 1) == "the" || at(by + 1) == "their" ? 2 : 1);
      if (name >= end) return std::nullopt;
      auto key = named({name, end});
      if (!key) return std::nullopt;
      key->first = by;
      while (key->first > 1 &&
             (is_listed(sorting, at(key->first - 1)) || at(key->first - 1) == "in" || at(key->first - 1) == "and"))
        --key->first;
      return key;
    }
    return std::nullopt;
  }

  // The column that the words name, of the asked rows if they have such a one; the amount that they name.
  std::optional<Key> named(WordSpan name) const {
    const auto text = std::string(view_.question().text_of(name));
    const auto asked = asked_table(view_);
    std::vector<ColumnId> columns;
    for (ColumnId id = 0; id < static_cast<ColumnId>(view_.domain().columns().size()); ++id) {
      const auto& mentions = view_.linking().columns[static_cast<std::size_t>(id)];
      if (std::any_of(mentions.begin(), mentions.end(), [name](const Mention& mention) {
            return mention.span == name && mention.weakest >= WordMatch::synonym;
          }))
        columns.push_back(id);
    }
    const auto of_asked = std::find_if(columns.begin(), columns.end(),
                                       [&](ColumnId id) { return view_.domain().column(id).table == asked; });
    if (of_asked != columns.end()) return Key{*of_asked, text};
    if (!columns.empty()) return Key{columns.front(), text};
    const auto items = read_answer_items(view_, name);
    const bool is_amount = items && items->size() == 1 && items->front().aggregate != Aggregate::none;
    if (auto amount = returned_amount(); amount && is_amount) return amount;
    if (is_amount && !items->front().columns.empty()) return Key{nothing, "the " + text};
    return std::nullopt;
  }

  bool names_rows(WordSpan name) const {
    const auto& tables = view_.linking().tables;
    return std::any_of(tables.begin(), tables.end(), [name](const std::vector<Mention>& mentions) {
      return std::any_of(mentions.begin(), mentions.end(),
                         [name](const Mention& mention) { return mention.span == name; });
    });
  }

  // The one amount that the question asks for at its beginning.
  std::optional<Key> returned_amount() const {
    const auto list = opening_list(view_);
    if (!list) return std::nullopt;
    std::optional<Key> amount;
    for (const auto& item : list->items) {
      if (item.aggregate == Aggregate::none) continue;
      if (amount) return std::nullopt;
      amount = Key{nothing, "the " + std::string(view_.question().text_of(item.span))};
    }
    return amount;
  }

  // What a superlative without a noun is about: what its adjective measures, or the only amount that is returned.
  std::optional<Key> implied(std::size_t superlative, std::size_t begin) const {
    if (auto key = graded(superlative)) return key;
    if (!is_listed(great_words, at(superlative)) && !is_listed(small_words, at(superlative))) return std::nullopt;
    if (auto amount = returned_amount()) return amount;
    std::vector<ColumnId> numbers;
    const auto asked = asked_table(view_);
    for (ColumnId id = 0; id < static_cast<ColumnId>(view_.domain().columns().size()); ++id) {
      const auto& column = view_.domain().column(id);
      const auto* mention = view_.column_mention(id);
      if (column.kind == DataKind::number && !column.is_id && mention != nullptr && mention->spelled_out() &&
          mention->span.last <= begin && (asked == nothing || column.table == asked))
        numbers.push_back(id);
    }
    return numbers.size() == 1 ? std::optional(key_of(numbers.front())) : std::nullopt;
  }

  // The one column that the adjective may be about: that the question names, of the asked rows, or the only one.
  std::optional<Key> graded(std::size_t superlative) const {
    auto columns = graded_columns(view_, superlative);
    const auto keep = [&columns](const auto& wanted) {
      if (std::any_of(columns.begin(), columns.end(), wanted))
        std::erase_if(columns, [&wanted](ColumnId id) { return !wanted(id); });
    };
    const auto asked = asked_table(view_);
    keep([&](ColumnId id) { return view_.domain().column(id).table == asked; });
    keep([&](ColumnId id) {
      const auto* mention = view_.column_mention(id);
      return mention != nullptr && mention->weakest >= WordMatch::synonym &&
             !(mention->span.first <= superlative && superlative < mention->span.last);
    });
    keep([&](ColumnId id) {
      const auto* mention = view_.column_mention(id);
      return mention != nullptr && mention->spelled_out();
    });
    if (columns.size() != 1) return std::nullopt;
    if (asked != nothing && view_.domain().column(columns.front()).table != asked) return std::nullopt;
    return key_of(columns.front());
  }

  // The words by which the question names it, if it does so.
  Key key_of(ColumnId id) const {
    constexpr float most_of_it = 0.6F;
    for (const auto& mention : view_.linking().columns[static_cast<std::size_t>(id)])
      if (mention.weakest >= WordMatch::abbreviation && mention.coverage > most_of_it)
        return {id, std::string(view_.question().text_of(mention.span))};
    std::string text;
    for (const auto& word : view_.domain().column(id).all_words) text += (text.empty() ? "" : " ") + word;
    return {id, std::move(text)};
  }

  Extreme end_of(std::size_t superlative, const Key& key) const {
    static const DomainColumn any_amount{.name = {}, .kind = DataKind::number};
    const auto& column = key.column == nothing ? any_amount : view_.domain().column(key.column);
    return asked_extreme(view_.question(), superlative + (is_recent(superlative) ? 1 : 0), column);
  }

  const QuestionView& view_;
  const std::vector<Word>& words_;
};

}  // namespace

std::optional<AskedOrder> asked_order(const QuestionView& view) { return OrderFinder(view).find(); }

}  // namespace trustsql::semparse
