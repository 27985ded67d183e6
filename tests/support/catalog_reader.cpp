#include "support/catalog_reader.hpp"

#include <functional>
#include <stdexcept>

#include "base/text.hpp"

namespace trustsql::testing {

namespace {

std::string text_at(sqlite3_stmt* row, int column) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(row, column));
  return text == nullptr ? std::string() : std::string(text);
}

void each_row(sqlite3* db, const std::string& sql, const std::function<void(sqlite3_stmt*)>& visit) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) throw std::runtime_error(sql + ": " + sqlite3_errmsg(db));
  while (sqlite3_step(statement) == SQLITE_ROW) visit(statement);
  sqlite3_finalize(statement);
}

void read_table(sqlite3* db, const std::string& schema, CatalogTable& table) {
  const auto in = [&](const std::string& name) { return "(" + quote_string(name) + ", " + quote_string(schema) + ")"; };
  int key_columns = 0;
  each_row(db, "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo" + in(table.name), [&](sqlite3_stmt* row) {
    CatalogColumn column;
    column.name = text_at(row, 0);
    column.declared_type = text_at(row, 1);
    column.not_null = sqlite3_column_int(row, 2) != 0;
    column.primary_key = sqlite3_column_int(row, 3);
    column.hidden = sqlite3_column_int(row, 4) == 1;
    column.generated = sqlite3_column_int(row, 4) > 1;
    column.affinity = affinity_of_type(column.declared_type);
    const char* collation = nullptr;
    sqlite3_table_column_metadata(db, schema.c_str(), table.name.c_str(), column.name.c_str(), nullptr, &collation, nullptr, nullptr, nullptr);
    if (collation != nullptr) column.collation = collation;
    if (column.primary_key > 0) ++key_columns;
    if (column.primary_key > 0 && (table.without_rowid || table.strict)) column.not_null = true;
    table.columns.push_back(std::move(column));
  });
  bool has_key_index = false;
  each_row(db, "SELECT name, \"unique\", origin, partial FROM pragma_index_list" + in(table.name), [&](sqlite3_stmt* row) {
    CatalogIndex index;
    index.name = text_at(row, 0);
    index.unique = sqlite3_column_int(row, 1) != 0;
    index.primary = text_at(row, 2) == "pk";
    index.partial = sqlite3_column_int(row, 3) != 0;
    has_key_index = has_key_index || index.primary;
    table.indexes.push_back(std::move(index));
  });
  for (auto& index : table.indexes) {
    each_row(db, "SELECT cid, coll, \"desc\" FROM pragma_index_xinfo" + in(index.name) + " WHERE key ORDER BY seqno", [&](sqlite3_stmt* row) {
      index.parts.push_back({sqlite3_column_int(row, 0), text_at(row, 1), sqlite3_column_int(row, 2) != 0});
    });
  }
  each_row(db, "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list" + in(table.name) + " ORDER BY id, seq", [&](sqlite3_stmt* row) {
    static int last_id = -1;
    if (table.foreign_keys.empty() || sqlite3_column_int(row, 0) != last_id) table.foreign_keys.push_back({{}, text_at(row, 1), {}});
    last_id = sqlite3_column_int(row, 0);
    table.foreign_keys.back().columns.push_back(table.find(text_at(row, 2)));
    if (const auto to = text_at(row, 3); !to.empty()) table.foreign_keys.back().parent_columns.push_back(to);
  });
  if (table.kind != CatalogTable::Kind::table || table.without_rowid || has_key_index || key_columns != 1) return;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].primary_key == 1) table.rowid_alias = static_cast<int>(i);
  }
}

}  // namespace

Catalog catalog_of(sqlite3* db) {
  Catalog catalog;
  each_row(db, "SELECT name FROM pragma_database_list ORDER BY seq", [&](sqlite3_stmt* row) { catalog.schemas.push_back({text_at(row, 0), {}}); });
  for (auto& schema : catalog.schemas) {
    each_row(db,
             "SELECT name, type, wr, strict, (SELECT sql FROM " + quote_identifier(schema.name) +
                 ".sqlite_schema AS s WHERE s.name = t.name AND s.type IN ('table', 'view')) FROM pragma_table_list AS t WHERE schema = " +
                 quote_string(schema.name) + " AND name NOT LIKE 'sqlite\\_%schema' ESCAPE '\\'",
             [&](sqlite3_stmt* row) {
               CatalogTable table;
               table.name = text_at(row, 0);
               const auto type = text_at(row, 1);
               table.kind = type == "view" ? CatalogTable::Kind::view : type == "virtual" ? CatalogTable::Kind::virtual_table : CatalogTable::Kind::table;
               table.without_rowid = sqlite3_column_int(row, 2) != 0;
               table.strict = sqlite3_column_int(row, 3) != 0;
               table.sql = text_at(row, 4);
               schema.tables.push_back(std::move(table));
             });
    for (auto& table : schema.tables) {
      if (table.kind != CatalogTable::Kind::view) read_table(db, schema.name, table);
    }
  }
  return catalog;
}

}  // namespace trustsql::testing
