#include "db/sources/row_source.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "db/sqlite/connection.hpp"

namespace trustsql {

namespace {

// The first word of `sql` after comments and white space.
std::string_view first_keyword(std::string_view sql) {
  while (true) {
    sql = trim(sql);
    std::size_t skipped = 0;
    if (sql.starts_with("--")) skipped = std::min(sql.find('\n'), sql.size());
    if (sql.starts_with("/*")) skipped = std::min(sql.find("*/", 2), sql.size() - 2) + 2;
    if (skipped == 0) break;
    sql.remove_prefix(skipped);
  }
  std::size_t length = 0;
  while (length < sql.size() && to_lower_ascii(sql[length]) >= 'a' && to_lower_ascii(sql[length]) <= 'z') ++length;
  return sql.substr(0, length);
}

bool is_query(std::string_view source) {
  const auto word = first_keyword(source);
  // A table may be named like a keyword ("values"); a query has more after the word.
  if (trim(source).size() == word.size()) return false;
  for (const auto* keyword : {"select", "with", "values"})
    if (equals_ignore_case(word, keyword)) return true;
  return false;
}

// Prepares the first statement of `sql` and removes its text from `sql`. The statement is empty if there is only white
// space.
Result<Statement> prepare_next(sqlite3* host, std::string_view& sql) {
  sqlite3_stmt* handle = nullptr;
  const char* tail = nullptr;
  const int code = sqlite3_prepare_v2(host, sql.data(), static_cast<int>(sql.size()), &handle, &tail);
  Statement statement(handle);
  if (code != SQLITE_OK) return statement_error(host, code);
  sql.remove_prefix(static_cast<std::size_t>(tail - sql.data()));
  return statement;
}

// Prepares `sql`, which must be one statement.
Result<Statement> prepare_one(sqlite3* host, std::string_view sql) {
  TRUSTSQL_ASSIGN_OR_RETURN(Statement statement, prepare_next(host, sql));
  if (!statement) return invalid_argument("it is empty");
  for (sql = trim(sql); !sql.empty(); sql = trim(sql)) {
    const auto second = prepare_next(host, sql);
    if (!second.ok() && second.error().code == ErrorCode::out_of_memory) return second.error();
    if (!second.ok() || *second) return invalid_argument("it has more than one statement");
  }
  return statement;
}

Result<Statement> prepare_table(sqlite3* host, std::string_view name) {
  auto whole = prepare_one(host, "SELECT * FROM " + quote_identifier(name));
  const auto dot = name.find('.');
  if (whole.ok() || dot == std::string_view::npos) return whole;
  auto parts = prepare_one(
      host, "SELECT * FROM " + quote_identifier(name.substr(0, dot)) + "." + quote_identifier(name.substr(dot + 1)));
  return parts.ok() ? std::move(parts) : std::move(whole);
}

}  // namespace

void RowSource::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Result<RowSource> RowSource::open(sqlite3* host, std::string_view source) {
  // SQLite treats a NUL as the end of the text, so the loop in prepare_one() would never reach the end of `sql`.
  if (source.find('\0') != std::string_view::npos)
    return invalid_argument("the source " + quote_for_message(source) + " contains a NUL character");
  if (trim(source).empty())
    return invalid_argument("the source is empty; it must be the name of a table or view, or a SELECT");
  const bool query = is_query(source);
  auto prepared = query ? prepare_one(host, source) : prepare_table(host, source);
  if (!prepared.ok()) {
    if (prepared.error().code == ErrorCode::out_of_memory) return std::move(prepared).error();
    return invalid_argument("the source " + quote_for_message(source) + " cannot be read: " + prepared.error().message +
                            (query ? "" : " (a source is the name of a table or view, or a SELECT)"));
  }
  RowSource opened;
  opened.statement_.reset(std::move(prepared).value().release());
  if (sqlite3_stmt_readonly(opened.statement_.get()) == 0)
    return invalid_argument("the source " + quote_for_message(source) +
                            " would change a database; it must be a SELECT");
  opened.names_ = trustsql::column_names(opened.statement_.get());
  return opened;
}

std::optional<int> RowSource::find(std::string_view name) const {
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (equals_ignore_case(names_[i], name)) return static_cast<int>(i);
  return std::nullopt;
}

Result<int> RowSource::require(std::string_view name) const {
  if (const auto column = find(name)) return *column;
  return invalid_argument("the source has no column '" + std::string(name) + "'; it has: " + join(names_, ", "));
}

Result<bool> RowSource::next() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  Error error = statement_error(sqlite3_db_handle(statement_.get()), code);
  if (error.code == ErrorCode::interrupted || error.code == ErrorCode::out_of_memory) return error;
  return query_failed("reading the source: " + error.message);
}

ValueView RowSource::at(int column) const { return column_value(statement_.get(), column); }

Result<std::optional<std::string>> RowSource::text_at(std::optional<int> column, std::string_view name) const {
  const ValueView value = column ? at(*column) : ValueView::null();
  if (value.is_null()) return std::optional<std::string>();
  if (value.type != ValueType::text)
    return invalid_argument(std::string(name) + " must be a text or NULL, not " + type_and_value(value));
  return std::optional(std::string(value.bytes));
}

std::string type_and_value(ValueView value) {
  std::string text(type_name(value.type));
  if (value.type != ValueType::blob) text += " " + quote_for_message(format_value(value), 60);
  return text;
}

}  // namespace trustsql
