#include "db/stores/host_table.hpp"

#include "base/text.hpp"
#include "db/sqlite/connection.hpp"
#include "db/sqlite/nested_writes.hpp"

namespace trustsql {

std::string HostTable::name() const { return quote_identifier(schema_) + "." + quote_identifier(table_); }

Result<std::vector<std::optional<std::string>>> HostTable::get(std::string_view space,
                                                               std::span<const std::string> keys) {
  std::vector<std::optional<std::string>> values(keys.size());
  TRUSTSQL_ASSIGN_OR_RETURN(const auto tables,
                            query_integer(host_, "SELECT count(*) FROM " + quote_identifier(schema_) +
                                                     ".sqlite_schema WHERE name = " + quote_string(table_)));
  if (tables == 0) return values;
  TRUSTSQL_ASSIGN_OR_RETURN(auto select,
                            prepare(host_, "SELECT value FROM " + name() + " WHERE space = ?1 AND key = ?2"));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    select.reset();
    TRUSTSQL_RETURN_IF_ERROR(select.bind(1, ValueView::of_text(space)));
    TRUSTSQL_RETURN_IF_ERROR(select.bind(2, ValueView::of_text(keys[i])));
    TRUSTSQL_ASSIGN_OR_RETURN(const bool row, select.step());
    if (row) values[i] = std::string(select.column(0).bytes);
  }
  return values;
}

Status HostTable::put(std::string_view space, std::span<const std::string> keys, std::span<const std::string> values) {
  TRUSTSQL_RETURN_IF_ERROR(
      check_nested_write(host_, schema_.c_str(), "let the setting that names this table name a file instead"));
  const auto fill = [&]() -> Status {
    TRUSTSQL_RETURN_IF_ERROR(execute(
        host_,
        "CREATE TABLE IF NOT EXISTS " + name() +
            "(space TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY(space, key)) WITHOUT ROWID"));
    TRUSTSQL_ASSIGN_OR_RETURN(
        auto insert, prepare(host_, "INSERT OR REPLACE INTO " + name() + "(space, key, value) VALUES (?1, ?2, ?3)"));
    for (std::size_t i = 0; i < keys.size(); ++i) {
      insert.reset();
      TRUSTSQL_RETURN_IF_ERROR(insert.bind(1, ValueView::of_text(space)));
      TRUSTSQL_RETURN_IF_ERROR(insert.bind(2, ValueView::of_text(keys[i])));
      TRUSTSQL_RETURN_IF_ERROR(insert.bind(3, ValueView::of_blob(values[i])));
      TRUSTSQL_RETURN_IF_ERROR(insert.run());
    }
    return ok_status();
  };
  // One transaction for all rows. While a statement of the host is writing, no savepoint can be opened, and none is
  // needed.
  const bool has_savepoint = execute(host_, "SAVEPOINT trustsql_host_table").ok();
  auto filled = fill();
  if (!has_savepoint) return filled;
  if (!filled.ok()) {
    (void)execute(host_, "ROLLBACK TO trustsql_host_table");
    (void)execute(host_, "RELEASE trustsql_host_table");
    return filled;
  }
  return execute(host_, "RELEASE trustsql_host_table");
}

}  // namespace trustsql
