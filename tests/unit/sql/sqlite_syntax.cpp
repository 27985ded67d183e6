#include "unit/sql/sqlite_syntax.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace trustsql {

namespace {

bool begins(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }
bool ends(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

// The messages with which SQLite rejects the form of a SELECT statement. The last four come after parsing, but depend
// on the form alone.
bool is_syntax_error(std::string_view m) {
  return (begins(m, "near \"") && ends(m, "\": syntax error")) || m == "incomplete input" ||
         begins(m, "unrecognized token: ") || begins(m, "syntax error after column name ") ||
         ((begins(m, "ORDER BY clause should come after ") || begins(m, "LIMIT clause should come after ")) &&
          ends(m, " not before")) ||
         begins(m, "unknown join type: ") || begins(m, "unknown or unsupported join type: ") ||
         m == "RIGHT and FULL OUTER JOINs are not currently supported" ||
         begins(m, "a JOIN clause is required before ") ||
         m == "cannot have both ON and USING clauses in the same join" ||
         m == "a NATURAL join may not have an ON or USING clause" ||
         m == "RAISE() may only be used within a trigger-program";
}

// SQLite stops reading where it finds these: there may be a syntax error after that.
bool is_limit(std::string_view m) {
  return m == "parser stack overflow" || begins(m, "variable number must be between ") ||
         m == "too many SQL variables" || begins(m, "Expression tree is too large") ||
         m == "too many terms in compound SELECT" || begins(m, "too many FROM clause terms") || begins(m, "at most ");
}

}  // namespace

SqliteVerdict ask_sqlite(sqlite3* db, std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const char* tail = nullptr;
  const int code = sqlite3_prepare_v2(db, sql.data(), static_cast<int>(sql.size()), &statement, &tail);
  SqliteVerdict verdict;
  verdict.has_tail = tail != nullptr &&
                     !trim(std::string_view(tail, static_cast<std::size_t>(sql.data() + sql.size() - tail))).empty();
  if (code != SQLITE_OK) {
    verdict.message = sqlite3_errmsg(db);
    verdict.answer = is_syntax_error(verdict.message) ? SqliteAnswer::syntax_error
                     : is_limit(verdict.message)      ? SqliteAnswer::limit
                                                      : SqliteAnswer::other_error;
  }
  sqlite3_finalize(statement);
  return verdict;
}

std::optional<std::string> explain(sqlite3* db, std::string_view sql) {
  const std::string text = "EXPLAIN " + std::string(sql);
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(db, text.c_str(), -1, &statement, nullptr) != SQLITE_OK) return std::nullopt;
  std::string program;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    for (int column = 1; column < 7; ++column) {  // opcode, p1 to p5
      const auto* value = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
      program += value != nullptr ? value : "";
      program += ' ';
    }
    program += '\n';
  }
  sqlite3_finalize(statement);
  return program;
}

}  // namespace trustsql
