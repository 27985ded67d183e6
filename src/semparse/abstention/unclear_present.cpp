#include "semparse/abstention/unclear_present.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "semparse/question/asked_rows.hpp"
#include "semparse/tree/joins.hpp"
#include "semparse/tree/query_leaves.hpp"
#include "semparse/tree/tree_sql.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

// Words of columns that say when rows end, and when they begin, in base forms or as they are written.
constexpr std::string_view ends[] = {"end",      "ended",    "left",   "leave",   "leaving", "closed",     "close",
                                     "sold",     "sell",     "quit",   "retired", "retire",  "terminated", "until",
                                     "departed", "resigned", "resign", "expired", "expire",  "discharged", "scrapped"};
constexpr std::string_view starts[] = {
    "start",       "started",   "since",      "begin",    "began",  "found",  "founded",    "opened",   "open",
    "established", "establish", "hire",       "hired",    "join",   "joined", "registered", "register", "born",
    "bear",        "created",   "introduced", "acquired", "bought", "built",  "build",      "launched", "launch"};

template <class List>
bool is_called(const DomainColumn& column, const List& list) {
  return std::any_of(column.words.begin(), column.words.end(),
                     [&list](const std::string& word) { return is_listed(list, word); });
}

// Whether the column is a date or a year at which rows end by its name, and some have not ended.
bool is_end(const DomainColumn& column) {
  const bool is_time =
      column.kind == DataKind::date || column.has_iso_dates || is_listed(column.all_words, std::string_view("year"));
  return is_time && column.has_nulls && is_called(column, ends);
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

std::optional<ColumnId> unclear_then(const QuestionView& view, const Candidate& candidate) {
  constexpr std::pair<std::string_view, std::string_view> phrases[] = {
      {"were", "there"}, {"was", "there"}, {"been", "there"}, {"there", "been"},
      {"there", "were"}, {"we", "have"},   {"we", "had"}};
  const auto& domain = view.domain();
  const auto& words = view.question().words;
  const auto says_so = [&](std::size_t i) {
    return std::find(std::begin(phrases), std::end(phrases),
                     std::pair<std::string_view, std::string_view>(words[i].lower, words[i + 1].lower)) !=
           std::end(phrases);
  };
  bool said = false;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) said = said || says_so(i);
  const auto asked = asked_table(view);
  if (!said || asked == nothing) return std::nullopt;
  for (std::size_t i = 0; i < candidate.draft.uses.size(); ++i) {
    const auto id = candidate.draft.literal_columns[i];
    if (candidate.draft.uses[i] != LiteralUse::where || view.literals()[i].number == nullptr || id == nothing) continue;
    const auto& column = domain.column(domain.stored_column(id));
    const auto* mention = view.column_mention(id);
    const bool named = mention != nullptr && mention->spelled_out();
    if (column.table == asked && !named && (is_called(column, starts) || is_called(column, ends))) return id;
  }
  return std::nullopt;
}

}  // namespace trustsql::semparse
