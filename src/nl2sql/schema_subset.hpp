// SchemaSubset: the tables and columns of a catalog that a prompt is to show.
#pragma once

#include <cstddef>
#include <map>
#include <set>

#include "db/catalog.hpp"

namespace trustsql::nl2sql {

// Indexes into Catalog::tables() and Table::columns.
struct SchemaSubset {
  std::map<std::size_t, std::set<std::size_t>> columns;  // a table that is a key is shown, with these columns

  // All user tables and views of `catalog` with all their columns that "*" has; none of SQLite's own or of trustsql's.
  static SchemaSubset all(const Catalog& catalog);
};

}  // namespace trustsql::nl2sql
