#include "db/stores/examples_table.hpp"

#include "db/sqlite/connection.hpp"
#include "db/sqlite/nested_writes.hpp"
#include "db/sqlite/statement.hpp"

namespace trustsql {

namespace {

ValueView view_of(const std::optional<std::string>& text) {
  return text ? ValueView::of_text(*text) : ValueView::null();
}

}  // namespace

Result<std::int64_t> ExamplesTable::put(const ExampleRow& row) {
  TRUSTSQL_RETURN_IF_ERROR(
      check_nested_write(host_, "main", "INSERT the example into the table trustsql_examples(question, sql) instead"));
  TRUSTSQL_RETURN_IF_ERROR(
      execute(host_,
              "CREATE TABLE IF NOT EXISTS main.trustsql_examples(id INTEGER PRIMARY KEY, question TEXT NOT NULL, "
              "sql TEXT, type TEXT, db TEXT, schema TEXT)"));
  TRUSTSQL_ASSIGN_OR_RETURN(auto lookup,
                            prepare(host_, "SELECT id FROM main.trustsql_examples WHERE question = ?1 AND db IS ?2"));
  TRUSTSQL_RETURN_IF_ERROR(lookup.bind(1, ValueView::of_text(row.question)));
  TRUSTSQL_RETURN_IF_ERROR(lookup.bind(2, view_of(row.database)));
  TRUSTSQL_ASSIGN_OR_RETURN(const bool exists, lookup.step());
  const ValueView id = exists ? ValueView::of_integer(lookup.column_integer(0)) : ValueView::null();
  lookup.reset();

  TRUSTSQL_ASSIGN_OR_RETURN(auto put, prepare(host_,
                                              "INSERT OR REPLACE INTO main.trustsql_examples(id, question, sql, type, "
                                              "db, schema) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"));
  TRUSTSQL_RETURN_IF_ERROR(put.bind(1, id));
  TRUSTSQL_RETURN_IF_ERROR(put.bind(2, ValueView::of_text(row.question)));
  TRUSTSQL_RETURN_IF_ERROR(put.bind(3, view_of(row.sql)));
  TRUSTSQL_RETURN_IF_ERROR(put.bind(4, view_of(row.type)));
  TRUSTSQL_RETURN_IF_ERROR(put.bind(5, view_of(row.database)));
  TRUSTSQL_RETURN_IF_ERROR(put.bind(6, view_of(row.schema)));
  TRUSTSQL_RETURN_IF_ERROR(put.run());
  if (sqlite3_changes(host_) == 0) return query_failed("a trigger of trustsql_examples has dropped the example");
  return id.is_null() ? static_cast<std::int64_t>(sqlite3_last_insert_rowid(host_)) : id.integer;
}

}  // namespace trustsql
