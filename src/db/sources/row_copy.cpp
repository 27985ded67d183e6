#include "db/sources/row_copy.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/text.hpp"
#include "db/sqlite/failure_cause.hpp"

namespace trustsql {

namespace {

struct CopiedEntry {
  std::string type;
  std::string name;
  std::string table;
  std::string sql;

  bool is_virtual() const {
    return type == "table" && equals_ignore_case(std::string_view(sql).substr(0, 14), "create virtual");
  }
  bool is_internal() const { return equals_ignore_case(std::string_view(name).substr(0, 7), "sqlite_"); }
};

// Authorizer for the copy. The schema's SQL comes from a file that may have been tampered with; CREATE TABLE AS SELECT
// would run a query.
int deny_queries(void*, int action, const char*, const char*, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_ATTACH:
    case SQLITE_DETACH:
    case SQLITE_CREATE_VTABLE: return SQLITE_DENY;
    default: return SQLITE_OK;
  }
}

void unavailable_function(sqlite3_context* context, int, sqlite3_value**) {
  sqlite3_result_error(context, "a function of the host connection is not available in a snapshot", -1);
}

int compare_bytes(void*, int size_a, const void* a, int size_b, const void* b) {
  const int order = std::memcmp(a, b, static_cast<std::size_t>(std::min(size_a, size_b)));
  return order != 0 ? order : size_a - size_b;
}

// Registers a substitute for a collation of the host, so that tables that use it can be created. The collation is
// missing on connections that read the snapshot: a query that needs it fails with its name.
void register_substitute_collation(void*, sqlite3* db, int encoding, const char* name) {
  sqlite3_create_collation_v2(db, name, encoding, nullptr, compare_bytes, nullptr);
}

class RowCopier {
 public:
  RowCopier(sqlite3* host, const std::string& schema, sqlite3* copy)
      : host_(host), schema_(quote_identifier(schema)), copy_(copy) {}

  Status run(std::int64_t max_bytes) {
    TRUSTSQL_RETURN_IF_ERROR(prepare_copy(max_bytes));
    TRUSTSQL_ASSIGN_OR_RETURN(const auto entries, read_schema());
    TRUSTSQL_RETURN_IF_ERROR(execute(copy_, "BEGIN"));
    for (const CopiedEntry& entry : entries) {
      if (entry.type != "table" || entry.is_virtual() || entry.is_internal()) continue;
      TRUSTSQL_RETURN_IF_ERROR(create(entry.sql));
      TRUSTSQL_RETURN_IF_ERROR(copy_table(entry.name));
    }
    for (const CopiedEntry& entry : entries) {
      if (entry.type != "table" || !entry.is_internal()) continue;
      // sqlite_sequence exists if a table has an AUTOINCREMENT column; sqlite_stat1 is created by ANALYZE.
      if (entry.name == "sqlite_sequence") TRUSTSQL_RETURN_IF_ERROR(execute(copy_, "DELETE FROM sqlite_sequence"));
      if (entry.name == "sqlite_stat1") TRUSTSQL_RETURN_IF_ERROR(execute(copy_, "ANALYZE main.sqlite_schema"));
      if (entry.name == "sqlite_sequence" || entry.name == "sqlite_stat1")
        TRUSTSQL_RETURN_IF_ERROR(copy_table(entry.name));
    }
    for (const CopiedEntry& entry : entries) {
      if (entry.type != "index") continue;
      auto created = create(entry.sql);
      if (!created.ok() && created.error().code != ErrorCode::query_failed) return std::move(created).error();
    }
    TRUSTSQL_RETURN_IF_ERROR(execute(copy_, "PRAGMA writable_schema=ON"));
    TRUSTSQL_ASSIGN_OR_RETURN(
        Statement insert,
        prepare(copy_, "INSERT INTO sqlite_schema(type, name, tbl_name, rootpage, sql) VALUES (?1, ?2, ?3, 0, ?4)"));
    for (const CopiedEntry& entry : entries) {
      if (entry.type != "view" && entry.type != "trigger" && !entry.is_virtual()) continue;
      TRUSTSQL_RETURN_IF_ERROR(insert.bind(1, ValueView::of_text(entry.type)));
      TRUSTSQL_RETURN_IF_ERROR(insert.bind(2, ValueView::of_text(entry.name)));
      TRUSTSQL_RETURN_IF_ERROR(insert.bind(3, ValueView::of_text(entry.table)));
      TRUSTSQL_RETURN_IF_ERROR(insert.bind(4, ValueView::of_text(entry.sql)));
      TRUSTSQL_RETURN_IF_ERROR(insert.run());
    }
    return execute(copy_, "COMMIT");
  }

