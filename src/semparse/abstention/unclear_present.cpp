#include "semparse/abstention/unclear_present.hpp"

#include <algorithm>
#include <string_view>

#include "semparse/question/asked_rows.hpp"
#include "semparse/tree/joins.hpp"
#include "semparse/tree/query_leaves.hpp"
#include "semparse/tree/tree_sql.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

// Whether the column is a date or a year at which rows end by its name, and some have not ended.
bool is_end(const DomainColumn& column) {
  constexpr std::string_view ends[] = {"end",        "ended", "left",     "leave",      "leaving", "closed",  "close",
                                       "sold",       "sell",  "departed", "resigned",   "resign",  "retired", "retire",
                                       "terminated", "until", "expired",  "discharged", "scrapped"};
  const bool is_time =
      column.kind == DataKind::date || column.has_iso_dates || is_listed(column.all_words, std::string_view("year"));
  return is_time && column.has_nulls &&
         std::any_of(column.words.begin(), column.words.end(),
                     [&ends](const std::string& word) { return is_listed(ends, word); });
}

// The only such column of a table; `nothing` if there is none.
ColumnId end_of(const Domain& domain, TableId table) {
  for (auto id = domain.table(table).first_column; id < domain.table(table).last_column; ++id)
    if (is_end(domain.column(id))) return id;
  return nothing;
}

// "Do we have", "have we got".
bool says_we_have(const Question& question) {
  constexpr std::string_view owning[] = {"have", "got", "employ", "keep"};
  const auto& words = question.words;
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i].lower == "we" && is_listed(owning, words[i + 1].lower)) return true;
  return false;
}

// Whether a word says that something was, or has been.
bool speaks_of_past(const Question& question) {
  constexpr std::string_view past[] = {"did", "was", "were", "had", "has", "have", "been", "ever", "so"};
  return std::any_of(question.words.begin(), question.words.end(),
                     [&past](const Word& word) { return is_listed(past, word.lower) || is_past_participle(word); });
}

}  // namespace

std::optional<ColumnId> unclear_present(const QuestionView& view, const Candidate& candidate) {
  const auto& domain = view.domain();
  const auto& block = candidate.tree.block;
  const auto asked = asked_table(view);
  const auto used = leaves_of(candidate.tree, domain).columns;
  const auto open_end = [&](TableId table) {
    const auto id = end_of(domain, table);
    return id != nothing && std::find(used.begin(), used.end(), id) == used.end() ? id : nothing;
  };
  if (asked != nothing && says_we_have(view.question()))
    if (const auto id = open_end(asked); id != nothing) return id;
  const bool of_dates = std::any_of(used.begin(), used.end(), [&domain](ColumnId id) {
    return domain.column(id).kind == DataKind::date || domain.column(id).has_iso_dates;
  });
  if (of_dates || speaks_of_past(view.question()) || !block.group.empty()) return std::nullopt;
  // Rows that relate others, which the question does not name: leases of flats by tenants.
  const auto terminals = tables_of(domain, block);
  if (terminals.size() < 2) return std::nullopt;
  const auto trees = join_trees(domain, terminals, 1, block.joins);
  if (trees.empty()) return std::nullopt;
  for (const auto table : trees.front().tables) {
    const auto& edges = domain.edges_of(table);
    const auto references = std::count_if(edges.begin(), edges.end(), [&](std::size_t edge) {
      return domain.column(domain.edges()[edge].child).table == table;
    });
    const auto* mention = view.table_mention(table);
    const bool named = mention != nullptr && mention->spelled_out() && table == asked;
    if (references < 2 || named) continue;
    if (const auto id = open_end(table); id != nothing) return id;
  }
  return std::nullopt;
}

}  // namespace trustsql::semparse
