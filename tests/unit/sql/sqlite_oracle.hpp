// What SQLite makes of a query when it prepares it, as the oracle of the resolver's tests.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "db/sqlite/sqlite_api.hpp"
#include "sql/schema_use.hpp"

namespace trustsql::testing_support {

// A table with its schema, "main.t", and a column of it; or a table as the query calls it and "", if no column of it
// is used. In lower case.
using Element = std::pair<std::string, std::string>;
using Elements = std::set<Element>;

struct Prepared {
  bool ok = false;
  std::string message{};             // if not ok
  std::vector<std::string> names{};  // of the result columns
  Elements reads{};                  // what the authorizer was asked about
};

Prepared prepare(sqlite3* db, const std::string& sql);

// The same for a resolved query.
std::vector<std::string> names(const Resolution& resolution);

// How the columns that SQLite reads and the schema uses of the resolution differ.
struct Comparison {
  std::string unexplained{};  // "-main.t.a" for columns missing from the latter, "+main.t.a" for additional ones
  std::set<std::string_view> classes{};  // in which ways they rightly differ
};

// Legitimate differences:
//
//   - SQLite does not report the columns that USING and NATURAL equate, nor those that a FULL JOIN merges;
//   - for a parenthesised join, which it reads as a subquery, it reports all columns;
//   - it reports a table without a column also for common tables and for instances used only by their rowid;
//   - it does not report a table without a column in what it drops: unused columns of subqueries, ORDER BY of one row;
//   - it looks for a name in the ORDER BY of a compound query in all arms, even those that are not sorted by it;
//   - it sometimes reports columns of subqueries and common tables as those of a table of main with their name;
//   - when a PRAGMA is read as a table, it reports its own access to sqlite_schema;
//   - it sometimes reports the same for other table-valued functions that are joined;
//   - it does not report sqlite_schema itself as read without a column.
Comparison compare_reads(const Elements& sqlite, const Resolution& resolution);

}  // namespace trustsql::testing_support
