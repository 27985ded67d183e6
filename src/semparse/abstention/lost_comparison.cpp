#include "semparse/abstention/lost_comparison.hpp"

#include <algorithm>
#include <string_view>

#include "semparse/database/people.hpp"
#include "semparse/question/gradable.hpp"
#include "semparse/tree/tree_operators.hpp"
#include "semparse/tree/tree_sql.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

class LostComparison {
 public:
  LostComparison(const QuestionView& view, const Candidate& candidate)
      : view_(view), words_(view.question().words), candidate_(candidate) {}

  std::optional<std::size_t> find() const {
    for (std::size_t i = 0; i < candidate_.draft.uses.size(); ++i) {
      const auto& literal = view_.literals()[i];
      if (candidate_.draft.uses[i] == LiteralUse::unused || literal.value == nullptr) continue;
      if (const auto word = compared_with(literal.span.first)) return word;
      if (is_season(literal.span) || is_place(literal.span.first, candidate_.draft.literal_columns[i]))
        return literal.span.first;
    }
    if (const auto word = extreme_of_others()) return word;
    if (const auto word = but_of_no_denial()) return word;
    if (const auto word = but_of_a_value()) return word;
    if (const auto word = time()) return word;
    if (is_nobody()) return 0;
    return value_itself();
  }

 private:
  std::string_view at(std::size_t i) const { return i < words_.size() ? words_[i].lower : std::string_view(); }

  // The word that compares something with the row that the value at `first` names.
  std::optional<std::size_t> compared_with(std::size_t first) const {
    constexpr std::string_view articles[] = {"the", "a", "an"};
    constexpr std::string_view comparing[] = {"different", "same", "other", "another"};
    constexpr std::string_view links[] = {"from", "as", "than", "to"};
    constexpr std::size_t reach = 5;
    auto i = first;
    while (i > 0 && (is_listed(articles, at(i - 1)) || view_.kind(i - 1) == Symbol::value)) --i;
    if (i == 0 || !is_listed(links, at(i - 1))) return std::nullopt;
    const auto link = i - 1;
    if (at(link) == "than" && at(link - 1) != "other" && at(link - 1) != "rather") return link;
    for (auto word = link; word > 0 && link - word < reach; --word)
      if (is_listed(comparing, at(word - 1)) && at(link - 1) != "other") return word - 1;
    return std::nullopt;
  }

  // "Planted in summer" is a time, whatever else is called so.
  bool is_season(WordSpan span) const {
    constexpr std::string_view seasons[] = {"spring", "summer", "autumn", "winter"};
    if (span.size() != 1 || span.first == 0 || words_[span.first].quoted || !is_listed(seasons, at(span.first)))
      return false;
    const auto link = at(span.first - 1) == "the" && span.first > 1 ? span.first - 2 : span.first - 1;
    return at(link) == "in" || at(link) == "during";
  }

  // "From Dover", read as the name of a person.
  bool is_place(std::size_t first, ColumnId column) const {
    constexpr std::string_view links[] = {"in", "from", "at", "near"};
    const auto& domain = view_.domain();
    if (column == nothing || first == 0 || !is_listed(links, at(first - 1))) return false;
    const auto table = domain.column(column).table;
    return are_people(domain, table) && domain.table(table).surname != nothing &&
           (column == domain.table(table).surname || column == domain.table(table).display);
  }

