#include "db/source.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "db/sqlite_api.hpp"

namespace trustsql {

namespace {

// The first word of `sql`, comments and white space before it skipped.
std::string_view first_word(std::string_view sql) {
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
  const auto word = first_word(source);
  // A table may be named like a keyword ("values"); a query has more after the word.
  if (trim(source).size() == word.size()) return false;
  for (const auto* keyword : {"select", "with", "values"})
    if (equals_ignore_case(word, keyword)) return true;
  return false;
}

// Prepares the first statement of `sql`; the rest, if any, must hold no second one.
Result<sqlite3_stmt*> prepare(sqlite3* host, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  const char* tail = nullptr;
  if (sqlite3_prepare_v2(host, sql.data(), static_cast<int>(sql.size()), &statement, &tail) != SQLITE_OK) return query_failed(sqlite3_errmsg(host));
  if (statement == nullptr) return invalid_argument("the source is empty");
  const auto rest = std::string_view(sql).substr(static_cast<std::size_t>(tail - sql.data()));
  for (auto left = trim(rest); !left.empty();) {
    sqlite3_stmt* second = nullptr;
    const int code = sqlite3_prepare_v2(host, left.data(), static_cast<int>(left.size()), &second, &tail);
    if (code != SQLITE_OK || second != nullptr) {
      sqlite3_finalize(second);
      sqlite3_finalize(statement);
      return invalid_argument("the source must be one statement");
    }
    left = trim(left.substr(static_cast<std::size_t>(tail - left.data())));
  }
  return statement;
}

Result<sqlite3_stmt*> prepare_table(sqlite3* host, std::string_view name) {
  auto whole = prepare(host, "SELECT * FROM " + quote_identifier(name));
  const auto dot = name.find('.');
  if (whole.ok() || dot == std::string_view::npos) return whole;
  auto parts = prepare(host, "SELECT * FROM " + quote_identifier(name.substr(0, dot)) + "." + quote_identifier(name.substr(dot + 1)));
  return parts.ok() ? std::move(parts) : std::move(whole);
}

}  // namespace

void Source::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Result<Source> Source::open(sqlite3* host, std::string_view source) {
  if (source.size() > static_cast<std::size_t>(sqlite3_limit(host, SQLITE_LIMIT_SQL_LENGTH, -1))) return invalid_argument("the source is too long");
  const bool query = is_query(source);
  auto prepared = query ? prepare(host, std::string(source)) : prepare_table(host, source);
  if (!prepared.ok()) {
    return invalid_argument("the source " + quote_for_message(source) + " cannot be read: " + prepared.error().message +
                            (query ? "" : " (a source is the name of a table or view, or a SELECT)"));
  }
  Source opened;
  opened.statement_.reset(prepared.value());
  if (sqlite3_stmt_readonly(opened.statement_.get()) == 0) return invalid_argument("the source must not change anything");
  const int columns = sqlite3_column_count(opened.statement_.get());
  for (int i = 0; i < columns; ++i) {
    const char* name = sqlite3_column_name(opened.statement_.get(), i);
    opened.names_.emplace_back(name == nullptr ? "" : name);
  }
  return opened;
}

std::optional<int> Source::find(std::string_view name) const {
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (equals_ignore_case(names_[i], name)) return static_cast<int>(i);
  return std::nullopt;
}

Result<int> Source::require(std::string_view name) const {
  if (const auto found = find(name)) return *found;
  return invalid_argument("the source has no column '" + std::string(name) + "'; it has: " + join(names_, ", "));
}

Result<bool> Source::next() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  const std::string message = sqlite3_errmsg(sqlite3_db_handle(statement_.get()));
  if (code == SQLITE_INTERRUPT) return Error{ErrorCode::interrupted, message};
  if (code == SQLITE_NOMEM) return Error{ErrorCode::out_of_memory, message};
  return query_failed("reading the source: " + message);
}

ValueView Source::at(int column) const {
  sqlite3_stmt* statement = statement_.get();
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: return ValueView::of_integer(sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT: return ValueView::of_real(sqlite3_column_double(statement, column));
    case SQLITE_TEXT: {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
      return ValueView::of_text({text, static_cast<std::size_t>(sqlite3_column_bytes(statement, column))});
    }
    case SQLITE_BLOB: {
      const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement, column));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
      return ValueView::of_blob(bytes == nullptr ? std::string_view() : std::string_view(bytes, size));
    }
    default: return ValueView::null();
  }
}

}  // namespace trustsql
