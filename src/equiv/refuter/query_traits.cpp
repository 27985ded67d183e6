#include "equiv/refuter/query_traits.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/sql_token.hpp"
#include "base/text.hpp"
#include "sql/functions.hpp"

namespace trustsql::equiv {

namespace {

template <std::size_t n>
bool is_one_of(std::string_view word, const std::array<std::string_view, n>& words) {
  return std::ranges::any_of(words, [&](std::string_view other) { return equals_ignore_case(word, other); });
}

constexpr std::array<std::string_view, 6> counters = {"random",        "randomblob",        "changes",
                                                      "total_changes", "last_insert_rowid", "sqlite_offset"};
constexpr std::array<std::string_view, 3> clocks = {"current_date", "current_time", "current_timestamp"};
// With one of these as an argument, or without a time, date functions read the clock
// (https://sqlite.org/lang_datefunc.html).
constexpr std::array<std::string_view, 4> clock_arguments = {"now", "localtime", "utc", "subsec"};
constexpr std::array<std::string_view, 3> rowids = {"rowid", "oid", "_rowid_"};

// Scans the words of `sql`, a query or a CREATE VIEW.
void scan(std::string_view sql, bool has_dates, QueryTraits& traits) {
  Tokenizer tokens(sql);
  std::string_view function;  // the date function whose parenthesis is open, until a comma
  std::string_view previous;
  for (Token token = tokens.next_significant(); !token.is(TokenKind::end); token = tokens.next_significant()) {
    if (token.is_name() && !token.is(TokenKind::string)) {
      const std::string name = token.name(sql);
      if (is_one_of(name, clocks)) traits.varies = true;
      if (is_one_of(name, rowids)) traits.uses_rowid = true;
    }
    if (has_dates && token.is_quoted() && is_one_of(token.name(sql), clock_arguments)) traits.varies = true;
    if (token.is(TokenKind::left_parenthesis) && FunctionTable::latest().is_date_function(previous)) {
      function = previous;
    } else if (token.is(TokenKind::right_parenthesis) && !function.empty()) {
      if (previous == "(" || equals_ignore_case(function, "strftime")) traits.varies = true;
      function = {};
    } else if (token.is(TokenKind::comma)) {
      function = {};
    }
    previous = token.text(sql);
  }
}

}  // namespace

QueryTraits traits_of(std::string_view sql, const QueryUse& use, const Catalog& catalog) {
  QueryTraits traits;
  bool has_dates = false;
  for (const auto& function : use.functions) {
    if (is_one_of(function, counters) || is_one_of(function, clocks)) traits.varies = true;
    if (FunctionTable::latest().is_date_function(function)) has_dates = true;
    if (equals_ignore_case(function, "like") || equals_ignore_case(function, "glob")) traits.uses_like = true;
  }
  scan(sql, has_dates, traits);
  std::set<const Table*> views;
  for (const auto& [schema, name, column] : use.columns) {
    const Table* table = catalog.find(schema, name);
    if (table == nullptr) continue;
    if (table->kind == Table::Kind::view) {
      if (views.insert(table).second) scan(table->sql, has_dates, traits);
    } else if (const auto position = table->find_column(column)) {
      if (table->columns[*position].generated != trustsql::Column::Generated::no) traits.reads_generated = true;
    } else if (is_one_of(column, rowids)) {
      traits.uses_rowid = true;
    }
  }
  return traits;
}

}  // namespace trustsql::equiv
