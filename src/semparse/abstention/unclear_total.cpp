#include "semparse/abstention/unclear_total.hpp"

#include <algorithm>
#include <string_view>

#include "semparse/question/units.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

// Whether amounts of several rows are added by habit: quantities, weights, times; not prices, grades and years.
bool adds_up(const DomainColumn& column) {
  constexpr std::string_view amounts[] = {"quantity", "qty",    "amount",   "unit",   "units",   "copy",
                                          "copies",   "piece",  "hour",     "minute", "point",   "goal",
                                          "kilo",     "volume", "distance", "mile",   "revenue", "total",
                                          "day",      "night",  "download", "view",   "page",    "ticket"};
  constexpr std::string_view units[] = {"kg", "g", "t", "l", "ml", "km", "mi", "min", "hr"};
  if (column.kind != DataKind::number || column.is_id) return false;
  return std::any_of(column.all_words.begin(), column.all_words.end(), [&](const std::string& word) {
    return is_listed(amounts, word) || is_listed(units, unit_of(word));
  });
}

class UnclearTotal {
 public:
  UnclearTotal(const QuestionView& view, const Block& block) : view_(view), domain_(view.domain()), block_(block) {}

  std::optional<ColumnId> find() const {
    const auto asked = asked_table();
    if (asked == nothing || !block_.group.empty()) return std::nullopt;
    for (const auto& condition : block_.where)
      if (is_bound(condition.comparison) && is_doubtful(condition.term, asked)) return condition.term.column;
    for (const auto& order : block_.order)
      if (block_.limit && is_doubtful(order.term, asked)) return order.term.column;
    return std::nullopt;
  }

  // "The dog that walked the most": as often, or as far. An amount of the rows that the reading counts.
  std::optional<ColumnId> find_most() const {
    const auto asked = asked_table();
    if (asked == nothing || block_.group.empty()) return std::nullopt;
    const auto& words = view_.question().words;
    auto last = words.size();
    while (last > 0 && (words[last - 1].lower == "?" || words[last - 1].lower == ".")) --last;
    if (last < 2 || (words[last - 1].lower != "most" && words[last - 1].lower != "least")) return std::nullopt;
    if (block_.order.empty() || block_.order.front().term.aggregate != Aggregate::count) return std::nullopt;
    for (ColumnId id = 0; id < static_cast<ColumnId>(domain_.columns().size()); ++id) {
      const auto& column = domain_.column(id);
      if (refers_to(column.table, asked) && adds_up(column) && is_joined(column.table)) return id;
    }
    return std::nullopt;
  }

 private:
  static bool is_bound(Comparison comparison) {
    return comparison == Comparison::greater || comparison == Comparison::less ||
           comparison == Comparison::greater_equal || comparison == Comparison::less_equal ||
           comparison == Comparison::between;
  }

  // The table of all that is selected; `nothing` if there are several.
  TableId asked_table() const {
    TableId asked = nothing;
    for (const auto& term : block_.select) {
      if (term.column == nothing || (term.aggregate != Aggregate::none && term.aggregate != Aggregate::count))
        return nothing;
      const auto table = domain_.column(term.column).table;
      if (asked != nothing && asked != table) return nothing;
      asked = table;
    }
    return asked;
  }

  bool is_doubtful(const Term& term, TableId asked) const {
    if (term.column == nothing || term.aggregate != Aggregate::none) return false;
    const auto& column = domain_.column(term.column);
    return refers_to(column.table, asked) && adds_up(column) && !names_rows(column.table);
  }

  // Whether rows of the table are what the reading counts.
  bool is_joined(TableId table) const {
    const auto& term = block_.order.front().term;
    const bool counted = term.column != nothing ? domain_.column(term.column).table == table : term.table == table;
    return counted || std::find(block_.tables.begin(), block_.tables.end(), table) != block_.tables.end();
  }

  // Whether rows of the one table refer to rows of the other.
  bool refers_to(TableId table, TableId parent) const {
    const auto edges = domain_.edges_between(table, parent);
    return table != parent && std::any_of(edges.begin(), edges.end(), [&](std::size_t edge) {
             return domain_.column(domain_.edges()[edge].child).table == table;
           });
  }

  // Whether the question speaks of rows of the table: "a harvest", and not "harvested", "sold", or "days of absence".
  bool names_rows(TableId table) const {
    const auto& words = view_.question().words;
    const auto& mentions = view_.linking().tables[static_cast<std::size_t>(table)];
    return std::any_of(mentions.begin(), mentions.end(), [&words](const Mention& mention) {
      const auto& noun = words[mention.span.last - 1];
      const bool bare = mention.span.first > 0 && words[mention.span.first - 1].lower == "of" &&
                        (noun.lower == noun.lemma() || !noun.lower.ends_with('s'));
      return mention.spelled_out() && !is_past_participle(noun) && !bare;
    });
  }

  const QuestionView& view_;
  const Domain& domain_;
  const Block& block_;
};

}  // namespace

std::optional<ColumnId> unclear_total(const QuestionView& view, const Candidate& candidate) {
  return UnclearTotal(view, candidate.tree.block).find();
}

std::optional<ColumnId> unclear_most(const QuestionView& view, const Candidate& candidate) {
  return UnclearTotal(view, candidate.tree.block).find_most();
}

}  // namespace trustsql::semparse
