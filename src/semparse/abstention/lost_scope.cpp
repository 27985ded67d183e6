#include "semparse/abstention/lost_scope.hpp"

#include <algorithm>
#include <string_view>

#include "semparse/question/asked_rows.hpp"
#include "semparse/question/gradable.hpp"
#include "semparse/question/question_cues.hpp"
#include "semparse/tree/joins.hpp"
#include "semparse/tree/query_leaves.hpp"
#include "semparse/tree/tree_sql.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

std::optional<std::size_t> lost_only(const QuestionView& view, const Candidate& candidate) {
  constexpr std::string_view only_words[] = {"only", "exclusively", "solely", "purely"};
  constexpr std::size_t reach = 4;  // words between "only" and the value
  const auto& words = view.question().words;
  const auto& draft = candidate.draft;
  const bool excludes =
      candidate.tree.operation == SetOperation::except || draft.skeleton->subquery == SubqueryKind::missing;
  if (excludes || tables_of(view.domain(), candidate.tree.block).size() < 2) return std::nullopt;
  const auto asked = asked_table(view);
  const auto is_used = [&](std::size_t literal) {
    return draft.uses[literal] == LiteralUse::where && view.literals()[literal].value != nullptr &&
           view.domain().column(draft.literal_columns[literal]).table != asked;
  };
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i].quoted || !is_listed(only_words, words[i].lower) || words[i - 1].lower == "not") continue;
    for (std::size_t literal = 0; literal < draft.uses.size(); ++literal) {
      const auto first = view.literals()[literal].span.first;
      if (first > i && first - i <= reach && is_used(literal)) return i;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> lost_ties(const QuestionView& view, const Candidate& candidate) {
  constexpr std::string_view links[] = {"in", "from", "at", "on", "during"};
  const auto& words = view.question().words;
  const auto table = asked_table(view);
  if (candidate.tree.block.limit != 1 || table == nothing) return std::nullopt;
  const auto& mentions = view.linking().tables[static_cast<std::size_t>(table)];
  const bool plural = std::any_of(mentions.begin(), mentions.end(), [&words](const Mention& mention) {
    const auto& last = words[mention.span.last - 1];
    return mention.spelled_out() && last.lower != last.lemma();
  });
  if (!plural) return std::nullopt;
  for (std::size_t i = 2; i + 1 < words.size(); ++i)
    if (is_superlative_word(view.question(), i) && words[i - 1].lower == "the" &&
        is_listed(links, words[i - 2].lower) &&
        (view.kind(i + 1) == Symbol::column || view.kind(i + 1) == Symbol::part))
      return i;
  return std::nullopt;
}

std::optional<std::size_t> lost_amount(const QuestionView& view, const Candidate& candidate) {
  const auto& domain = view.domain();
  const auto& block = candidate.tree.block;
  const bool counts = block.select.size() == 1 && block.select.front().aggregate == Aggregate::count &&
                      block.group.empty() && candidate.tree.operation == SetOperation::none;
  if (!counts || block.any) return std::nullopt;
  const auto& count = block.select.front();
  const auto counted = count.column == nothing ? count.table : domain.column(count.column).table;
  const bool of_rows = count.column == nothing || (count.distinct && count.column == domain.table(counted).key);
  if (tables_of(domain, block).size() != 1 && !of_rows) return std::nullopt;
  const bool names_row =
      std::any_of(block.where.begin(), block.where.end(), [&domain, counted](const Condition& condition) {
        const auto id = condition.term.column;
        return condition.comparison == Comparison::equal && condition.values.size() == 1 && id != nothing &&
               domain.is_display(id) && !domain.column(id).shared && domain.column(id).table == counted &&
               domain.table(counted).display == id;
      });
  const auto& words = view.question().words;
  for (std::size_t i = 0; names_row && i < words.size(); ++i)
    if (words[i].lower == "many" || words[i].lower == "number") return i;
  return std::nullopt;
}

std::optional<std::size_t> lost_all(const QuestionView& view, const Candidate& candidate) {
  constexpr std::string_view all_words[] = {"every", "each", "both"};
  constexpr std::string_view groups[] = {"for", "in", "of", "per", "from", "at", "by", "with", "on", "and"};
  constexpr std::size_t reach = 3;  // words between "every" and the name
  const auto& words = view.question().words;
  const auto& tree = candidate.tree;
  const auto asked = asked_table(view);
  if (!tree.block.group.empty() || tree.operation != SetOperation::none || asked == nothing) return std::nullopt;
  const auto names_other = [&](std::size_t i) {
    for (TableId table = 0; table < static_cast<TableId>(view.domain().tables().size()); ++table)
      for (const auto& mention : view.linking().tables[static_cast<std::size_t>(table)])
        if (table != asked && mention.span.first == i && mention.spelled_out()) return true;
    return std::any_of(view.linking().values.begin(), view.linking().values.end(), [i](const ValueMention& value) {
      return value.span.first == i && !value.is_flag && !value.cells.empty();
    });
  };
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (words[i].quoted || !is_listed(all_words, words[i].lower)) continue;
    const bool groups_rows = i == 1 || (words[i].lower == "each" && words[i - 1].lower != "for");
    if (groups_rows && is_listed(groups, words[i - 1].lower)) continue;
    if (words[i].lower == "both") {
      const auto last = std::min(words.size(), i + 2 * reach);
      if (std::any_of(words.begin() + static_cast<std::ptrdiff_t>(i), words.begin() + static_cast<std::ptrdiff_t>(last),
                      [](const Word& word) { return word.lower == "and"; }))
        continue;
    }
    for (auto next = i + 1; next < words.size() && next <= i + reach; ++next)
      if (names_other(next)) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> lost_sum(const QuestionView& view, const Candidate& candidate) {
  const auto& words = view.question().words;
  const auto& block = candidate.tree.block;
  const bool counts = block.select.size() == 1 && block.select.front().aggregate == Aggregate::count;
  if (!counts || words.size() < 3 || words[0].lower != "how" || words[1].lower != "much") return std::nullopt;
  return 1;
}

std::optional<std::size_t> lost_exchange(const QuestionView& view, const Candidate& candidate,
                                         const Explanation& explanation) {
  constexpr std::string_view verbs[] = {"buy", "sell", "borrow", "lend", "rent", "hire", "give", "receive", "donate"};
  constexpr std::string_view events[] = {
      "order", "purchase", "sale",   "transaction", "payment", "invoice", "loan",    "rental", "donation", "booking",
      "hire",  "hiring",   "review", "rating",      "score",   "vote",    "award",   "gift",   "delivery", "shipment",
      "visit", "lesson",   "class",  "course",      "trade",   "line",    "receipt", "ticket"};
  const auto& domain = view.domain();
  const auto& words = view.question().words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_exchange = std::any_of(words[i].lemmas.begin(), words[i].lemmas.end(),
                                         [&verbs](const std::string& lemma) { return is_listed(verbs, lemma); });
    const bool request =
        words[i].lower == "give" &&
        (i == 0 || (i + 1 < words.size() && (words[i + 1].lower == "me" || words[i + 1].lower == "us")));
    if (!is_exchange || request || words[i].quoted || explanation.explained[i]) continue;
    const auto terminals = tables_of(domain, candidate.tree.block);
    if (terminals.size() < 2) continue;
    const auto trees = join_trees(domain, terminals, 1, candidate.tree.block.joins);
    if (trees.empty()) continue;
    const bool has_event = std::any_of(trees.front().tables.begin(), trees.front().tables.end(), [&](TableId table) {
      const auto& name = domain.table(table).words;
      return std::any_of(name.begin(), name.end(),
                         [&events](const std::string& word) { return is_listed(events, word); });
    });
    if (!has_event) return i;
  }
  return std::nullopt;
}

namespace {

// Whether the column's name says that its amounts are in thousands or millions, salary_k or budget_meur, and one of the
// numbers would be far too large then.
bool is_in_thousands(const DomainColumn& column, const std::vector<Value>& values) {
  constexpr std::string_view marks[] = {"k", "keur", "kusd", "kgbp", "m", "meur", "musd", "mgbp", "mio", "mn"};
  constexpr double thousand = 1000;
  if (column.all_words.size() < 2 || !is_listed(marks, column.all_words.back())) return false;
  return std::any_of(values.begin(), values.end(), [&](const Value& value) {
    const auto* integer = std::get_if<std::int64_t>(&value);
    const auto* real = std::get_if<double>(&value);
    const double number = integer != nullptr ? static_cast<double>(*integer) : real != nullptr ? *real : 0;
    return number >= thousand && (!column.max || number > *column.max);
  });
}

// Whether SQLite compares the column with the numbers as numbers, or as texts of the same length.
bool sorts_with(const DomainColumn& column, const std::vector<Value>& values) {
  return !column.has_text_numbers || std::all_of(values.begin(), values.end(), [&column](const Value& value) {
    const auto* number = std::get_if<std::int64_t>(&value);
    return number != nullptr && column.text_length == static_cast<std::int64_t>(std::to_string(*number).size());
  });
}

}  // namespace

std::optional<ColumnId> mixed_amounts(const QuestionView& view, const Candidate& candidate) {
  const auto& domain = view.domain();
  const auto& block = candidate.tree.block;
  const auto is_currency = [](const DomainColumn& column) {
    return column.kind == DataKind::text && is_listed(column.all_words, std::string_view("currency"));
  };
  const auto used = leaves_of(candidate.tree, domain).columns;
  const auto is_doubtful = [&](ColumnId id) {
    if (id == nothing) return false;
    const auto& column = domain.column(id);
    if (column.kind == DataKind::text) return true;
    if (!is_price(column)) return false;
    const auto& table = domain.table(column.table);
    for (auto other = table.first_column; other < table.last_column; ++other)
      if (is_currency(domain.column(other)) && std::find(used.begin(), used.end(), other) == used.end()) return true;
    return false;
  };
  const auto calculates = [](Aggregate aggregate) {
    return aggregate == Aggregate::sum || aggregate == Aggregate::avg;
  };
  // Texts of one length sort as numbers do.
  const auto is_unordered = [&domain](ColumnId id) {
    return id != nothing && domain.column(id).has_text_numbers && !domain.column(id).text_length;
  };
  const auto is_extreme = [](Aggregate aggregate) {
    return aggregate == Aggregate::min || aggregate == Aggregate::max;
  };
  ColumnId doubtful = nothing;
  for (const auto& term : block.select)
    if ((calculates(term.aggregate) && is_doubtful(term.column)) ||
        (is_extreme(term.aggregate) && is_unordered(term.column)))
      doubtful = term.column;
  for (const auto& order : block.order)
    if ((calculates(order.term.aggregate) && is_doubtful(order.term.column)) ||
        ((order.term.aggregate == Aggregate::none || is_extreme(order.term.aggregate)) &&
         is_unordered(order.term.column)))
      doubtful = order.term.column;
  for (const auto& condition : block.where) {
    const bool ordered = condition.comparison == Comparison::less || condition.comparison == Comparison::less_equal ||
                         condition.comparison == Comparison::greater ||
                         condition.comparison == Comparison::greater_equal ||
                         condition.comparison == Comparison::between;
    const bool number = !condition.values.empty() && !std::holds_alternative<std::string>(condition.values.front());
    const auto id = condition.term.column;
    if (ordered && number && id != nothing && is_in_thousands(domain.column(id), condition.values)) doubtful = id;
    if (ordered && number && (is_doubtful(id) || (id != nothing && !sorts_with(domain.column(id), condition.values))))
      doubtful = id;
  }
  return doubtful == nothing ? std::nullopt : std::optional(doubtful);
}

std::optional<std::size_t> lost_other_side(const QuestionView& view, const Candidate& candidate) {
  const auto& domain = view.domain();
  for (const auto& condition : candidate.tree.block.where) {
    if (condition.comparison != Comparison::in || condition.term.column == nothing) continue;
    const auto tables = tables_of(domain, condition.subquery.front());
    const auto selected = condition.subquery.front().select.front().column;
    const auto outer = domain.column(condition.term.column).table;
    if (selected == nothing || domain.column(selected).table == outer ||
        std::find(tables.begin(), tables.end(), outer) == tables.end())
      continue;
    const auto* mention = view.table_mention(domain.column(selected).table);
    if (mention != nullptr) return mention->span.first;
  }
  return std::nullopt;
}

std::optional<std::size_t> lost_name(const QuestionView& view, const Candidate& candidate) {
  constexpr std::string_view determiners[] = {"the", "their", "its", "his", "her"};
  const auto& domain = view.domain();
  const auto& words = view.question().words;
  const auto& select = candidate.tree.block.select;
  const auto asked = asked_table(view);
  if (asked == nothing || !asks_for_rows(view, asked) || select.size() != 1) return std::nullopt;
  const auto& term = select.front();
  if (term.aggregate != Aggregate::none || term.column == nothing || domain.is_display(term.column))
    return std::nullopt;
  const auto* mention = view.column_mention(term.column);
  if (mention == nullptr) return std::nullopt;
  auto before = mention->span.first;
  while (before > 0 && is_listed(determiners, words[before - 1].lower)) --before;
  if (before < 2 || words[before - 1].lower != "and") return std::nullopt;
  return view.table_mention(asked)->span.first;
}

std::optional<std::size_t> lost_limit(const QuestionView& view, const Candidate& candidate) {
  constexpr std::string_view limits[] = {"min", "max", "minimum", "maximum"};
  for (const auto& condition : candidate.tree.block.where) {
    if (condition.subquery.empty() || condition.term.column == nothing) continue;
    const auto& select = condition.subquery.front().select;
    const bool extreme = select.size() == 1 && select.front().column == condition.term.column &&
                         (select.front().aggregate == Aggregate::min || select.front().aggregate == Aggregate::max);
    const auto& name = view.domain().column(condition.term.column).words;
    const auto* mention = view.column_mention(condition.term.column);
    if (extreme && mention != nullptr &&
        std::any_of(name.begin(), name.end(), [&limits](const std::string& word) { return is_listed(limits, word); }))
      return mention->span.first;
  }
  return std::nullopt;
}

}  // namespace trustsql::semparse
