#include "unit/sql/catalog_support.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "base/text.hpp"

namespace trustsql::testing_support {

namespace {

std::string text_at(sqlite3_stmt* statement, int column) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
  return text == nullptr ? std::string() : std::string(text);
}

void each_row(sqlite3* db, const std::string& sql, const std::function<void(sqlite3_stmt*)>& visit) {
  sqlite3_stmt* statement = nullptr;
  ASSERT_EQ(sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr), SQLITE_OK) << sql << ": " << sqlite3_errmsg(db);
  while (sqlite3_step(statement) == SQLITE_ROW) visit(statement);
  sqlite3_finalize(statement);
}

void read_columns(sqlite3* db, const std::string& schema, CatalogTable& table) {
  const auto from = "(" + quote_string(table.name) + ", " + quote_string(schema) + ")";
  int key_columns = 0;
  each_row(db, "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo" + from, [&](sqlite3_stmt* row) {
    CatalogColumn column{.name = text_at(row, 0), .declared_type = text_at(row, 1)};
    column.not_null = sqlite3_column_int(row, 2) != 0;
    column.primary_key = sqlite3_column_int(row, 3);
    column.hidden = sqlite3_column_int(row, 4) == 1;
    column.generated = sqlite3_column_int(row, 4) > 1;
    column.affinity = table.strict && equals_ignore_case(column.declared_type, "ANY") ? Affinity::blob : affinity_of_type(column.declared_type);
    const char* collation = nullptr;
    sqlite3_table_column_metadata(db, schema.c_str(), table.name.c_str(), column.name.c_str(), nullptr, &collation, nullptr, nullptr, nullptr);
    if (collation != nullptr) column.collation = collation;
    if (column.primary_key > 0) ++key_columns;
    if (column.primary_key > 0 && (table.without_rowid || table.strict)) column.not_null = true;
    table.columns.push_back(std::move(column));
  });
  bool has_key_index = false;
  each_row(db, "SELECT name, \"unique\", origin, partial FROM pragma_index_list" + from, [&](sqlite3_stmt* row) {
    CatalogIndex index{.name = text_at(row, 0)};
    index.unique = sqlite3_column_int(row, 1) != 0;
    index.primary = text_at(row, 2) == "pk";
    index.partial = sqlite3_column_int(row, 3) != 0;
    has_key_index = has_key_index || index.primary;
    table.indexes.push_back(std::move(index));
  });
  if (table.kind != CatalogTable::Kind::table || table.without_rowid || has_key_index || key_columns != 1) return;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].primary_key == 1) table.rowid_alias = static_cast<int>(i);
  }
}

}  // namespace

Catalog read_catalog(sqlite3* db) {
  Catalog catalog;
  each_row(db, "SELECT name FROM pragma_database_list ORDER BY seq", [&](sqlite3_stmt* row) { catalog.schemas.push_back({text_at(row, 0)}); });
  for (auto& schema : catalog.schemas) {
    each_row(
        db,
        "SELECT name, type, wr, strict, (SELECT sql FROM " + quote_identifier(schema.name) +
            ".sqlite_schema AS s WHERE s.name = t.name AND s.type IN ('table', 'view')) FROM pragma_table_list AS t WHERE schema = " +
            quote_string(schema.name) + " AND name NOT LIKE 'sqlite\\_%schema' ESCAPE '\\'",
        [&](sqlite3_stmt* row) {
          CatalogTable table{.name = text_at(row, 0)};
          const auto type = text_at(row, 1);
          table.kind = type == "view" ? CatalogTable::Kind::view : type == "virtual" ? CatalogTable::Kind::virtual_table : CatalogTable::Kind::table;
          table.without_rowid = sqlite3_column_int(row, 2) != 0;
          table.strict = sqlite3_column_int(row, 3) != 0;
          table.sql = text_at(row, 4);
          schema.tables.push_back(std::move(table));
        });
    for (auto& table : schema.tables) {
      if (table.kind != CatalogTable::Kind::view) read_columns(db, schema.name, table);
    }
  }
  return catalog;
}

}  // namespace trustsql::testing_support
