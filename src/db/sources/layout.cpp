#include "db/sources/layout.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "db/sqlite/lock_wait.hpp"

namespace trustsql {

namespace {

Status attach(sqlite3* db, const LayoutDatabase& database) {
  const std::string uri = database.image ? ":memory:" : database.uri;
  TRUSTSQL_RETURN_IF_ERROR(execute(db, "ATTACH " + quote_string(uri) + " AS " + quote_identifier(database.schema)));
  return ok_status();
}

Status read_schema(sqlite3* db, const std::string& schema) {
  return execute(db, "SELECT 1 FROM " + quote_identifier(schema) + ".sqlite_schema LIMIT 1");
}

// The flag for opening a main database that is a file. Databases attached to a read-only connection are read-only as
// well, even in memory, so an image that has to be installed by sqlite3_backup could not be written. The file itself
// stays read-only because of its URI.
int file_access_flag(const Layout& layout) {
  const bool attaches_image =
      std::ranges::any_of(layout.databases, [](const LayoutDatabase& database) { return database.image != nullptr; });
  return attaches_image && !sqlite_shim::can_serialize() ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
}

// What a read-only connection would have to do to the file but cannot, for messages.
std::string_view explanation(int code) {
  switch (code) {
    case SQLITE_READONLY_ROLLBACK:
      return "; an interrupted transaction has to be rolled back by a program that can write to the file";
    case SQLITE_READONLY_RECOVERY:
    case SQLITE_READONLY_CANTINIT: return "; its -wal file has to be recovered by a program that can write to the file";
    default: return "";
  }
}

}  // namespace

std::string escape_uri(std::string_view text) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || byte >= 0x80 ||
                       std::string_view("/-_.~").find(c) != std::string_view::npos;
    if (plain) {
      escaped += c;
    } else {
      escaped += '%';
      escaped += hex[byte >> 4];
      escaped += hex[byte & 15];
    }
  }
  return escaped;
}

std::string file_uri(std::string_view path, std::string_view parameters) {
  // Use "file://" before an absolute path, since "file:" before a path that begins with two slashes would name a host.
  return (path.starts_with('/') ? "file://" : "file:") + escape_uri(path) + "?mode=ro" + std::string(parameters);
}

Result<Connection> open_layout(const Layout& layout, std::chrono::milliseconds lock_wait, OpenFailure* failure) {
  OpenFailure ignored;
  OpenFailure& failed = failure != nullptr ? *failure : ignored;
  const auto describe = [&](Error error) {
    error.message += explanation(failed.code);
    error.code = error.code == ErrorCode::out_of_memory ? error.code : ErrorCode::io;
    return std::move(error).with_prefix("cannot open " + layout.name);
  };

  const LayoutDatabase& main = layout.databases.front();
  const int access = main.image ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : file_access_flag(layout);
  auto opened = Connection::open(main.image ? ":memory:" : main.uri, access | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
                                 nullptr, &failed.code);
  if (!opened.ok()) return describe(std::move(opened).error());
  Connection connection = std::move(opened).value();
  sqlite3* db = connection.handle();
  const LockWait waiting(db, lock_wait, [] { return false; });

  const auto prepare_databases = [&]() -> Status {
    // Sorts and intermediate tables must spill to a file instead of filling the memory. This must precede the temp
    // tables, since the pragma drops them.
    TRUSTSQL_RETURN_IF_ERROR(execute(db, "PRAGMA temp_store=FILE"));
    if (main.image && !layout.encoding.empty())
      TRUSTSQL_RETURN_IF_ERROR(execute(db, "PRAGMA encoding=" + quote_string(layout.encoding)));
    for (std::size_t i = 0; i < layout.databases.size(); ++i) {
      failed.database = i;
      const LayoutDatabase& database = layout.databases[i];
      if (i > 0) TRUSTSQL_RETURN_IF_ERROR(attach(db, database));
      if (database.image) TRUSTSQL_RETURN_IF_ERROR(database.image->install(db, database.schema));
      TRUSTSQL_RETURN_IF_ERROR(read_schema(db, database.schema));
    }
    if (layout.temp) {
      failed.database = layout.databases.size();
      TRUSTSQL_RETURN_IF_ERROR(layout.temp->install(db, "temp"));
    }
    return ok_status();
  };
  if (auto prepared = prepare_databases(); !prepared.ok()) {
    failed.code = sqlite3_extended_errcode(db);
    return describe(std::move(prepared).error());
  }
  return connection;
}

}  // namespace trustsql