  // "The biggest harvest" is no harvest of the biggest field: the place of the superlative.
  std::optional<std::size_t> extreme_of_others() const {
    const auto& domain = view_.domain();
    const auto& order = candidate_.tree.block.order;
    if (!candidate_.tree.block.limit || order.empty() || order.front().term.column == nothing ||
        order.front().term.aggregate != Aggregate::none)
      return std::nullopt;
    const auto ordered = domain.stored_table(domain.column(order.front().term.column).table);
    for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
      if (!at(i).ends_with("est") || graded_at(view_.question(), i) == nullptr) continue;
      for (TableId table = 0; table < static_cast<TableId>(domain.tables().size()); ++table)
        for (const auto& mention : view_.linking().tables[static_cast<std::size_t>(table)])
          if (mention.span.first == i + 1 && mention.spelled_out() && domain.stored_table(table) != ordered) return i;
    }
    return std::nullopt;
  }

  std::optional<std::size_t> but_of_no_denial() const {
    constexpr std::string_view denials[] = {"not",  "no",      "never",  "without", "neither", "nor",
                                            "none", "nothing", "nobody", "except",  "cannot"};
    if (candidate_.tree.operation != SetOperation::except) return std::nullopt;
    for (std::size_t i = 1; i + 1 < words_.size(); ++i) {
      if (at(i) != "but" || words_[i].quoted) continue;
      const bool denies = std::any_of(words_.begin() + static_cast<std::ptrdiff_t>(i), words_.end(),
                                      [&denials](const Word& word) { return is_listed(denials, word.lower); });
      if (!denies) return i;
    }
    return std::nullopt;
  }

  // "No phone but an email", where the reading returns the email and does not ask whether there is one.
  std::optional<std::size_t> but_of_a_value() const {
    constexpr std::size_t reach = 4;
    const auto& block = candidate_.tree.block;
    for (std::size_t i = 1; i + 1 < words_.size(); ++i) {
      if (at(i) != "but" || words_[i].quoted || at(i - 1) == "anything") continue;
      for (const auto& term : block.select) {
        if (term.column == nothing || view_.domain().is_display(term.column)) continue;
        const auto& mentions = view_.linking().columns[static_cast<std::size_t>(term.column)];
        if (std::any_of(mentions.begin(), mentions.end(), [i](const Mention& mention) {
              return mention.span.first > i && mention.span.first <= i + reach;
            }))
          return i;
      }
    }
    return std::nullopt;
  }

  std::optional<std::size_t> time() const {
    constexpr std::string_view earlier[] = {"before", "previously", "formerly", "originally"};
    auto last = words_.size();
    while (last > 0 && (at(last - 1) == "?" || at(last - 1) == ".")) --last;
    if (last > 1 && is_listed(earlier, at(last - 1)) && view_.kind(last - 1) == Symbol::word) return last - 1;
    // "How long did it last" asks for no end.
    const bool is_end = at(last - 1) == "first" || (at(last - 1) == "last" && at(1) != "long");
    if (last > 1 && is_end && !picks_end()) return last - 1;
    for (std::size_t i = 1; i < words_.size(); ++i) {
      const auto kind = view_.kind(i);
      const bool is_verb = kind == Symbol::word || kind == Symbol::unknown;
      if (at(i) == "will" && !words_[i].quoted && !words_[i].capitalised && is_verb) return i;
    }
    return std::nullopt;
  }

  // Whether the reading takes the first or the last of something, or puts them there.
  bool picks_end() const {
    const auto used = operators_of(candidate_.tree);
    return used.minimum + used.maximum + used.first_ascending + used.first_descending + used.order > 0;
  }

  // "Who leads Ada Moe" does not ask for companies.
  bool is_nobody() const {
    const auto& domain = view_.domain();
    const auto& block = candidate_.tree.block;
    if (at(0) != "who" || block.select.empty() || block.select.front().column == nothing) return false;
    // Nor does it ask for the number of somebody.
    if (domain.column(block.select.front().column).is_id && block.select.front().aggregate == Aggregate::none)
      return true;
    const auto asked = domain.column(block.select.front().column).table;
    if (are_people(domain, asked) || !domain.is_display(block.select.front().column)) return false;
    // Rows that people are referred to by, as well: who sold a lot is its seller.
    const auto refers_to_people = [&domain](TableId table) {
      const auto& edges = domain.edges_of(table);
      return std::any_of(edges.begin(), edges.end(), [&](std::size_t edge) {
        return domain.column(domain.edges()[edge].child).table == table &&
               are_people(domain, domain.column(domain.edges()[edge].parent).table);
      });
    };
    constexpr std::string_view groups[] = {"team",         "club",   "band",    "company", "organisation",
                                           "organization", "party",  "country", "firm",    "school",
                                           "group",        "agency", "nation"};
    const auto& names = domain.table(asked).words;
    const bool acts = !names.empty() && is_listed(groups, names.back());
    const auto tables = tables_of(domain, block);
    return std::any_of(tables.begin(), tables.end(),
                       [&](TableId table) { return are_people(domain, table) || (!acts && refers_to_people(table)); });
  }

  std::optional<std::size_t> value_itself() const {
    const auto& block = candidate_.tree.block;
    if (block.select.size() != 1 || block.select.front().aggregate != Aggregate::none) return std::nullopt;
    for (std::size_t i = 0; i < candidate_.draft.uses.size(); ++i) {
      const auto column = candidate_.draft.literal_columns[i];
      if (candidate_.draft.uses[i] != LiteralUse::where || view_.literals()[i].value == nullptr ||
          column != block.select.front().column)
        continue;
      const bool equal = std::any_of(block.where.begin(), block.where.end(), [column](const Condition& condition) {
        return condition.term.column == column && condition.comparison == Comparison::equal &&
               condition.values.size() == 1;
      });
      if (equal && !block.any && candidate_.tree.operation == SetOperation::none) return view_.literals()[i].span.first;
    }
    return std::nullopt;
  }

  const QuestionView& view_;
  const std::vector<Word>& words_;
  const Candidate& candidate_;
};

}  // namespace

std::optional<std::size_t> lost_comparison(const QuestionView& view, const Candidate& candidate) {
  return LostComparison(view, candidate).find();
}

}  // namespace trustsql::semparse
