// Catalog: the schema of a database as plain data. Names are looked up as SQLite does, ASCII case ignored.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/affinity.hpp"

namespace trustsql {

struct CatalogColumn {
  std::string name;
  std::string declared_type{};  // as written, may be empty
  Affinity affinity = Affinity::blob;
  std::string collation = "BINARY";
  bool not_null = false;  // never NULL: declared so, or part of the primary key of a WITHOUT ROWID or STRICT table
  int primary_key = 0;    // its place in the primary key from 1; 0: no part of it
  bool hidden = false;    // of virtual tables: not in *, an argument of a table-valued function
  bool generated = false;
};

// A PRIMARY KEY or UNIQUE constraint, or an index.
struct CatalogIndex {
  struct Part {
    int column = 0;  // position in the table; -1: the rowid, -2: an expression
    std::string collation = "BINARY";
    bool descending = false;
  };
  std::string name{};  // of the rowid's own key: empty
  std::vector<Part> parts{};
  bool unique = false;
  bool primary = false;
  bool partial = false;
};

struct CatalogForeignKey {
  std::vector<int> columns{};  // positions in the child
  std::string parent;
  std::vector<std::string> parent_columns{};  // empty: the parent's primary key
};

struct CatalogTable {
  enum class Kind { table, view, virtual_table };
  std::string name;
  Kind kind = Kind::table;
  std::vector<CatalogColumn> columns{};
  std::string sql{};     // the statement that made it
  int rowid_alias = -1;  // the INTEGER PRIMARY KEY column that is the rowid; -1: none
  bool without_rowid = false;
  bool strict = false;
  std::vector<CatalogIndex> indexes{};
  std::vector<CatalogForeignKey> foreign_keys{};

  // The position of the column `name`, or -1.
  int find(std::string_view column) const;
};

struct CatalogSchema {
  std::string name;  // "main", "temp", or what ATTACH gave it
  std::vector<CatalogTable> tables{};

  const CatalogTable* find(std::string_view table) const;
};

struct Catalog {
  std::vector<CatalogSchema> schemas{};  // main first, then temp if there is one, then the attached ones in order

  const CatalogSchema* find_schema(std::string_view name) const;
};

}  // namespace trustsql
