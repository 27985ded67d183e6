// The printer on the real queries: what it prints is read as the same tree, and compiled by SQLite to the same program.
#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "base/text.hpp"
#include "sql/parser.hpp"
#include "sql/printer.hpp"
#include "unit/sql/real_queries.hpp"
#include "unit/sql/sqlite_syntax.hpp"

namespace trustsql {
namespace {

TEST(PrinterOnRealQueries, PrintedQueryIsTheSameTreeAndTheSameProgram) {
  const auto folder = testing_data::data_folder();
  if (!folder) GTEST_SKIP() << "no development data";
  testing_data::Databases databases(*folder);
  const int version = sqlite3_libversion_number();
  int prepared = 0, same_program = 0;
  for (const auto& query : testing_data::real_queries()) {
    const auto parsed = parse_query(query.sql, {.version = version});
    if (!parsed.ok()) continue;
    const auto text = print_query(*parsed);
    for (const auto& printed : {text, print_query(*parsed, PrintStyle::pretty)}) {
      const auto again = parse_query(printed, {.version = version});
      ASSERT_TRUE(again.ok()) << query.sql << "\n" << printed << "\n" << again.error().message;
      EXPECT_EQ(*again, *parsed) << query.sql << "\n" << printed;
      EXPECT_EQ(print_query(*again), text);
    }
    sqlite3* db = databases.open(query.database);
    const auto program = explain(db, query.sql);
    if (!program) continue;
    ++prepared;
    const auto printed_program = explain(db, text);
    if (printed_program == program) {
      ++same_program;
    } else {
      ADD_FAILURE() << query.sql << "\n" << text << "\n" << (printed_program ? "another program" : sqlite3_errmsg(db));
    }
  }
  std::cout << prepared << " prepared, " << same_program << " with the same program\n";
  EXPECT_GT(prepared, 20000);
}

}  // namespace
}  // namespace trustsql
