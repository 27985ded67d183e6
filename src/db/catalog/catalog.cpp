#include "db/catalog/catalog.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace trustsql {

bool Table::is_internal() const { return equals_ignore_case(std::string_view(name).substr(0, 7), "sqlite_"); }

std::optional<std::size_t> Table::find_column(std::string_view column) const {
  const auto position =
      std::ranges::find_if(columns, [&](const Column& c) { return equals_ignore_case(c.name, column); });
  if (position == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(position - columns.begin());
}

const Key* Table::primary_key() const {
  const auto key = std::ranges::find(keys, Key::Origin::primary_key, &Key::origin);
  return key == keys.end() ? nullptr : &*key;
}

Catalog::Catalog(std::vector<Schema> schemas, std::vector<Table> tables, bool is_utf16)
    : schemas_(std::move(schemas)), tables_(std::move(tables)), is_utf16_(is_utf16) {}

Catalog Catalog::without_nulls() const {
  Catalog changed = *this;
  for (Table& table : changed.tables_) {
    for (Column& column : table.columns) column.not_null = true;
    for (Key& key : table.keys) key.is_true_key = !key.is_partial && !key.has_expression;
  }
  return changed;
}

const Table* Catalog::find(std::string_view name) const {
  for (const Schema& schema : schemas_)
    if (const Table* table = find(schema.name, name)) return table;
  return nullptr;
}

const Table* Catalog::find(std::string_view schema, std::string_view name) const {
  const auto names = [&](const Table& table) {
    if (!equals_ignore_case(table.schema, schema)) return false;
    if (equals_ignore_case(table.name, name)) return true;
    // The schema table has several names (https://sqlite.org/schematab.html#alternative_names).
    if (table.name == "sqlite_schema") return equals_ignore_case(name, "sqlite_master");
    if (table.name == "sqlite_temp_schema")
      return equals_ignore_case(name, "sqlite_temp_master") || equals_ignore_case(name, "sqlite_schema") ||
             equals_ignore_case(name, "sqlite_master");
    return false;
  };
  const auto table = std::ranges::find_if(tables_, names);
  return table == tables_.end() ? nullptr : &*table;
}

}  // namespace trustsql
