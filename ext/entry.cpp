// The entry points (include/trustsql/trustsql.h). They register functions and open nothing: an auto-extension runs for
// every connection of the process, including the sandbox's private ones.

#include <algorithm>
#include <optional>

#include "db/sqlite/routines.hpp"
#include "ext/registry.hpp"
#include "ext/services/loaded_session.hpp"

#ifndef SQLITE_CORE
SQLITE_EXTENSION_INIT1
#endif

#define TRUSTSQL_EXPORT extern "C" __attribute__((visibility("default")))

namespace trustsql::ext {

namespace {

int fail(char** message, const std::string& text) {
  if (message != nullptr) *message = sqlite3_mprintf("trustsql: %s", text.c_str());
  return SQLITE_ERROR;
}

int initialise(sqlite3* db, char** message, const sqlite3_api_routines* api, EntryPoint entry_point) noexcept {
#ifdef SQLITE_CORE
  (void)api;
#else
  SQLITE_EXTENSION_INIT2(api)
#endif
  try {
    if (sqlite3_libversion_number() < oldest_sqlite)
      return fail(message, std::string("needs SQLite 3.37 or newer, but this is ") + sqlite3_libversion());
    if (const auto checked = check_routines(entry_point != EntryPoint::pure); !checked.ok())
      return fail(message, checked.error().message);
    auto session = loaded_session(db);
    std::optional<EntryPoint> loaded;
    if (session) {
      loaded = session->entry_point();
      session->raise_to(std::max(*loaded, entry_point));
    } else {
      auto settings = Settings::create(Settings::process_environment);
      if (!settings.ok()) return fail(message, settings.error().message);
      session = std::make_shared<Session>(db, entry_point, std::move(settings).value());
    }
    const int code = register_all(db, session, loaded);
    if (code != SQLITE_OK && loaded) session->raise_to(*loaded);
    if (code == SQLITE_NOMEM) return code;
    if (code != SQLITE_OK) return fail(message, sqlite3_errmsg(db));
  } catch (...) {
    return SQLITE_NOMEM;
  }
#ifdef SQLITE_CORE
  return SQLITE_OK;
#else
  // The library stays in the process: its functions remain in use after this connection closes.
  return SQLITE_OK_LOAD_PERMANENTLY;
#endif
}

}  // namespace

}  // namespace trustsql::ext

using trustsql::ext::EntryPoint;

TRUSTSQL_EXPORT int sqlite3_trustsql_init(sqlite3* db, char** message, const sqlite3_api_routines* api) {
  return trustsql::ext::initialise(db, message, api, EntryPoint::full);
}

TRUSTSQL_EXPORT int sqlite3_trustsql_offline_init(sqlite3* db, char** message, const sqlite3_api_routines* api) {
  return trustsql::ext::initialise(db, message, api, EntryPoint::offline);
}

TRUSTSQL_EXPORT int sqlite3_trustsql_pure_init(sqlite3* db, char** message, const sqlite3_api_routines* api) {
  return trustsql::ext::initialise(db, message, api, EntryPoint::pure);
}
