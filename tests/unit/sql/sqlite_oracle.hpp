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

// A table with its schema, "main.t", and a column of it; or a table as the query calls it and "", where no column of it
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

// The same of a resolved query.
std::vector<std::string> names(const Resolution& resolution);

// How the columns that SQLite reads and the schema uses of the resolution differ.
struct Comparison {
  std::string unexplained{};  // "-main.t.a" for what is missing among the latter, "+main.t.a" for what they have beyond
  std::set<std::string_view> classes{};  // in which ways they rightly differ
};

// They rightly differ in this:
//
//   - SQLite says nothing of the columns that USING and NATURAL equate, nor of what a FULL JOIN makes one column;
//   - of a parenthesised join, which it reads as a subquery, it reports all columns;
//   - a table without a column it reports also where an instance of it is used by its rowid alone, and for common
//   tables; it
//     does not report one in what it drops: columns of subqueries that nothing uses, ORDER BY where there is one row;
//   - the name that an ORDER BY behind a compound query gives it looks for in all arms, those too that are not sorted
//   by it;
//   - columns of subqueries and common tables it reports now and then, as of a table of main that has their name;
//   - reading a PRAGMA as a table it reports its own look at sqlite_schema, and so it does now and then for other
//   table-valued
//     functions that are joined; of sqlite_schema itself it does not say that it is read without a column.
Comparison compare_reads(const Elements& sqlite, const Resolution& resolution);

}  // namespace trustsql::testing_support
