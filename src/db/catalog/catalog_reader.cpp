#include "db/catalog/catalog_reader.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "db/catalog/ddl_scan.hpp"
#include "db/sqlite/connection.hpp"

namespace trustsql {

namespace {

std::string pragma_of(const std::string& schema, std::string_view pragma, std::string_view argument) {
  return "PRAGMA " + quote_identifier(schema) + "." + std::string(pragma) + "(" + quote_identifier(argument) + ")";
}

// Calls row(statement) for each row of `sql`.
template <class Row>
Status for_each_row(sqlite3* db, const std::string& sql, Row row) {
  TRUSTSQL_ASSIGN_OR_RETURN(Statement statement, prepare(db, sql));
  while (true) {
    TRUSTSQL_ASSIGN_OR_RETURN(const bool more, statement.step());
    if (!more) return ok_status();
    row(statement);
  }
}

// The storage class that a STRICT table enforces for a declared type (https://sqlite.org/stricttables.html). None for
// BLOB, since INSERT INTO ... SELECT * copies rows from a table that has ANY there without a look at the values.
std::optional<ValueType> strict_storage(std::string_view declared_type) {
  constexpr auto types = std::to_array<std::pair<std::string_view, ValueType>>({{"int", ValueType::integer},
                                                                                {"integer", ValueType::integer},
                                                                                {"real", ValueType::real},
                                                                                {"text", ValueType::text}});
  for (const auto& [name, type] : types)
    if (equals_ignore_case(declared_type, name)) return type;
  return std::nullopt;
}

// Whether the expression may be NULL without being the literal, as -NULL is. ALTER TABLE adds a column NOT NULL with
// such a default to rows, which then hold NULL.
bool is_hidden_null(std::string_view expression) {
  const auto is_around = [](char c) { return c == '(' || c == ')' || c == ' '; };
  while (!expression.empty() && is_around(expression.front())) expression.remove_prefix(1);
  while (!expression.empty() && is_around(expression.back())) expression.remove_suffix(1);
  return contains_ignore_case(expression, "null") && !equals_ignore_case(expression, "null") &&
         !expression.starts_with('\'') && !expression.starts_with('"');
}

// Whether the expression, a DEFAULT, is a literal of this storage class, or NULL. Up to 3.40 at least, SQLite does not
// check the default of a column that ALTER TABLE adds to a STRICT table, so rows may hold values of another one.
bool is_literal_of(std::string_view expression, ValueType type) {
  if (equals_ignore_case(expression, "null")) return true;
  for (const std::string_view clock : {"current_date", "current_time", "current_timestamp"})
    if (equals_ignore_case(expression, clock)) return true;  // ALTER TABLE refuses it
  if (expression.empty()) return false;
  const auto quoted = [&](std::string_view text) {
    return text.size() >= 2 && text.front() == '\'' && text.back() == '\'' &&
           std::all_of(text.begin() + 1, text.end() - 1, [](char c) { return c != '\''; });
  };
  switch (type) {
    case ValueType::text: return quoted(expression);
    case ValueType::integer: {
      constexpr std::size_t surely_an_integer = 18;  // digits; more may be those of a real
      if (expression.front() == '-' || expression.front() == '+') expression.remove_prefix(1);
      return !expression.empty() && expression.size() <= surely_an_integer &&
             std::all_of(expression.begin(), expression.end(), [](char c) { return c >= '0' && c <= '9'; });
    }
    case ValueType::real:  // integers are read as reals
      return std::all_of(expression.begin(), expression.end(),
                         [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+'; });
    default: return false;
  }
}

// Whether the error says that this table's definition is broken, or that what its virtual table needs is missing (an
// FTS5 table without its shadow tables). Any other error would occur for all tables.
bool is_about_table(const Error& error) {
  return error.code == ErrorCode::query_failed ||
         (error.code == ErrorCode::io && error.message.starts_with("vtable constructor failed: "));
}

class TableReader {
 public:
  TableReader(sqlite3* db, Table& table) : db_(db), table_(table) {}

  Status read() {
    if (auto columns = read_columns(); !columns.ok()) {
      if (!is_about_table(columns.error())) return columns;
      table_.error = columns.error().message;
      table_.columns.clear();
      return ok_status();
    }
    if (table_.kind == Table::Kind::view) return ok_status();
    read_collations();
    read_text();
    TRUSTSQL_RETURN_IF_ERROR(read_keys());
    return read_foreign_keys();
  }

 private:
  Status read_columns() {
    // cid, name, type, notnull, dflt_value, pk, hidden (1: column of a virtual table, 2: virtual, 3: stored)
    return for_each_row(db_, pragma_of(table_.schema, "table_xinfo", table_.name), [&](const Statement& row) {
      Column column;
      column.name = row.column_text(1);
      column.declared_type = row.column_text(2);
      column.affinity = affinity_of_type(column.declared_type, table_.strict);
      // This includes the primary key of a WITHOUT ROWID or STRICT table.
      column.not_null = row.column_integer(3) != 0;
      if (!row.column_is_null(4)) column.default_value = row.column_text(4);
      if (column.not_null && column.default_value && is_hidden_null(*column.default_value)) {
        column.not_null = false;
        column.may_hide_nulls = true;
      }
      column.primary_key_position = static_cast<int>(row.column_integer(5));
      const std::int64_t hidden = row.column_integer(6);
      column.hidden = hidden == 1;
      column.generated = hidden == 2   ? Column::Generated::virtual_
                         : hidden == 3 ? Column::Generated::stored
                                       : Column::Generated::no;
      // SQLite does not check the types of generated columns, stored ones included.
      if (table_.strict && column.generated == Column::Generated::no)
        column.enforced_type = strict_storage(column.declared_type);
      if (column.enforced_type && column.default_value && !is_literal_of(*column.default_value, *column.enforced_type))
        column.enforced_type.reset();
      table_.columns.push_back(std::move(column));
    });
  }

  void read_collations() {
    for (Column& column : table_.columns) {
      const char* type = nullptr;
      const char* collation = nullptr;
      const int code = sqlite3_table_column_metadata(db_, table_.schema.c_str(), table_.name.c_str(),
                                                     column.name.c_str(), &type, &collation, nullptr, nullptr, nullptr);
      if (code == SQLITE_NOMEM) throw std::bad_alloc();
      column.collation = code == SQLITE_OK && collation != nullptr ? collation : "BINARY";
      // A type that is an empty quoted name is a type all the same: CREATE TABLE t(a ""). So is HIDDEN, which SQLite
      // does not show, of a column of a virtual table.
      if (code == SQLITE_OK && type != nullptr && *type == '\0') column.affinity = Affinity::numeric;
    }
  }

  Status read_keys() {
    std::vector<Key> keys;
    std::vector<std::string> indexes;
    // seq, name, unique, origin (c: CREATE INDEX, u: UNIQUE, pk), partial
    TRUSTSQL_RETURN_IF_ERROR(
        for_each_row(db_, pragma_of(table_.schema, "index_list", table_.name), [&](const Statement& row) {
          indexes.emplace_back(row.column_text(1));
          if (row.column_integer(2) == 0) return;
          Key key;
          key.index = row.column_text(1);
          key.origin = row.column_text(3) == "pk"  ? Key::Origin::primary_key
                       : row.column_text(3) == "u" ? Key::Origin::unique_constraint
                                                   : Key::Origin::unique_index;
          key.is_partial = row.column_integer(4) != 0;
          keys.push_back(std::move(key));
        }));
    for (Key& key : keys) {
      // seqno, cid (-1: rowid, -2: expression), name, desc, coll, key (0: not part of the key)
      TRUSTSQL_RETURN_IF_ERROR(
          for_each_row(db_, pragma_of(table_.schema, "index_xinfo", key.index), [&](const Statement& row) {
            if (row.column_integer(5) == 0) return;
            key.parts.push_back(
                {static_cast<int>(row.column_integer(1)), std::string(row.column_text(4)), row.column_integer(3) != 0});
          }));
    }
    TRUSTSQL_RETURN_IF_ERROR(look_at_columns_of(indexes));
    if (auto rowid = rowid_key(keys)) keys.push_back(std::move(*rowid));
    for (Key& key : keys) {
      key.has_expression = std::ranges::any_of(key.parts, [](const KeyPart& part) { return part.column == -2; });
      const auto never_null = [&](const KeyPart& part) {
        return part.column == -1 || (part.column >= 0 && column_of(part).not_null);
      };
      key.is_true_key = !key.is_partial && std::ranges::all_of(key.parts, never_null);
    }
    // SQLite lists the newest key first; callers expect the primary key first, then the order of declaration.
    std::ranges::reverse(keys);
    std::stable_partition(keys.begin(), keys.end(),
                          [](const Key& key) { return key.origin == Key::Origin::primary_key; });
    table_.keys = std::move(keys);
    return ok_status();
  }

  // Of all indexes, not only of those that are keys.
  Status look_at_columns_of(const std::vector<std::string>& indexes) {
    for (const std::string& index : indexes) {
      // seqno, cid (-1: rowid, -2: expression), name, desc, coll, key (0: not part of the key)
      TRUSTSQL_RETURN_IF_ERROR(
          for_each_row(db_, pragma_of(table_.schema, "index_xinfo", index), [&](const Statement& row) {
            if (row.column_integer(5) == 0) return;
            const auto column = row.column_integer(1);
            if (column == -2) table_.has_index_on_expression = true;
            if (column >= 0) {
              auto& indexed = table_.columns[static_cast<std::size_t>(column)];
              indexed.is_indexed = true;
              if (indexed.generated == Column::Generated::virtual_) table_.has_index_on_virtual_column = true;
            }
            if (row.column_integer(3) != 0) table_.has_descending_index = true;
          }));
    }
    return ok_status();
  }

  Column& column_of(const KeyPart& part) { return table_.columns[static_cast<std::size_t>(part.column)]; }

  // INTEGER PRIMARY KEY is an alias of the rowid, and then the key has no index. For historical reasons "INTEGER
  // PRIMARY KEY DESC" is not an alias, but "PRIMARY KEY (x DESC)" is (https://sqlite.org/lang_createtable.html#rowid).
  std::optional<Key> rowid_key(const std::vector<Key>& indexes) {
    if (table_.without_rowid || !table_.has_rowid()) return std::nullopt;
    if (std::ranges::find(indexes, Key::Origin::primary_key, &Key::origin) != indexes.end()) return std::nullopt;
    if (std::ranges::count_if(table_.columns, [](const Column& c) { return c.primary_key_position > 0; }) != 1)
      return std::nullopt;
    const auto column =
        std::ranges::find_if(table_.columns, [](const Column& c) { return c.primary_key_position > 0; });
    if (!equals_ignore_case(column->declared_type, "integer")) return std::nullopt;
    column->is_rowid_alias = true;
    column->not_null = true;
    column->enforced_type = ValueType::integer;
    Key key;
    key.parts.push_back({static_cast<int>(column - table_.columns.begin()), "BINARY", false});
    return key;
  }

  Status read_foreign_keys() {
    std::map<std::int64_t, ForeignKey> by_id;
    // id, seq, table, from, to (NULL: the parent's primary key), on_update, on_delete, match
    TRUSTSQL_RETURN_IF_ERROR(
        for_each_row(db_, pragma_of(table_.schema, "foreign_key_list", table_.name), [&](const Statement& row) {
          ForeignKey& key = by_id[row.column_integer(0)];
          key.parent_table = row.column_text(2);
          const auto column = table_.find_column(row.column_text(3));
          key.columns.push_back(column ? static_cast<int>(*column) : -1);
          if (!row.column_is_null(4)) key.parent_columns.emplace_back(row.column_text(4));
          key.on_update = row.column_text(5);
          key.on_delete = row.column_text(6);
        }));
    // The newest foreign key has id 0.
    for (auto entry = by_id.rbegin(); entry != by_id.rend(); ++entry)
      if (std::ranges::find(entry->second.columns, -1) == entry->second.columns.end())
        table_.foreign_keys.push_back(std::move(entry->second));
    return ok_status();
  }

  void read_text() {
    const DdlFacts facts = scan_create_table(table_.sql);
    for (const DdlCheck& check : facts.checks) {
      const auto column = check.column.empty() ? std::nullopt : table_.find_column(check.column);
      table_.checks.push_back({check.name, check.expression, column ? static_cast<int>(*column) : -1});
    }
    for (const DdlGenerated& generated : facts.generated) {
      const auto position = table_.find_column(generated.column);
      if (!position) continue;
      Column& column = table_.columns[*position];
      column.generated_expression = generated.expression;
      // Its rows were checked under another LIKE if PRAGMA case_sensitive_like was set.
      if (column.generated == Column::Generated::virtual_ && contains_ignore_case(generated.expression, "like")) {
        column.may_hide_nulls |= column.not_null;
        column.not_null = false;
      }
    }
  }

  sqlite3* db_;
  Table& table_;
};

// Fills in the parent columns of foreign keys that do not name them.
void resolve_parents(const std::vector<Catalog::Schema>& schemas, std::vector<Table>& tables) {
  const Catalog unresolved(schemas, tables);
  for (Table& table : tables) {
    for (ForeignKey& key : table.foreign_keys) {
      if (!key.parent_columns.empty()) continue;
      const Table* parent = unresolved.parent(table, key);
      const Key* primary = parent == nullptr ? nullptr : parent->primary_key();
      if (primary == nullptr || primary->parts.size() != key.columns.size()) continue;
      std::vector<std::pair<int, std::string>> columns;
      for (const Column& column : parent->columns)
        if (column.primary_key_position > 0) columns.emplace_back(column.primary_key_position, column.name);
      std::ranges::sort(columns);
      for (auto& [position, name] : columns) key.parent_columns.push_back(std::move(name));
    }
  }
}

// Denies SELECTs while it lives.
class DeniedSelects {
 public:
  explicit DeniedSelects(const CatalogGuard& guard) : guard_(guard) { set(true); }
  ~DeniedSelects() { set(false); }
  DeniedSelects(const DeniedSelects&) = delete;
  DeniedSelects& operator=(const DeniedSelects&) = delete;

 private:
  void set(bool deny) const {
    if (guard_.deny_selects) guard_.deny_selects(deny);
  }

  const CatalogGuard& guard_;
};

Status read_schema(sqlite3* db, const std::string& schema, const CatalogGuard& guard, std::vector<Table>& tables) {
  std::map<std::string, std::pair<std::size_t, std::string>>
      statements;  // from the lower-case name to position and SQL
  TRUSTSQL_RETURN_IF_ERROR(for_each_row(
      db, "SELECT name, sql FROM " + quote_identifier(schema) + ".sqlite_schema WHERE type IN ('table', 'view')",
      [&](const Statement& row) {
        statements.emplace(to_lower_ascii(row.column_text(0)),
                           std::pair(statements.size(), std::string(row.column_text(1))));
      }));
  std::vector<std::pair<std::size_t, Table>> positioned_tables;
  std::optional<DeniedSelects> listing(guard);
  // schema, name, type, ncol, wr, strict
  TRUSTSQL_RETURN_IF_ERROR(
      for_each_row(db, "PRAGMA " + quote_identifier(schema) + ".table_list", [&](const Statement& row) {
        if (!equals_ignore_case(row.column_text(0), schema)) return;
        Table table;
        table.schema = schema;
        table.name = row.column_text(1);
        const std::string_view type = row.column_text(2);
        table.kind = type == "view"      ? Table::Kind::view
                     : type == "virtual" ? Table::Kind::virtual_table
                     : type == "shadow"  ? Table::Kind::shadow_table
                                         : Table::Kind::table;
        table.without_rowid = row.column_integer(4) != 0;
        table.strict = row.column_integer(5) != 0;
        const auto statement = statements.find(to_lower_ascii(table.name));
        // Eponymous virtual tables that happen to be connected are listed, but are not in the schema.
        if (statement == statements.end() && !table.is_internal()) return;
        if (statement != statements.end()) table.sql = statement->second.second;
        const std::size_t position = statement == statements.end() ? statements.size() : statement->second.first;
        positioned_tables.emplace_back(position, std::move(table));
      }));
  listing.reset();
  std::ranges::stable_sort(positioned_tables, {}, [](const auto& entry) { return entry.first; });
  for (auto& [position, table] : positioned_tables) {
    if (guard.must_stop && guard.must_stop()) return sqlite_error(nullptr, SQLITE_INTERRUPT);
    TRUSTSQL_RETURN_IF_ERROR(TableReader(db, table).read());
    tables.push_back(std::move(table));
  }
  return ok_status();
}

}  // namespace

Result<std::vector<Catalog::Schema>> read_schema_cookies(sqlite3* db) {
  std::vector<Catalog::Schema> schemas;
  TRUSTSQL_RETURN_IF_ERROR(for_each_row(db, "PRAGMA database_list", [&](const Statement& row) {
    schemas.push_back({std::string(row.column_text(1)), 0});
  }));
  // main is listed first, then temp if anything is stored in it; names are looked up in temp first.
  const auto temp = std::ranges::find_if(
      schemas, [](const Catalog::Schema& schema) { return equals_ignore_case(schema.name, "temp"); });
  if (temp != schemas.end()) std::rotate(schemas.begin(), temp, temp + 1);
  for (Catalog::Schema& schema : schemas) {
    TRUSTSQL_ASSIGN_OR_RETURN(schema.cookie,
                              query_integer(db, "PRAGMA " + quote_identifier(schema.name) + ".schema_version"));
  }
  return schemas;
}

Result<Catalog> read_catalog(sqlite3* db, const CatalogGuard& guard) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto schemas, read_schema_cookies(db));
  std::vector<Table> tables;
  for (const Catalog::Schema& schema : schemas) TRUSTSQL_RETURN_IF_ERROR(read_schema(db, schema.name, guard, tables));
  resolve_parents(schemas, tables);
  bool is_utf16 = false;
  TRUSTSQL_RETURN_IF_ERROR(
      for_each_row(db, "PRAGMA encoding", [&](const Statement& row) { is_utf16 = row.column_text(0) != "UTF-8"; }));
  return Catalog(std::move(schemas), std::move(tables), is_utf16);
}

namespace {

// The name under which the module `name` is registered with `db`; nullopt if it is not, if SQLite does not tell, or if
// a temporary table hides its eponymous table.
Result<std::optional<std::string>> registered_module(sqlite3* db, std::string_view name) {
  auto prepared =
      prepare(db,
              "SELECT name FROM pragma_module_list AS m WHERE name = ?1 COLLATE NOCASE "
              "AND NOT EXISTS (SELECT 1 FROM temp.sqlite_schema AS t WHERE t.name = m.name COLLATE NOCASE)");
  // SQLite was compiled without PRAGMA module_list (SQLITE_OMIT_INTROSPECTION_PRAGMAS).
  if (!prepared.ok() && prepared.error().code == ErrorCode::query_failed) return std::optional<std::string>();
  TRUSTSQL_ASSIGN_OR_RETURN(Statement module, std::move(prepared));
  TRUSTSQL_RETURN_IF_ERROR(module.bind(1, ValueView::of_text(name)));
  TRUSTSQL_ASSIGN_OR_RETURN(const bool has_module, module.step());
  return has_module ? std::optional(std::string(module.column_text(0))) : std::nullopt;
}

}  // namespace

Result<std::optional<Table>> read_eponymous_table(sqlite3* db, std::string_view name) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto module, registered_module(db, name));
  if (!module) {
    // SQLite registers some of its own modules only when a query names them.
    const auto trial = prepare(db, "SELECT 1 FROM " + quote_identifier(name));
    if (!trial.ok() && trial.error().code != ErrorCode::query_failed) return trial.error();
    if (!trial.ok()) return std::optional<Table>();
    TRUSTSQL_ASSIGN_OR_RETURN(module, registered_module(db, name));
    if (!module) return std::optional<Table>();
  }
  Table table;
  table.name = std::move(*module);
  table.kind = Table::Kind::virtual_table;
  // SQLite finds such a table in any schema without a table of that name. main may have one, so use temp.
  table.schema = "temp";
  TRUSTSQL_RETURN_IF_ERROR(TableReader(db, table).read());
  if (table.columns.empty() && table.error.empty()) return std::optional<Table>();
  table.schema = "main";
  return std::optional(std::move(table));
}

}  // namespace trustsql
