// What SQLite makes of a query when it prepares it, as the oracle of the resolver's tests.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "db/sqlite_api.hpp"

namespace trustsql::testing_support {

// A table and a column of it, "" for none, in lower case.
using Element = std::pair<std::string, std::string>;

struct Prepared {
  bool ok = false;
  std::string message{};             // if not ok
  std::vector<std::string> names{};  // of the result columns
  std::set<Element> reads{};         // what the authorizer was asked about
};

Prepared prepare(sqlite3* db, const std::string& sql);

// SQLite asks about a table without a column where an instance of it is used by its rowid alone, too. This drops such
// elements where a column of the table is among the others.
void drop_empty_columns(std::set<Element>& reads);

// "-table.column" for what is missing in `ours`, "+table.column" for what it has beyond `sqlite`; "" if they are equal.
std::string difference(const std::set<Element>& sqlite, const std::set<Element>& ours);

}  // namespace trustsql::testing_support
