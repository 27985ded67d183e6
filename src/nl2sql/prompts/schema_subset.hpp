// SchemaSubset: the tables and columns of a catalog to show in a prompt.
#pragma once

#include <cstddef>
#include <map>
#include <set>

#include "db/catalog/catalog.hpp"

namespace trustsql::nl2sql {

// Indexes into Catalog::tables() and Table::columns.
struct SchemaSubset {
  std::map<std::size_t, std::set<std::size_t>> columns;  // maps each table shown to its columns shown

  // All user tables and views of `catalog` with the columns that "*" selects; no tables of SQLite or trustsql itself.
  static SchemaSubset all(const Catalog& catalog);
};

}  // namespace trustsql::nl2sql
