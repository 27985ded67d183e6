// The parser against SQLite on the real queries: what SQLite prepares is parsed, what SQLite calls a syntax error is
// not.
#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "sql/parser.hpp"
#include "unit/sql/real_queries.hpp"
#include "unit/sql/sqlite_syntax.hpp"

namespace trustsql {
namespace {

TEST(ParserOnRealQueries, AgreesWithSqlite) {
  const auto folder = testing_data::data_folder();
  if (!folder) GTEST_SKIP() << "no development data";
  testing_data::Databases databases(*folder);
  struct Count {
    int prepared = 0, syntax_errors = 0, other_errors = 0;
  };
  std::map<std::string, Count> counts;
  Count total;
  for (const auto& query : testing_data::real_queries()) {
    const auto sqlite = ask_sqlite(databases.open(query.database), query.sql);
    const auto parsed = parse_query(query.sql, {.version = sqlite3_libversion_number()});
    auto& count = counts[query.source.substr(0, query.source.find('/'))];
    switch (sqlite.answer) {
      case SqliteAnswer::prepared: ++count.prepared, ++total.prepared; break;
      case SqliteAnswer::syntax_error: ++count.syntax_errors, ++total.syntax_errors; break;
      case SqliteAnswer::other_error: ++count.other_errors, ++total.other_errors; break;
      case SqliteAnswer::limit: ADD_FAILURE() << query.sql << "\n" << sqlite.message; break;
    }
    // A query that only lacks a table or function counts as one that prepares.
    EXPECT_EQ(parsed.ok(), sqlite.answer != SqliteAnswer::syntax_error)
        << query.source << ": " << query.sql << "\n SQLite: " << sqlite.message
        << "\n parser: " << (parsed.ok() ? "" : parsed.error().message);
  }
  for (const auto& [name, count] : counts)
    std::cout << name << ": " << count.prepared << " prepared, " << count.syntax_errors << " syntax errors, "
              << count.other_errors << " other errors\n";
  std::cout << "all: " << total.prepared << " prepared, " << total.syntax_errors << " syntax errors, "
            << total.other_errors << " other errors\n";
  EXPECT_GT(total.prepared, 20000);
}

}  // namespace
}  // namespace trustsql
