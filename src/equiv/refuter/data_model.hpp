// Which tables must hold rows for a pair of queries, and which of their columns must be given values.
//
// These are the columns that a query reads, and those that SQLite or the schema requires: NOT NULL columns, primary
// keys, whatever a CHECK or a generated column may use; and the parents of foreign keys all of whose columns have
// values. A foreign key with a column that no query reads, and that is NULL by default, is satisfied by leaving the
// column NULL.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/value.hpp"
#include "db/catalog/catalog.hpp"
#include "equiv/refuter/json_shape.hpp"
#include "plan/column_kind.hpp"
#include "plan/readings.hpp"

namespace trustsql::equiv {

using plan::ColumnKind;

// Whether a value that is not NULL is of the type that its column declares. Dates may be text or numbers, truth
// values 0 and 1 or words.
bool is_of_kind(const Value& value, ColumnKind kind);

// Whether a value that is not NULL is what the queries take it for.
bool is_read_as(const Value& value, plan::Reading reading);

struct FilledColumn {
  int position = 0;  // in Table::columns
  ColumnKind kind = ColumnKind::any;
  bool used = false;                               // a query reads it
  bool nullable = false;                           // NULL may be stored
  bool primary = false;                            // part of the primary key, if SQLite may permit NULLs in it
  plan::Reading reading = plan::Reading::as_text;  // what the queries take its texts for
};

// A generated column that a query reads.
struct ComputedColumn {
  int position = 0;  // in Table::columns
  ColumnKind kind = ColumnKind::any;
  plan::Reading reading = plan::Reading::as_text;  // what the queries take its texts for
};

// A part of a JSON document.
struct JsonPart {
  JsonPath path{};
  bool is_key = false;  // the names or numbers of its members, not what they hold
  friend bool operator==(const JsonPart&, const JsonPart&) = default;
};

// Where a value comes from: a column of a table in the model, or a part of a JSON document there.
struct ColumnOrigin {
  std::size_t table = 0;   // in DataModel::tables
  std::size_t column = 0;  // in TableModel::columns
  std::optional<JsonPart> part{};
  friend bool operator==(const ColumnOrigin&, const ColumnOrigin&) = default;
};

// From here on, places are indexes in TableModel::columns and DataModel::tables.
struct ParentLink {
  std::vector<int> columns;
  int parent = 0;
  std::vector<int> parent_columns;
};

struct TableModel {
  const trustsql::Table* table = nullptr;
  bool used = false;  // a query reads it; otherwise it is only there as a parent
  std::vector<FilledColumn> columns;
  std::vector<ComputedColumn> computed;
  std::vector<ParentLink> parents;
  bool may_lack_parents = false;       // a column of a foreign key is computed, so any row may violate the key
  std::vector<std::vector<int>> keys;  // no two rows may agree in the columns of a key
  std::vector<std::pair<int, ColumnOrigin>> generated;  // by position: where a generated column takes its values from

  int place_of(int position) const;    // the place of the column at `position` of the table; -1 if it is not filled
  std::vector<int> positions() const;  // the positions of all columns
};

struct DataModel {
  std::vector<TableModel> tables;  // parents before their children, except in cycles

  // Tables are told apart by their names, since `table` may be of another copy of the catalog. -1 if it is not in the
  // model.
  int place_of(const trustsql::Table* table) const;

  // Makes the columns of primary keys not nullable.
  void forbid_null_primary_keys();

  // Sets what the queries take texts for.
  void note(const plan::ColumnReadings& readings);

  // The model for queries that read these columns (schema, table, column; as in QueryUse).
  static DataModel for_reads(const Catalog& catalog, const std::vector<std::array<std::string, 3>>& reads);
  // The model for queries that may read everything in the main schema.
  static DataModel for_whole_schema(const Catalog& catalog);
};

}  // namespace trustsql::equiv
