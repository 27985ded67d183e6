#include "db/close_guard.hpp"

#include <memory>
#include <new>
#include <utility>

#include "db/connection.hpp"

namespace trustsql {

namespace {

constexpr const char* module_name = "trustsql_close_guard";

using Callback = std::function<void()>;

struct GuardTable {
  sqlite3_vtab base;  // first, as SQLite asks
  Callback on_close;
};

int connect(sqlite3* db, void* client_data, int, const char* const*, sqlite3_vtab** table, char**) noexcept {
  try {
    if (const int code = sqlite3_declare_vtab(db, "CREATE TABLE guard(nothing)"); code != SQLITE_OK) return code;
    auto guard = std::make_unique<GuardTable>();
    guard->on_close = *static_cast<Callback*>(client_data);
    *table = &guard.release()->base;
    return SQLITE_OK;
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
}

int disconnect(sqlite3_vtab* table) noexcept {
  const std::unique_ptr<GuardTable> guard(reinterpret_cast<GuardTable*>(table));
  guard->on_close();
  return SQLITE_OK;
}

int best_index(sqlite3_vtab*, sqlite3_index_info*) noexcept { return SQLITE_OK; }

int open_cursor(sqlite3_vtab*, sqlite3_vtab_cursor** cursor) noexcept {
  auto opened = std::unique_ptr<sqlite3_vtab_cursor>(new (std::nothrow) sqlite3_vtab_cursor{});
  if (!opened) return SQLITE_NOMEM;
  *cursor = opened.release();
  return SQLITE_OK;
}

int close_cursor(sqlite3_vtab_cursor* cursor) noexcept {
  const std::unique_ptr<sqlite3_vtab_cursor> closed(cursor);
  return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor*, int, const char*, int, sqlite3_value**) noexcept { return SQLITE_OK; }
int next(sqlite3_vtab_cursor*) noexcept { return SQLITE_OK; }
int at_end(sqlite3_vtab_cursor*) noexcept { return 1; }
int column(sqlite3_vtab_cursor*, sqlite3_context*, int) noexcept { return SQLITE_OK; }
int rowid(sqlite3_vtab_cursor*, sqlite3_int64* id) noexcept {
  *id = 0;
  return SQLITE_OK;
}

void destroy_callback(void* client_data) noexcept { const std::unique_ptr<Callback> owned(static_cast<Callback*>(client_data)); }

constexpr sqlite3_module make_module() {
  sqlite3_module module{};
  module.iVersion = 1;
  module.xConnect = connect;  // without xCreate: the table exists by its own name only
  module.xBestIndex = best_index;
  module.xDisconnect = disconnect;
  module.xDestroy = disconnect;
  module.xOpen = open_cursor;
  module.xClose = close_cursor;
  module.xFilter = filter;
  module.xNext = next;
  module.xEof = at_end;
  module.xColumn = column;
  module.xRowid = rowid;
  return module;
}

constexpr sqlite3_module guard_module = make_module();

}  // namespace

void call_before_close(sqlite3* host, std::function<void()> on_close) {
  auto callback = std::make_unique<Callback>(std::move(on_close));
  if (sqlite3_create_module_v2(host, module_name, &guard_module, callback.release(), destroy_callback) != SQLITE_OK) return;
  // Preparing connects the table, and it stays connected.
  static_cast<void>(prepare(host, std::string("SELECT nothing FROM ") + module_name));
}

}  // namespace trustsql
