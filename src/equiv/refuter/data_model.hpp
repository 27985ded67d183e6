// Which tables have to hold rows for a pair of queries, and which of their columns have to be given values.
//
// Those are the columns that a query reads, and what SQLite or the schema asks for besides: NOT NULL columns, primary
// keys, whatever a CHECK or a generated column may use; and the parents of foreign keys all of whose columns have
// values. A foreign key with a column that nobody reads, and that is NULL where it is not given, is kept by leaving it
// so.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/value.hpp"
#include "db/catalog.hpp"

namespace trustsql::equiv {

// What a column is declared to hold.
enum class ColumnKind : std::uint8_t { integer, real, number, text, date, datetime, time, boolean, any };

ColumnKind kind_of(const trustsql::Column& column);
// Whether a value that is not NULL is of the type that its column declares. Dates may be texts or numbers, truth values
// 0 and 1 or words.
bool is_of_kind(const Value& value, ColumnKind kind);

struct FilledColumn {
  int position = 0;  // in Table::columns
  ColumnKind kind = ColumnKind::any;
  bool used = false;      // a query reads it
  bool nullable = false;  // NULL may be stored
  bool primary = false;   // it is part of the primary key, where SQLite may let NULLs in
};

// Places are indexes in TableModel::columns and DataModel::tables from here on.
struct ParentLink {
  std::vector<int> columns;
  int parent = 0;
  std::vector<int> parent_columns;
};

struct TableModel {
  const trustsql::Table* table = nullptr;
  bool used = false;  // a query reads it; else it is there for the sake of its children
  std::vector<FilledColumn> columns;
  std::vector<ParentLink> parents;
  bool may_lack_parents = false;       // a column of a foreign key is computed; any row may break it
  std::vector<std::vector<int>> keys;  // no two rows may agree in these

  int place_of(int position) const;    // of the column at `position` of the table; -1 if it is not filled
  std::vector<int> positions() const;  // of all columns
};

struct DataModel {
  std::vector<TableModel> tables;  // parents before their children, cycles aside

  int place_of(const trustsql::Table* table) const;  // -1 if it is not there

  // From here on no column of a primary key is nullable.
  void forbid_null_primary_keys();

  // For queries that read these columns (schema, table, column; as QueryUse has them).
  static DataModel of_reads(const Catalog& catalog, const std::vector<std::array<std::string, 3>>& reads);
  // For queries that may read everything in the main schema.
  static DataModel of_everything(const Catalog& catalog);
};

}  // namespace trustsql::equiv
