#include "db/sandbox/nesting.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/sql_token.hpp"
#include "base/stack_space.hpp"
#include "base/text.hpp"

namespace trustsql {

namespace {

constexpr std::size_t shortest_select = 8;  // "SELECT 1"

bool begins_select(const Token& token) { return token.is(Keyword::Select) || token.is(Keyword::Values); }

// Whether the token may add a level to an expression.
bool is_operator(const Token& token) {
  switch (token.kind) {
    case TokenKind::keyword: break;
    case TokenKind::comma:
    case TokenKind::dot:
    case TokenKind::right_parenthesis:
    case TokenKind::semicolon: return false;
    default: return token.kind >= TokenKind::semicolon;
  }
  constexpr std::array words = {Keyword::And,     Keyword::Or,      Keyword::Not,     Keyword::Like,   Keyword::Glob,
                                Keyword::Match,   Keyword::Regexp,  Keyword::Is,      Keyword::Isnull, Keyword::When,
                                Keyword::Notnull, Keyword::Between, Keyword::Collate, Keyword::In};
  return std::ranges::find(words, token.keyword) != words.end();
}

struct View {
  std::string sql;
  std::size_t depth = 0;      // nested SELECTs, including those of other views; 0: not computed yet
  std::size_t operators = 0;  // likewise
  bool entered = false;
};

// Views by lower-case name. Views of the same name in several databases are treated as one that uses what any of them
// uses.
class ViewNesting {
 public:
  Status add(sqlite3* db, const std::string& schema) {
    TRUSTSQL_ASSIGN_OR_RETURN(Statement rows, prepare(db, "SELECT name, sql, type FROM " + quote_identifier(schema) +
                                                              ".sqlite_schema WHERE type IN ('view', 'table')"));
    while (true) {
      TRUSTSQL_ASSIGN_OR_RETURN(const bool row, rows.step());
      if (!row) return ok_status();
      if (rows.column_text(2) == "table") {
        // Each comma may stand between two columns.
        const auto commas = std::ranges::count(rows.column_text(1), ',');
        tables_.emplace_back(rows.column_text(0), static_cast<std::uint64_t>(commas) + 1);
        continue;
      }
      View& view = views_[to_lower_ascii(rows.column_text(0))];
      view.sql.append(rows.column_text(1)).append("\n");
      bytes_ += rows.column_text(1).size();
    }
  }

  Status check() {
    if (bytes_ / shortest_select <= max_selects_in_views && bytes_ <= max_nested_operators) return ok_status();
    for (auto& [name, view] : views_)
      if (depth_of(view) > max_selects_in_views || view.operators > max_nested_operators)
        return limit_exceeded("the database's views are nested too deeply, at " + quote_for_message(name));
    return ok_status();
  }

  // Precondition: check() has found no error.
  Result<ViewExpansions> expansions() const {
    ViewExpansions expansions;
    for (const auto& [name, columns] : tables_) expansions.add_table(name, columns);
    for (const auto& [name, view] : views_) expansions.add(name, view.sql);
    TRUSTSQL_RETURN_IF_ERROR(expansions.expand());
    return expansions;
  }

 private:
  // Depth-first search without recursion, since the depth may be too large for the stack.
  std::size_t depth_of(View& root) {
    std::vector<View*> path = {&root};
    while (!path.empty()) {
      View& view = *path.back();
      if (view.depth != 0) {
        path.pop_back();
        continue;
      }
      const bool first_visit = !view.entered;
      view.entered = true;
      std::size_t own_selects = 1;
      std::size_t deepest = 0;
      std::size_t operators = 0;
      std::size_t operators_below = 0;
      bool has_open_views = false;
      Tokenizer tokens(view.sql);
      for (Token token = tokens.next_significant(); !token.is(TokenKind::end); token = tokens.next_significant()) {
        if (begins_select(token)) ++own_selects;
        if (is_operator(token)) ++operators;
        if (!token.is_name()) continue;
        const auto used = views_.find(to_lower_ascii(token.name(view.sql)));
        if (used == views_.end()) continue;
        View& other = used->second;
        if (other.depth == 0 && !other.entered && first_visit) {
          path.push_back(&other);
          has_open_views = true;
        }
        deepest = std::max(deepest, other.depth);
        operators_below = std::max(operators_below, other.operators);
      }
      if (has_open_views) continue;
      view.operators = operators + operators_below;
      view.depth = own_selects + deepest;  // a view that is still open here is part of a cycle, which SQLite rejects
      path.pop_back();
    }
    return root.depth;
  }

  std::unordered_map<std::string, View> views_;
  std::vector<std::pair<std::string, std::uint64_t>> tables_;  // with at least as many columns as they have
  std::size_t bytes_ = 0;
};

}  // namespace

Status check_query_nesting(std::string_view query) {
  if (query.size() / shortest_select <= max_selects_in_query && query.size() <= max_nested_operators)
    return ok_status();
  std::size_t selects = 0;
  std::size_t operators = 0;
  Tokenizer tokens(query);
  for (Token token = tokens.next_significant(); !token.is(TokenKind::end); token = tokens.next_significant()) {
    selects += begins_select(token) ? 1 : 0;
    operators += is_operator(token) ? 1 : 0;
  }
  const auto exceeded = [](std::size_t count, const char* parts, std::size_t limit) {
    return limit_exceeded("the query has " + std::to_string(count) + parts + "; at most " + std::to_string(limit) +
                          " are allowed");
  };
  if (selects > max_selects_in_query) return exceeded(selects, " SELECT and VALUES clauses", max_selects_in_query);
  if (selects > 1 && operators > max_nested_operators)
    return exceeded(operators, " operators in addition to subqueries", max_nested_operators);
  return ok_status();
}

Status check_unlimited_depth(sqlite3* db, std::string_view sql) {
  constexpr std::size_t bytes_of_level = 400;  // twice what is used
  const auto space = stack_space();
  const std::size_t most = space ? std::min(max_nested_operators, *space / bytes_of_level) : max_nested_operators;
  if (sql.size() <= most || sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, -1) > 0) return ok_status();
  std::size_t operators = 0;
  Tokenizer tokens(sql);
  Token before;
  for (Token token = tokens.next_significant(); !token.is(TokenKind::end); token = tokens.next_significant()) {
    const bool begins_row =
        token.is(TokenKind::left_parenthesis) && (before.is(TokenKind::comma) || before.is(Keyword::Values));
    if (token.is(TokenKind::semicolon)) {
      operators = 0;
    } else if (is_operator(token) && !begins_row && ++operators > most) {
      return limit_exceeded("a statement has more than " + std::to_string(most) +
                            " operators, and SQLite was compiled without a limit of the depth of expressions "
                            "(SQLITE_MAX_EXPR_DEPTH=0)");
    }
    before = token;
  }
  return ok_status();
}

Result<ViewExpansions> read_views(sqlite3* db, const Layout& layout) {
  ViewNesting nesting;
  for (const LayoutDatabase& database : layout.databases) TRUSTSQL_RETURN_IF_ERROR(nesting.add(db, database.schema));
  if (layout.temp) TRUSTSQL_RETURN_IF_ERROR(nesting.add(db, "temp"));
  TRUSTSQL_RETURN_IF_ERROR(nesting.check());
  return nesting.expansions();
}

}  // namespace trustsql