 private:
  Status prepare_copy(std::int64_t max_bytes) {
    TRUSTSQL_ASSIGN_OR_RETURN(Statement encoding, prepare(host_, "PRAGMA encoding"));
    TRUSTSQL_RETURN_IF_ERROR(encoding.step());
    TRUSTSQL_RETURN_IF_ERROR(execute(copy_, "PRAGMA encoding=" + quote_string(encoding.column_text(0))));
    TRUSTSQL_ASSIGN_OR_RETURN(const std::int64_t page_size, query_integer(copy_, "PRAGMA page_size"));
    for (const std::string& pragma : {"max_page_count=" + std::to_string(max_bytes / page_size + 1),
                                      std::string("foreign_keys=OFF"), std::string("ignore_check_constraints=ON")})
      TRUSTSQL_RETURN_IF_ERROR(execute(copy_, "PRAGMA " + pragma));
    for (const auto& [option, value] :
         {std::pair(SQLITE_DBCONFIG_DEFENSIVE, 0), std::pair(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
          std::pair(SQLITE_DBCONFIG_DQS_DDL, 1), std::pair(SQLITE_DBCONFIG_DQS_DML, 1)})
      sqlite3_db_config(copy_, option, value, nullptr);
    sqlite3_collation_needed(copy_, nullptr, register_substitute_collation);
    return ok_status();
  }

  Result<std::vector<CopiedEntry>> read_schema() {
    TRUSTSQL_ASSIGN_OR_RETURN(Statement rows, prepare(host_, "SELECT type, name, tbl_name, sql FROM " + schema_ +
                                                                 ".sqlite_schema WHERE sql IS NOT NULL"));
    std::vector<CopiedEntry> entries;
    while (true) {
      TRUSTSQL_ASSIGN_OR_RETURN(const bool row, rows.step());
      if (!row) return entries;
      entries.push_back({std::string(rows.column_text(0)), std::string(rows.column_text(1)),
                         std::string(rows.column_text(2)), std::string(rows.column_text(3))});
    }
  }

  // Runs CREATE TABLE or CREATE INDEX. Functions that only the host has are replaced by unavailable_function().
  Status create(const std::string& sql) {
    for (int attempt = 0;; ++attempt) {
      sqlite3_set_authorizer(copy_, deny_queries, nullptr);
      auto created = execute(copy_, sql);
      sqlite3_set_authorizer(copy_, nullptr, nullptr);
      if (created.ok() || attempt == 100) return created;
      const auto cause = failure_cause(created.error().message);
      if (cause.kind != FailureCause::Kind::unknown_function) return created;
      sqlite3_create_function_v2(copy_, cause.name.c_str(), -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                 nullptr, unavailable_function, nullptr, nullptr, nullptr);
    }
  }

  Status copy_table(const std::string& name) {
    const std::string quoted = quote_identifier(name);
    // cid, name, type, notnull, dflt_value, pk, hidden (2 and 3: generated)
    TRUSTSQL_ASSIGN_OR_RETURN(Statement info, prepare(host_, "PRAGMA " + schema_ + ".table_xinfo(" + quoted + ")"));
    std::vector<std::string> column_names;
    std::vector<std::string> stored;
    int key_columns = 0;
    bool integer_key = false;
    while (true) {
      TRUSTSQL_ASSIGN_OR_RETURN(const bool row, info.step());
      if (!row) break;
      column_names.emplace_back(to_lower_ascii(info.column_text(1)));
      if (info.column_integer(6) == 0) stored.push_back(quote_identifier(info.column_text(1)));
      if (info.column_integer(5) == 0) continue;
      ++key_columns;
      integer_key = equals_ignore_case(info.column_text(2), "integer");
    }
    Statement select;
    if (key_columns != 1 || !integer_key) {  // else the rowid is a column already
      for (const char* rowid : {"rowid", "_rowid_", "oid"}) {
        if (std::ranges::find(column_names, rowid) != column_names.end()) continue;
        auto with_rowid = prepare(host_, select_sql(rowid, stored, quoted));
        if (with_rowid.ok()) {  // else the table is WITHOUT ROWID
          select = std::move(with_rowid).value();
          stored.insert(stored.begin(), rowid);
        }
        break;
      }
    }
    if (!select) {
      TRUSTSQL_ASSIGN_OR_RETURN(select, prepare(host_, select_sql("", stored, quoted)));
    }
    std::string insert_sql = "INSERT INTO main." + quoted + "(" + join(stored, ",") + ") VALUES (?";
    for (std::size_t i = 1; i < stored.size(); ++i) insert_sql += ",?";
    TRUSTSQL_ASSIGN_OR_RETURN(Statement insert, prepare(copy_, insert_sql + ")"));
    while (true) {
      TRUSTSQL_ASSIGN_OR_RETURN(const bool row, select.step());
      if (!row) return ok_status();
      for (int i = 0; i < static_cast<int>(stored.size()); ++i) {
        const int code = sqlite3_bind_value(insert.handle(), i + 1, sqlite3_column_value(select.handle(), i));
        if (code != SQLITE_OK) return sqlite_error(copy_, code);
      }
      TRUSTSQL_RETURN_IF_ERROR(insert.run());
    }
  }

  std::string select_sql(std::string_view rowid, const std::vector<std::string>& columns,
                         const std::string& table) const {
    std::string sql = "SELECT " + std::string(rowid);
    if (!rowid.empty()) sql += ",";
    return sql + join(columns, ",") + " FROM " + schema_ + "." + table;
  }

  sqlite3* host_;
  std::string schema_;  // quoted
  sqlite3* copy_;
};

}  // namespace

Result<Connection> copy_rows(sqlite3* host, const std::string& schema, std::int64_t max_bytes) {
  TRUSTSQL_ASSIGN_OR_RETURN(Connection copy, Connection::open_memory());
  auto copied = RowCopier(host, schema, copy.handle()).run(max_bytes);
  if (copied.ok()) return copy;
  Error error = std::move(copied).error();
  if (sqlite3_errcode(copy.handle()) == SQLITE_FULL) {
    return limit_exceeded(
        "the database of this connection has to be copied because it has uncommitted changes, but it takes more "
        "bytes than the setting snapshot_max_bytes = " +
        std::to_string(max_bytes) + " allows");
  }
  return std::move(error).with_prefix("cannot copy the database of this connection");
}

}  // namespace trustsql
