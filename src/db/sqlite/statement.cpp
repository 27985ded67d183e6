#include "db/sqlite/statement.hpp"

#include "db/sqlite/connection.hpp"

namespace trustsql {

Status Statement::bind(int index, ValueView value) {
  int code = SQLITE_OK;
  switch (value.type) {
    case ValueType::null: code = sqlite3_bind_null(handle_.get(), index); break;
    case ValueType::integer: code = sqlite3_bind_int64(handle_.get(), index, value.integer); break;
    case ValueType::real: code = sqlite3_bind_double(handle_.get(), index, value.real); break;
    case ValueType::text:
      // A null pointer would bind NULL, hence the empty literal.
      code = sqlite3_bind_text64(handle_.get(), index, value.bytes.empty() ? "" : value.bytes.data(),
                                 value.bytes.size(), SQLITE_STATIC, SQLITE_UTF8);
      break;
    case ValueType::blob:
      code = sqlite3_bind_blob64(handle_.get(), index, value.bytes.empty() ? "" : value.bytes.data(),
                                 value.bytes.size(), SQLITE_STATIC);
      break;
  }
  if (code != SQLITE_OK) return statement_error(sqlite3_db_handle(handle_.get()), code);
  return ok_status();
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return statement_error(sqlite3_db_handle(handle_.get()), code);
}

Status Statement::run() {
  while (true) {
    auto row = step();
    if (row.ok() && *row) continue;
    reset();
    if (!row.ok()) return std::move(row).error();
    return ok_status();
  }
}

ValueView Statement::column(int index) const { return column_value(handle_.get(), index); }

std::string_view Statement::column_text(int index) const {
  if (column_is_null(index)) return {};
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), index));
  if (text == nullptr) throw std::bad_alloc();
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), index))};
}

std::vector<std::string> column_names(sqlite3_stmt* statement) {
  std::vector<std::string> names;
  const int columns = sqlite3_column_count(statement);
  for (int i = 0; i < columns; ++i) {
    const char* name = sqlite3_column_name(statement, i);
    if (name == nullptr) throw std::bad_alloc();
    names.emplace_back(name);
  }
  return names;
}

}  // namespace trustsql
