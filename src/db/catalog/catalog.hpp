// Catalog: what a database says about itself. Tables and views with their columns, keys, foreign keys and constraints.
//
// It is a value: a copy of the schema at one moment that no longer needs a connection and can be shared between
// threads. Where SQLite does not enforce what a schema declares, the catalog says what holds, not what is declared: see
// Column::not_null, Column::enforced_type and Key::is_true_key, whose rules were verified on SQLite.
//
//   SandboxSource::catalog()   the catalog of a database, cached until its schema changes
//   open_ddl()                 (ddl_source.hpp) a source made of DDL text
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/affinity.hpp"
#include "base/value.hpp"

namespace trustsql {

struct Column {
  enum class Generated : std::uint8_t { no, virtual_, stored };

  std::string name;
  std::string declared_type;  // as written, without quotes; empty if there is none
  Affinity affinity = Affinity::blob;
  // The collation of the column in comparisons: "BINARY", "NOCASE", "RTRIM" or one of the host's. Empty for a view,
  // whose columns have the collations of their expressions.
  std::string collation;
  // No row holds NULL here: the column is declared NOT NULL, is a rowid alias, or is part of the primary key of a
  // WITHOUT ROWID or STRICT table. In other tables PRIMARY KEY alone does not exclude NULLs.
  bool not_null = false;
  // Declared NOT NULL, but rows may hold NULL: the default, with which ALTER TABLE may have added the column, is NULL
  // in disguise, or the column is computed with LIKE, which was another one as rows were inserted.
  bool may_hide_nulls = false;
  // The one storage class of the column's non-NULL values, where SQLite enforces one: for a rowid alias, and for the
  // columns of a STRICT table except generated ones, BLOB and ANY, and those whose default is no literal of it.
  std::optional<ValueType> enforced_type;
  std::optional<std::string> default_value;  // the expression as written
  Generated generated = Generated::no;
  std::string generated_expression;  // for a generated column, without the parentheses around it
  bool hidden = false;               // for a column of a virtual table: not part of "*"
  int primary_key_position = 0;      // from 1; 0 if it is not part of the primary key
  bool is_rowid_alias = false;       // INTEGER PRIMARY KEY: another name of the rowid
  bool is_indexed = false;           // part of some index, unique or not; the rowid has none

  // Whether SQLite takes it for never NULL (sqlite3ExprCanBeNull()).
  bool counts_as_not_null() const { return not_null || may_hide_nulls || is_rowid_alias; }
};

struct KeyPart {
  int column = 0;         // index in Table::columns; -1 for the rowid, -2 for an expression
  std::string collation;  // rows are compared under this collation
  bool descending = false;
};

// A primary key, a UNIQUE constraint or a unique index.
struct Key {
  enum class Origin : std::uint8_t { primary_key, unique_constraint, unique_index };

  Origin origin = Origin::primary_key;
  std::string index;  // its name; empty for a rowid alias
  std::vector<KeyPart> parts;
  bool is_partial = false;      // an index with a WHERE clause
  bool has_expression = false;  // an index on expressions
  // No two rows agree in all parts, compared under the parts' collations, and no part is ever NULL. For other keys
  // nothing may be concluded without considering NULLs: two rows may agree in a part that is NULL in both.
  bool is_true_key = false;
};

struct ForeignKey {
  std::vector<int> columns;  // indexes in Table::columns
  std::string parent_table;  // in the same schema; need not exist
  // If the declaration names none: the columns of the parent's primary key, or empty if their number differs.
  std::vector<std::string> parent_columns;
  std::string on_update;  // "NO ACTION", "CASCADE" ...
  std::string on_delete;
};

struct Check {
  std::string name;        // from its CONSTRAINT clause; empty if there is none
  std::string expression;  // as written, without the parentheses around it
  int column = -1;         // the column in whose definition it stands; -1 for a table constraint
};

struct Table {
  enum class Kind : std::uint8_t { table, view, virtual_table, shadow_table };

  std::string schema;  // "main", "temp" or the name of an attached database
  std::string name;
  Kind kind = Kind::table;
  bool without_rowid = false;
  bool strict = false;
  std::string sql;  // its CREATE statement; empty for SQLite's own tables
  std::vector<Column> columns;
  std::vector<Key> keys;                     // the primary key first, if there is one
  bool has_index_on_virtual_column = false;  // some index, unique or not, has a virtual generated column
  bool has_index_on_expression = false;      // some index, unique or not, has an expression
  bool has_descending_index = false;         // some index, unique or not, has a column in descending order
  std::vector<ForeignKey> foreign_keys;
  std::vector<Check> checks;
  // Why its columns are unknown, e.g. a view on a missing table, or a virtual table without its module.
  std::string error;

  // Whether it is sqlite_schema, sqlite_sequence or the like.
  bool is_internal() const;
  // Whether it has a rowid, available as rowid, oid and _rowid_ unless a column has that name.
  bool has_rowid() const {
    return (kind == Kind::table || kind == Kind::shadow_table || kind == Kind::virtual_table) && !without_rowid;
  }
  // Index of the column of that name (case ignored), nullopt if there is none.
  std::optional<std::size_t> find_column(std::string_view column) const;
  // The primary key, nullptr if there is none.
  const Key* primary_key() const;
};

class Catalog {
 public:
  struct Schema {
    std::string name;
    std::int64_t cookie = 0;  // PRAGMA schema_version
    friend bool operator==(const Schema&, const Schema&) = default;
  };

  Catalog() = default;
  // `schemas` in the order of resolution: temp, main, then the attached ones.
  Catalog(std::vector<Schema> schemas, std::vector<Table> tables, bool is_utf16 = false);

  std::span<const Schema> schemas() const { return schemas_; }
  // Whether texts are stored in UTF-16: a blob of an odd number of bytes loses the last one where it becomes a text.
  bool is_utf16() const { return is_utf16_; }
  // A copy of this catalog that assumes that no value is ever NULL: all columns are NOT NULL, and so unique keys are
  // true keys.
  Catalog without_nulls() const;

  // Ordered by schema (as above), then as in sqlite_schema; SQLite's own tables last.
  std::span<const Table> tables() const { return tables_; }

  // The table or view to which SQLite resolves an unqualified `name`, or the one in the given schema. Case is ignored,
  // and sqlite_master is treated as sqlite_schema. nullptr if there is none.
  const Table* find(std::string_view name) const;
  const Table* find(std::string_view schema, std::string_view name) const;

  // The table that `key` of `child` refers to, nullptr if it does not exist.
  const Table* parent(const Table& child, const ForeignKey& key) const { return find(child.schema, key.parent_table); }

 private:
  std::vector<Schema> schemas_;
  std::vector<Table> tables_;
  bool is_utf16_ = false;
};

}  // namespace trustsql
